/** The stand-in holds requests to the API's own rules, or tests against it would prove nothing. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeMessagesApi, fakeApiKey, startFakeMessagesApi } from "./messages-api.ts";
import { call } from "./messages-api-script.ts";

let model: FakeMessagesApi;
beforeAll(async () => {
  model = await startFakeMessagesApi([{ when: "hello", answers: [call("look", {})] }]);
});
afterAll(() => model[Symbol.asyncDispose]());

const good = {
  model: "m",
  max_tokens: 10,
  messages: [{ role: "user", content: "hello" }],
  tools: [{ name: "look" }],
  tool_choice: { type: "any" },
};

const send = async (change: object, headers: Record<string, string> = {}, path = "/v1/messages") => {
  const response = await fetch(`${model.url}${path}`, {
    method: "POST",
    headers: { "anthropic-version": "2026-10-21", authorization: `Bearer ${fakeApiKey}`, ...headers },
    body: JSON.stringify({ ...good, ...change }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test("a right request gets the scripted answer, with counted ids", async () => {
  const { status, body } = await send({});
  expect(status).toBe(200);
  expect(body).toMatchObject({
    type: "message",
    stop_reason: "tool_use",
    content: [{ name: "look", id: "toolu_000001" }],
  });
});

test("a key in the older header is taken, a wrong one is not", async () => {
  expect((await send({}, { authorization: "", "x-api-key": fakeApiKey })).status).toBe(200);
  expect(await send({}, { authorization: "Bearer other" })).toMatchObject({
    status: 401,
    body: { type: "error", error: { type: "authentication_error" } },
  });
});

test.each([
  ["no model", { model: undefined }],
  ["no limit", { max_tokens: 0 }],
  ["no messages", { messages: [] }],
  ["two tools of one name", { tools: [{ name: "look" }, { name: "look" }] }],
  ["a tool's name with a space", { tools: [{ name: "look around" }] }],
  ["a forced call without tools", { tools: [] }],
  ["a forced tool that is not there", { tool_choice: { type: "tool", name: "go" } }],
])("%s is refused", async (_, change) => {
  expect(await send(change)).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
});

test("tokens are counted, other paths are not found, and everything is logged", async () => {
  expect(await send({}, {}, "/v1/messages/count_tokens")).toMatchObject({ status: 200, body: { input_tokens: 700 } });
  expect((await send({}, {}, "/v1/complete")).status).toBe(404);
  expect(model.requests.at(-1)).toMatchObject({ path: "/v1/complete", body: { model: "m" } });
});
