/** What an import makes of a relay's answers: typed results, the errors that its contract declares, and nothing else. */
import { defineContract, error, FairleadError, mutation } from "@fairlead/contracts";
import connections from "@fairlead/contracts/connections";
import { type MemoryKernel, openMemoryKernel } from "@fairlead/kernel/memory";
import type { Call, Handlers, Service } from "@fairlead/kernel/service";
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { type ImportedTool, importedService } from "./imported-service.ts";

const errors = {
  tool_failed: error({ code: "unknown", when: "it failed" }),
  tool_changed: error({ code: "failed_precondition", when: "it changed", hint: "import it again" }),
  upstream_unavailable: error({
    code: "unavailable",
    when: "it is away",
    data: z.object({ reason: z.string().describe("Why"), sent: z.boolean().describe("Sent") }),
  }),
};

const contract = defineContract({
  id: "up",
  version: "0.1.0",
  summary: "An upstream.",
  procedures: {
    sum: mutation({
      summary: "Adds.",
      input: z.strictObject({ a: z.number().describe("One") }),
      output: z.object({ sum: z.number().describe("Sum") }),
      retry: "unsafe",
      errors,
    }),
    say: mutation({
      summary: "Says.",
      input: z.strictObject({}),
      output: z.object({
        text: z.string().describe("Text"),
        content: z.array(z.record(z.string(), z.json())).describe("Parts"),
      }),
      retry: "unsafe",
      errors,
    }),
  },
});

const tool = (upstreamName: string, outputSchema: ImportedTool["outputSchema"]): ImportedTool => ({
  name: `up__${upstreamName}`,
  upstreamName,
  description: "Does it.",
  inputSchema: { type: "object" },
  outputSchema,
  annotations: {},
});
const tools = { sum: tool("sum", { type: "object" }), say: tool("say", null) };

