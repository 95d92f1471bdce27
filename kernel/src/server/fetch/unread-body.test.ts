import { expect, test } from "vitest";
import { FetchRequest } from "./incoming.ts";
import { RequestSocket } from "./socket.ts";
import { dropRest } from "./unread-body.ts";

const begin = (body: ReadableStream<Uint8Array>): FetchRequest => {
  const request = new Request("http://localhost/x", { method: "POST", body, duplex: "half" });
  return new FetchRequest(request, new URL(request.url), new RequestSocket(undefined));
};

test("a body without a byte is cancelled, and one that comes for ever, too", async () => {
  const quiet = Promise.withResolvers<void>();
  const silent = new ReadableStream<Uint8Array>({ cancel: () => quiet.resolve() });
  dropRest(begin(silent), { linger: 60_000, lingerQuiet: 1 });
  await quiet.promise;
  const late = Promise.withResolvers<void>();
  let isOver = false;
  const slow = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isOver) controller.enqueue(new Uint8Array(1));
    },
    cancel: () => {
      isOver = true;
      late.resolve();
    },
  });
  dropRest(begin(slow), { linger: 20, lingerQuiet: 60_000 });
  await late.promise;
});

test("what a reader has left half read is dropped to its end", async () => {
  let left = 5;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      left -= 1;
      return left < 0 ? controller.close() : controller.enqueue(new Uint8Array(65_536));
    },
  });
  const incoming = begin(body);
  const closed = new Promise((resolve) => incoming.once("close", resolve));
  for await (const part of incoming.iterator({ destroyOnReturn: false })) {
    expect(part.length).toBe(65_536);
    break;
  }
  dropRest(incoming, { linger: 60_000, lingerQuiet: 60_000 });
  await closed;
  expect([incoming.complete, left]).toEqual([true, -1]);
});
