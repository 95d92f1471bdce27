/** An imported service against an API on a socket. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { defineContract, error, mutation, query } from "@fairlead/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { type MemoryKernel, openMemoryKernel } from "../memory.ts";
import { forwardedService } from "./forwarded-service.ts";
import type { ForwardedOperation } from "./operation.ts";
import { forwardedRequest } from "./request.ts";

const errors = {
  upstream_unavailable: error({ code: "unavailable", when: "it is away" }),
  upstream_failed: error({ code: "unknown", when: "it failed", data: z.object({ status: z.int(), body: z.json() }) }),
  upstream_changed: error({ code: "failed_precondition", when: "it changed" }),
};
const pets = defineContract({
  id: "pets",
  version: "1.0.0",
  summary: "Pets.",
  procedures: {
    one: query({
      summary: "One.",
      input: z.object({ id: z.string().describe("Id"), tag: z.array(z.string()).optional().describe("Tags") }),
      output: z.object({ name: z.string() }),
      errors: {
        ...errors,
        resource_not_found: error({
          code: "not_found",
          when: "there is none",
          data: z.object({ status: z.int(), body: z.object({ message: z.string() }) }),
        }),
      },
    }),
    add: mutation({
      summary: "Adds.",
      input: z.object({ body: z.object({ name: z.string().describe("Name") }).describe("Pet") }),
      output: z.null(),
      retry: "unsafe",
      errors,
    }),
  },
});

const operations = {
  one: {
    method: "GET",
    path: "/pets/{id}",
    fields: { id: { name: "id", in: "path" }, tag: { name: "tag", in: "query" } },
    answer: "json",
    errors: { "404": "resource_not_found" },
  },
  add: { method: "POST", path: "/pets", fields: {}, body: "form", answer: "nothing", errors: {} },
} satisfies Record<string, ForwardedOperation>;

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
let answer: Answer;
let server: Server;
let kernel: MemoryKernel;
let url: string;

beforeEach(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v2`;
  kernel = openMemoryKernel([forwardedService(pets, { url, operations })]);
});
afterEach(async () => {
  await kernel.close();
  server.closeAllConnections();
  server.close();
});

const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

it("asks the API as its document says, and gives what it answers", async () => {
  let asked = "";
  answer = ({ method, url: path, headers }, response) => {
    asked = `${method} ${path} ${headers.accept} ${typeof headers.traceparent}`;
    json(response, 200, { name: "Rex", more: true });
  };
  expect(await kernel.call("pets.one", { id: "a/b ?", tag: ["x", "y z"] })).toEqual({
    ok: true,
    value: { name: "Rex" },
  });
  expect(asked).toBe("GET /v2/pets/a%2Fb%20%3F?tag=x&tag=y+z application/json string");
});

it("sends a form, and takes an answer without a body", async () => {
  let sent = "";
  answer = async (request, response) => {
    sent = `${request.headers["content-type"]} ${await text(request)}`;
    response.writeHead(204).end();
  };
  expect(await kernel.call("pets.add", { body: { name: "Rex & Co" } })).toEqual({ ok: true, value: null });
  expect(sent).toBe("application/x-www-form-urlencoded name=Rex+%26+Co");
});

it("never leaves the path that the document says", async () => {
  answer = (_, response) => json(response, 200, { name: "x" });
  for (const id of ["..", ".", ""])
    expect(await kernel.call("pets.one", { id })).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
});

it.each([
  [
    404,
    { message: "no such pet" },
    { code: "not_found", reason: "resource_not_found", message: "no such pet", data: { status: 404 } },
  ],
  [404, { other: 1 }, { code: "unknown", reason: "upstream_failed", data: { status: 404, body: { other: 1 } } }],
  [418, { detail: "a teapot" }, { code: "unknown", reason: "upstream_failed", message: "a teapot" }],
  [200, { nam: "x" }, { code: "failed_precondition", reason: "upstream_changed" }],
])("an answer of status %i is the error that the contract declares", async (status, body, wanted) => {
  answer = (_, response) => json(response, status, body);
  expect(await kernel.call("pets.one", { id: "1" })).toMatchObject({ ok: false, error: wanted });
});

it("says when to come again", async () => {
  answer = (_, response) => json(response, 429, {}, { "retry-after": "7" });
  expect(await kernel.call("pets.add", { body: { name: "x" } })).toMatchObject({
    ok: false,
    error: { reason: "upstream_failed", retryable: true, retryAfterMs: 7_000 },
  });
});

it("follows a redirect on the same address alone", async () => {
  answer = ({ url: path }, response) =>
    path === "/v2/pets/1"
      ? response.writeHead(302, { location: "/v2/moved" }).end()
      : json(response, 200, { name: String(path) });
  expect(await kernel.call("pets.one", { id: "1" })).toEqual({ ok: true, value: { name: "/v2/moved" } });
  answer = (_, response) => response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
  expect(await kernel.call("pets.one", { id: "1" })).toMatchObject({
    error: { reason: "upstream_failed", data: { status: 302 } },
  });
});

it("an API that is not there is another error than one that refuses", async () => {
  server.close();
  server.closeAllConnections();
  const reply = await kernel.call("pets.add", { body: { name: "x" } });
  expect(reply).toMatchObject({
    ok: false,
    error: { code: "unavailable", reason: "upstream_unavailable", retryable: false },
  });
});

it("writes lists and objects in a query as the document says", () => {
  const value = { list: ["a", "b"], deep: { x: 1, y: { z: 2 } } };
  const field = (name: string, style: "form" | "list" | "spaces" | "pipes" | "deep") =>
    ({ name, in: "query", style }) as const;
  const write = (fields: ForwardedOperation["fields"]) =>
    forwardedRequest({ method: "GET", path: "/", fields, answer: "json", errors: {} }, "http://a.example", value).url
      .search;
  expect(write({ list: field("l", "form") })).toBe("?l=a&l=b");
  expect(write({ list: field("l", "list") })).toBe("?l=a%2Cb");
  expect(write({ list: field("l", "pipes") })).toBe("?l=a%7Cb");
  expect(write({ deep: field("d", "deep") })).toBe("?d%5Bx%5D=1&d%5By%5D%5Bz%5D=2");
  expect(write({ deep: field("d", "form") })).toBe("?x=1&y=%7B%22z%22%3A2%7D");
});