interface Asked {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
type ToolCall = Call<(typeof connections)["procedures"]["callTool"]>;
type Answer = (asked: Asked, call: ToolCall) => unknown;
const none = { added: [], removed: [], changed: [], changes: [] };
/** How the connection is, and how its tools differ. */
interface Standing {
  readonly status: unknown;
  readonly drift?: object;
}
const connected: Standing = {
  status: {
    name: "up",
    state: "connected",
    tools: 2,
    error: null,
    configured: true,
    endpoint: "http://localhost/mcp",
    transport: "http",
    era: "modern",
    revision: null,
    server: null,
    calls: 0,
    attempt: 0,
    progress: null,
    nextRetry: null,
    lastError: null,
    since: "2026-01-01T00:00:00Z",
    generation: 1,
    quarantined: [],
    filtered: [],
    unusable: [],
  },
};

/** The connections service as far as an import uses it. */
const relaying = (answer: Answer, { status, drift = {} }: Standing = connected): Service => ({
  contract: connections,
  start: () => {
    const nothing = (): never => {
      throw new FairleadError({ code: "unimplemented", message: "not here" });
    };
    const rest = Object.fromEntries(Object.keys(connections.procedures).map((name) => [name, nothing]));
    return {
      handlers: {
        ...rest,
        status: () => status,
        expect: () => ({ known: true, ...none, ...drift }),
        callTool: answer,
      } as unknown as Handlers<typeof connections>,
    };
  },
});

let kernel: MemoryKernel | undefined;
afterEach(() => kernel?.close());

const ask = (answer: Answer, procedure: "sum" | "say", input: unknown = procedure === "sum" ? { a: 1 } : {}) => {
  kernel = openMemoryKernel([relaying(answer), importedService(contract, { connection: "up", tools })]);
  return kernel.call(`up.${procedure}`, input);
};

const said = (text: string) => [{ type: "text", text }];
const message = "so the relay says";
const refusals = {
  away: (call: ToolCall) =>
    call.fail(
      "upstream_unavailable",
      { message, hint: "try again shortly", retryable: true },
      { connection: "up", state: "reconnecting", reason: "refused", sent: false, attempt: 3 },
    ),
  gone: (call: ToolCall) => call.fail("unknown_tool", { message }, { near: null }),
  kept: (call: ToolCall) =>
    call.fail("quarantined", { message, hint: "approve it" }, { connection: "up", tool: "sum" }),
  refused: (call: ToolCall) =>
    call.fail("arguments_refused", { message, hint: "see its pattern" }, { connection: "up", code: -32_602 }),
  deaf: (call: ToolCall) => call.fail("not_offered", { message }, { connection: "up", code: -32_601 }),
  wrong: (call: ToolCall) => call.fail("upstream_error", { message }, { connection: "up", code: -1 }),
};
const refusing =
  (refusal: keyof typeof refusals): Answer =>
  (_, call) =>
    Promise.reject(refusals[refusal](call));

it("gives the structure that the tool promises, and passes the arguments on", async () => {
  const asked: Asked[] = [];
  const reply = await ask((input) => {
    asked.push(input);
    return { content: said("3"), structuredContent: { sum: 3, more: true } };
  }, "sum");
  expect(reply).toEqual({ ok: true, value: { sum: 3 } });
  expect(asked).toEqual([{ tool: "up__sum", arguments: { a: 1 } }]);
});

it("gives text and parts where no structure is promised", async () => {
  const content = [...said("a"), { type: "image", data: "", mimeType: "image/png" }, ...said("b")];
  expect(await ask(() => ({ content }), "say")).toEqual({ ok: true, value: { text: "a\nb", content } });
});

it.each<[string, Answer, object]>([
  [
    "a tool's failure",
    () => ({ content: said("no such file"), isError: true }),
    { reason: "tool_failed", message: "no such file" },
  ],
  [
    "what hides in a tool's failure",
    () => ({ content: said("no \u202E\u200Bsuch\u0007 file\nhere"), isError: true }),
    { reason: "tool_failed", message: "no such file\nhere" },
  ],
  [
    "a result without the structure",
    () => ({ content: said("3") }),
    { reason: "tool_changed", hint: "import it again" },
  ],
  ["a result of another type", () => ({ structuredContent: { sum: "3" } }), { reason: "tool_changed" }],
  [
    "an upstream that is away",
    refusing("away"),
    {
      reason: "upstream_unavailable",
      hint: "try again shortly",
      retryable: true,
      data: { reason: "refused", sent: false },
    },
  ],
  ["a tool that is gone", refusing("gone"), { reason: "tool_changed" }],
  ["a tool that is kept back", refusing("kept"), { reason: "tool_changed", hint: "approve it" }],
  [
    "arguments that the upstream refuses",
    refusing("refused"),
    { code: "invalid_argument", message, hint: "see its pattern", retryable: false },
  ],
  ["an upstream that takes no calls of tools", refusing("deaf"), { reason: "tool_changed" }],
  ["an answer that is an error", refusing("wrong"), { reason: "tool_failed" }],
])("tells %s as the contract declares it", async (_, answer, expected) => {
  expect(await ask(answer, "sum")).toMatchObject({ ok: false, error: expected });
});

it.each<[string, Standing, object | null]>([
  ["nothing, while all is as it was", connected, null],
  ["that there is no such connection", { status: null }, { why: "there is no connection up" }],
  [
    "which tools are others now",
    { ...connected, drift: { changed: ["sum"], removed: ["say"] } },
    { why: "tools of up are not what they were when they were imported: sum, say" },
  ],
])("says of itself %s", async (_, standing, degraded) => {
  const own = openMemoryKernel([
    relaying(() => ({ content: [] }), standing),
    importedService(contract, { connection: "up", tools }),
  ]);
  kernel = own;
  await vi.waitFor(
    async () => {
      const reply = await own.call("kernel.services", {});
      const { services } = (reply.ok ? reply.value : {}) as { services: { id: string; degraded: object | null }[] };
      const found = services.find(({ id }) => id === "up")?.degraded;
      if (degraded === null) expect(found).toBeNull();
      else expect(found).toMatchObject(degraded);
    },
    { timeout: 60_000 },
  );
});

it("passes progress on", async () => {
  kernel = openMemoryKernel([
    relaying((_, call) => {
      call.progress({ progress: 1, total: 2 });
      return { content: said("done") };
    }),
    importedService(contract, { connection: "up", tools }),
  ]);
  const reports: unknown[] = [];
  await kernel.call("up.say", {}, { onProgress: (progress) => reports.push(progress) });
  expect(reports).toEqual([{ progress: 1, total: 2 }]);
});
