/** Uploads and downloads over tRPC: what their keys do, and which inputs are in no address. */
import { defineContract, download, secret, upload } from "@fairlead/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { defineService } from "../../service/service.ts";
import { type Fixture, send, startFixture } from "../../testing/wire-fixture.ts";

const shelf = defineContract({
  id: "shelf",
  version: "1.0.0",
  summary: "Keeps files.",
  procedures: {
    put: upload({
      summary: "Adds a file.",
      retry: "unsafe",
      input: z.object({}),
      file: { maxBytes: 1_000 },
      output: z.int(),
    }),
    get: download({
      summary: "Gives a file.",
      input: z.object({
        as: z.string(),
        token: z.string().meta(secret).optional(),
        pin: z.int().meta(secret).optional(),
        parts: z.array(z.object({ from: z.int() })).optional(),
      }),
    }),
  },
});

let puts = 0;
const service = defineService(shelf, () => ({
  handlers: {
    put: async (_, { file }) => {
      for await (const _ of file) puts += 1;
      return puts;
    },
    get: ({ as }) => new Blob([as], { type: "text/plain" }),
  },
}));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ services: [service] });
});
afterAll(() => fixture.close());

test.each([
  ["a key, which an unsafe one refuses", { "idempotency-key": "one-and-only" }],
  ["a key in a list", { "fairlead-idempotency-keys": "one-and-only" }],
  ["a list of another length", { "fairlead-idempotency-keys": "a,b,c" }],
  ["a list that has no keys", { "fairlead-idempotency-keys": "%" }],
])("an upload with %s", async (_, more: Readonly<Record<string, string>>) => {
  const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nx\r\n--x--\r\n';
  const sent = { method: "POST", path: "/trpc/shelf.put", body } as const;
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  expect(await send(fixture.port, { ...sent, headers: { ...headers, ...more } })).toMatchObject({ status: 400 });
  expect(puts).toBe(0);
});

const get = async (input: object) => {
  const path = `/trpc/shelf.get?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await fetch(`${fixture.url}${path}`);
  const text = await response.text();
  return { text, data: JSON.parse(text).result.data };
};

test("a short input is in the address of a download", async () => {
  const as = "a".repeat(1_000 - "as=".length);
  expect((await get({ as })).data).toEqual({ type: "text/plain", size: as.length, url: `/api/shelf/get?as=${as}` });
});

test.each([
  ["a long input", { as: "ü".repeat(400) }],
  ["a secret", { as: "b", token: "very-secret-token" }],
  ["a short secret", { as: "b", token: "pw-12" }],
  ["a secret number", { as: "b", pin: 90_210 }],
  ["what no query has", { as: "b", parts: [{ from: 1 }] }],
])("%s is not: words say how to get the bytes", async (_, input) => {
  const { text, data } = await get(input);
  expect(data).toEqual({ type: "text/plain", size: expect.any(Number), note: expect.stringContaining("by POST to") });
  for (const value of Object.values(input).slice(1)) expect(text).not.toContain(String(value));
  const path = /\/api\S+/.exec(data.note)?.[0];
  const bytes = await fetch(`${fixture.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  expect(await bytes.text()).toBe(input.as);
});
