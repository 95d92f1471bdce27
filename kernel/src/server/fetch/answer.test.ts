import fc from "fast-check";
import { expect, test } from "vitest";
import { drained } from "../connections/socket.ts";
import { FetchAnswer } from "./answer.ts";
import { FetchRequest } from "./incoming.ts";
import { RequestSocket } from "./socket.ts";

const begin = (init: RequestInit = {}): FetchAnswer => {
  const request = new Request("http://localhost/x", init);
  return new FetchAnswer(new FetchRequest(request, new URL(request.url), new RequestSocket(undefined)));
};

const bytes = fc.integer({ min: 0, max: 90_000 }).map((size) => Buffer.alloc(size, size % 251));
const texts = fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => text.toWellFormed());
const chunk = fc.oneof(bytes, texts);

test("whatever is written comes out, in order, however much is read at a time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), fc.option(chunk), fc.boolean(), async (parts, last, flush) => {
      const answer = begin();
      answer.setHeader("x-before", 1).writeHead(201, { "x-after": ["a", "b"], connection: "close" });
      if (flush) answer.flushHeaders();
      const write = async (): Promise<void> => {
        for (const part of parts) if (!answer.write(part)) await drained(answer);
        answer.end(last ?? undefined);
      };
      const written = write();
      const response = await answer.response;
      const found = Buffer.from(await response.arrayBuffer());
      await written;
      const all = [...parts, ...(last === null ? [] : [last])].map((part) => Buffer.from(part as string));
      expect(found.equals(Buffer.concat(all))).toBe(true);
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([
        201,
        expect.objectContaining({ "x-before": "1", "x-after": "a, b" }),
      ]);
      expect(response.headers.has("connection")).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("a reader that takes nothing holds the writer up, and one that leaves ends it", async () => {
  const answer = begin();
  let written = 0;
  while (answer.write(Buffer.alloc(16_384)) && written < 100) written += 1;
  expect(written).toBeLessThan(20);
  const { body } = await answer.response;
  const closed = new Promise((resolve) => answer.once("close", resolve));
  await body?.cancel();
  await closed;
  expect([answer.destroyed, answer.writableEnded]).toEqual([true, false]);
});

test("what is cut off breaks for its reader, and what its caller has left does not", async () => {
  const cut = begin();
  cut.write("half");
  const half = await cut.response;
  cut.destroy();
  await expect(half.text()).rejects.toThrow("cut off");
  const left = begin();
  left.write("half");
  const rest = await left.response;
  left.abandon();
  expect(await rest.text()).toBe("half");
  const nothing = begin();
  nothing.destroy();
  expect((await nothing.response).status).toBe(503);
});

test("where there is no body none is sent", async () => {
  const head = begin({ method: "HEAD" });
  head.writeHead(200).end("text");
  expect((await head.response).body).toBe(null);
  const streamed = begin({ method: "HEAD" });
  streamed.write("text");
  streamed.end();
  expect((await streamed.response).body).toBe(null);
  const known = begin();
  known.writeHead(304).end();
  expect((await known.response).body).toBe(null);
  expect(() => known.writeHead(200)).toThrow("already");
});
