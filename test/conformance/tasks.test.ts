/**
 * The tasks extension on the wire, against a real kernel: a call that is answered with a task, from another connection, after a restart of the kernel, with
 * questions, for clients with and without tasks. Each request here is stateless, and so a connection of its own.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
// @boundaries-ignore raw messages as the transport's own tests send them
import {
  call,
  envelope,
  initialize,
  lastMessage,
  modern,
  rpc,
  send,
} from "../../kernel/src/testing/mcp-fake-client.ts";
import { openTaskKernel, type TaskKernel } from "./tasks/kernel.ts";

let folder: string;
let running: TaskKernel;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-tasks-"));
  running = await openTaskKernel(folder);
});

afterEach(async () => {
  await running.kernel.close();
  rmSync(folder, { recursive: true, force: true });
});

const restart = async (): Promise<void> => {
  await running.kernel.close();
  running = await openTaskKernel(folder);
};

const able = "io.modelcontextprotocol/clientCapabilities";
const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const withForms = { ...tasks, elicitation: {} };

interface Caller {
  readonly capabilities?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

const start = async (tool: string, input: object, { capabilities = withForms, ...sent }: Caller = {}) => {
  const { result = {} } = await lastMessage(await call(running.url, tool, input, { [able]: capabilities }, sent));
  return result;
};

/** A request about a task. */
const about = async (method: string, params: { readonly taskId: string }, caller: Caller = {}) => {
  const { capabilities = withForms, headers = {}, path = "/mcp" } = caller;
  const response = await send(running.url, rpc(method, { ...params, _meta: { ...envelope, [able]: capabilities } }), {
    path,
    headers: { "mcp-protocol-version": modern, "mcp-method": method, "mcp-name": params.taskId, ...headers },
  });
  return lastMessage(response);
};

const idOf = (result: Readonly<Record<string, unknown>>): string => String(result.taskId);

/** What `tasks/get` says once the task is in that state. */
const until = async (taskId: string, status: string, caller: Caller = {}) => {
  await expect.poll(async () => (await about("tasks/get", { taskId }, caller)).result?.status).toBe(status);
  return (await about("tasks/get", { taskId }, caller)).result;
};

test("a call is answered with a task, and the task with the call's result, on any connection", async () => {
  const created = await start("slow_compute", { seconds: 0 });
  expect(created).toMatchObject({ resultType: "task", status: "working", ttlMs: 604_800_000, pollIntervalMs: 1_000 });
  expect(created).not.toHaveProperty("content");
  const done = await until(idOf(created), "completed");
  const text = "computed for 0 s";
  expect(done).toMatchObject({ result: { content: [{ type: "text", text }], structuredContent: { value: text } } });
});

test("what fails is a result that the model reads, and what breaks a failed task", async () => {
  const failed = await until(idOf(await start("failing_job", {})), "completed");
  expect(failed).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("always fails") }] },
  });
  const broken = await until(idOf(await start("protocol_error_job", {})), "failed");
  expect(broken).toMatchObject({ error: { code: expect.any(Number), message: expect.any(String) } });
  expect(broken).not.toHaveProperty("result");
});

test("it asks, waits through a restart of the kernel, and goes on with the answer", async () => {
  const taskId = idOf(await start("confirm_delete", { filename: "a.txt" }));
  const asked = await until(taskId, "input_required");
  const requests = asked?.inputRequests as Readonly<Record<string, unknown>>;
  const [key = ""] = Object.keys(requests);
  expect(requests[key]).toMatchObject({
    method: "elicitation/create",
    params: { message: "Delete a.txt?", requestedSchema: { properties: { confirm: { type: "boolean" } } } },
  });
  await restart();
  expect(await until(taskId, "input_required")).toMatchObject({ taskId, inputRequests: requests });
  const wrong = { taskId, inputResponses: { [key]: { action: "accept", content: { confirm: "perhaps" } } } };
  expect((await about("tasks/update", wrong)).error).toMatchObject({ code: -32602 });
  const stray = { taskId, inputResponses: { other: { action: "accept", content: { confirm: true } } } };
  expect((await about("tasks/update", stray)).result).toMatchObject({ resultType: "complete" });
  const right = { taskId, inputResponses: { [key]: { action: "accept", content: { confirm: true } } } };
  expect((await about("tasks/update", right)).result).toMatchObject({ resultType: "complete" });
  expect(await until(taskId, "completed")).toMatchObject({ result: { content: [{ text: "deleted a.txt" }] } });
});

test("it is cancelled, again without harm, and stays so", async () => {
  const taskId = idOf(await start("slow_compute", { seconds: 600 }));
  for (const _ of [1, 2])
    expect((await about("tasks/cancel", { taskId })).result).toMatchObject({ resultType: "complete" });
  expect(await until(taskId, "cancelled")).not.toHaveProperty("result");
});

test("a client without tasks gets its answer in the call, and no task", async () => {
  const plain = await start("slow_compute", { seconds: 0 }, { capabilities: {} });
  expect(plain).toMatchObject({ resultType: "complete", content: [{ text: "computed for 0 s" }] });
  const refused = await about("tasks/get", { taskId: "t" }, { capabilities: {} });
  expect(refused.error).toMatchObject({ code: -32021, data: { requiredCapabilities: tasks } });
  const session = await initialize(running.url, "2025-11-25", {}, withForms);
  const old = await lastMessage(
    await send(running.url, rpc("tasks/get", { taskId: "t" }), { headers: session.headers }),
  );
  expect(old.error).toMatchObject({ code: -32601 });
});

test("a client that shows no forms learns who can answer", async () => {
  const taskId = idOf(await start("confirm_delete", { filename: "a.txt" }, { capabilities: tasks }));
  await until(taskId, "input_required");
  const { result } = await about("tasks/get", { taskId }, { capabilities: tasks });
  expect(result).toMatchObject({
    status: "working",
    statusMessage: expect.stringContaining(`fairlead runs answer ${taskId}`),
  });
});

test("a tool that is found by a search is a task, too", async () => {
  const input = { name: "slow_compute", arguments: { seconds: 0 } };
  const created = await start("call_destructive", input, { path: "/mcp?mode=search" });
  expect(created).toMatchObject({ resultType: "task" });
  await until(idOf(created), "completed", { path: "/mcp?mode=search" });
});

test("a bad input is refused at once, and no task is made", async () => {
  const refused = await start("slow_compute", { seconds: "many" });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("seconds") }] });
  expect(refused).not.toHaveProperty("taskId");
});

test("another caller's task is unknown, and a token without the kernel's procedures calls as before", async () => {
  const sha256 = (secret: string): string => createHash("sha256").update(secret).digest("hex");
  const tokens = [
    { name: "ann", access: ["read", "call"], sha256: sha256("secret-of-ann") },
    { name: "bob", access: ["read", "call"], sha256: sha256("secret-of-bob") },
    { name: "cid", access: ["read", "call"], services: ["suite"], sha256: sha256("secret-of-cid") },
  ];
  await running.kernel.close();
  running = await openTaskKernel(folder, { tokens });
  const by = (name: string): Caller => ({ headers: { authorization: `Bearer secret-of-${name}` } });
  const taskId = idOf(await start("slow_compute", { seconds: 600 }, by("ann")));
  expect((await about("tasks/get", { taskId }, by("ann"))).result).toMatchObject({ taskId });
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
    expect((await about(method, { taskId }, by("bob"))).error).toMatchObject({ code: -32602 });
  expect(await start("slow_compute", { seconds: 0 }, by("cid"))).toMatchObject({
    content: [{ text: "computed for 0 s" }],
  });
});
