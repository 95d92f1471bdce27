import { defineContract, mutation } from "@fairlead/contracts";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { localPrincipal } from "../call/call.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService, type Service } from "../service/service.ts";

const relaying = defineContract({
  id: "far",
  version: "1.0.0",
  summary: "Passes calls on.",
  procedures: {
    pass: mutation({
      summary: "Passes a call on.",
      retry: "unsafe",
      input: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
      output: z.record(z.string(), z.unknown()),
    }),
  },
});

let claims: Readonly<Record<string, boolean>> | undefined;

const service = defineService(relaying, () => ({
  relay: {
    through: "pass",
    list: () => [{ name: "a__tool" }],
    find: (name) =>
      name.startsWith("a__") ? { name, ...(claims !== undefined && { annotations: claims }) } : undefined,
    onChange: () => () => undefined,
  },
  handlers: { pass: ({ arguments: { result } }) => result as Record<string, unknown> },
}));

const composeServices = (services: readonly Service[]) =>
  compose({
    config: readConfig({}),
    services,
    env: {},
    events: makeEvents(),
    log: () => undefined,
    schema: async () => undefined,
  });

const { dispatch, close } = composeServices([service]);
afterAll(close);

const failed = {
  isError: true,
  content: [{ type: "text", text: "no such file" }, { type: "image" }, { text: "at x" }],
};
const call = (procedure: string, input: unknown, transport: "mcp" | "http" | "trpc" | "memory" = "http") =>
  dispatch.call({ procedure, input, principal: localPrincipal, transport });

it.each(["http", "trpc", "memory"] as const)("a tool that fails is an error over %s", async (transport) => {
  expect(await call("far.a__tool", { result: failed }, transport)).toEqual({
    ok: false,
    error: {
      code: "unknown",
      reason: "tool_failed",
      message: "no such file\nat x",
      hint: "`far.pass` gives the tool's whole result",
      retryable: false,
    },
  });
});

it("over MCP, and from the procedure itself, its result comes as it is", async () => {
  expect(await call("far.a__tool", { result: failed }, "mcp")).toEqual({ ok: true, value: failed });
  const passed = await call("far.pass", { tool: "a__tool", arguments: { result: failed } });
  expect(passed).toEqual({ ok: true, value: failed });
});

it.each([
  ["nothing", { isError: true }],
  ["what cannot be seen", { isError: true, content: [{ type: "text", text: "\u202E\u200B" }] }],
  ["no text", { isError: true, content: [{ type: "image" }, 7, null] }],
  ["content that is not a list", { isError: true, content: "x" }],
])("a failure that says %s names the tool", async (_, result) => {
  expect(await call("far.a__tool", { result })).toMatchObject({
    error: { message: "a__tool says that it has failed" },
  });
});

it("a result that is none of these goes out as it came", async () => {
  const result = { content: [], isError: "yes" };
  expect(await call("far.a__tool", { result })).toEqual({ ok: true, value: result });
});

it.each([
  [{ readOnlyHint: true }, { kind: "query", retry: "safe" }],
  [{ idempotentHint: true }, { kind: "mutation", retry: "idempotent" }],
  [{ readOnlyHint: false }, { kind: "mutation", retry: "unsafe" }],
  [undefined, { kind: "mutation", retry: "unsafe" }],
])("a tool that claims %o is described as %o, with the error of a failure", async (annotations, expected) => {
  claims = annotations;
  const reply = await call("kernel.describe", { service: "far", procedure: "a__tool" });
  expect(reply).toMatchObject({
    ok: true,
    value: { procedures: [{ ...expected, name: "far.a__tool", errors: [{ code: "unknown", reason: "tool_failed" }] }] },
  });
});

const fail = (): never => {
  throw new Error("no list");
};

it.each([
  ["list", fail],
  ["find", fail],
  ["list", () => [null] as never],
] as const)(
  "a service whose `%s` throws is shown as degraded, and breaks no list, call or description of others",
  async (member, broken) => {
    const rude = defineService({ ...relaying, id: "rude" }, () => ({
      relay: {
        through: "pass",
        list: () => [],
        find: () => undefined,
        onChange: () => () => undefined,
        [member]: broken,
      },
      handlers: { pass: () => ({}) },
    }));
    const kernel = composeServices([rude, service]);
    const ask = (procedure: string, input: unknown) =>
      kernel.dispatch.call({ procedure, input, principal: localPrincipal, transport: "http" });
    await ask("rude.pass", { tool: "x", arguments: {} });
    await ask("far.pass", { tool: "x", arguments: {} });
    expect(kernel.catalog.relayed().map(({ procedure }) => procedure)).toEqual(["far.a__tool"]);
    expect(kernel.catalog.tool("a__tool")).toMatchObject({ procedure: "far.a__tool" });
    expect(kernel.catalog.find("rude.a__tool")).toBeUndefined();
    expect(await ask("far.a__tool", { result: { content: [] } })).toMatchObject({ ok: true });
    expect(await ask("rude.a__tool", {})).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect(await ask("rude.pass", { tool: "x", arguments: {} })).toMatchObject({ ok: true });
    expect(await ask("kernel.describe", { service: "rude" })).toMatchObject({ ok: true });
    const listed = await ask("kernel.services", {});
    expect(listed).toMatchObject({
      value: {
        services: expect.arrayContaining([
          expect.objectContaining({ id: "far", degraded: null }),
          expect.objectContaining({
            id: "rude",
            degraded: { why: expect.stringContaining("relay"), fix: "fix the service" },
          }),
        ]),
      },
    });
    await kernel.close();
  },
);
