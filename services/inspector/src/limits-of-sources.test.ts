/** Every limit of the service's configuration holds wherever the objects are: in the world, in this process, in another one. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runToEnd } from "@fairlead/linq";
import { defaultLimits, type Limits } from "@fairlead/linq/limits";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerCall } from "./answer/answer.ts";
import { Inspection } from "./answer/inspection.ts";
import { SliceClock } from "./answer/slice-clock.ts";
import { type InspectionHandle, inspect } from "./host.ts";
import { type ToolAnswer, toAnswer } from "./protocol/backend.ts";
import type { ToolName } from "./protocol/message.ts";
import { RegisteredRoots } from "./registered/registered-roots.ts";
import { RemoteProcess } from "./remote/remote-process.ts";
import { createWorld } from "./world/world.ts";

type Ask = (limits: Limits, tool: ToolName, input: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;

const { signal } = new AbortController();
const Entities = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `e${id}`, level: id % 100 }));

let named: InspectionHandle;
let child: ChildProcess;
let address: string;
beforeAll(async () => {
  named = inspect({ Entities });
  const program = fileURLToPath(new URL("./testing/child.ts", import.meta.url));
  child = spawn(process.execPath, ["--inspect=127.0.0.1:0", "--conditions=@fairlead/source", program]);
  const found = Promise.withResolvers<string>();
  const ready = Promise.withResolvers<void>();
  let text = "";
  child.stderr?.on("data", (chunk) => {
    text += String(chunk);
    const at = /ws:\/\/([\d.]+:\d+)\//.exec(text)?.[1];
    if (at !== undefined) found.resolve(at);
  });
  child.stdout?.on("data", (chunk) => {
    if (String(chunk).includes("ready")) ready.resolve();
  });
  await ready.promise;
  address = await found.promise;
});
afterAll(() => {
  named.close();
  child.kill("SIGKILL");
});

const askProcess = async (
  limits: Limits,
  roots: Readonly<Record<string, string>> | undefined,
  ...[tool, input]: readonly [ToolName, Readonly<Record<string, unknown>>]
): Promise<ToolAnswer> => {
  const remote = new RemoteProcess({ address, timeoutMs: 60_000, limits, roots });
  try {
    return await remote.ask(tool, input, signal);
  } finally {
    await remote.close();
  }
};

const sources: Readonly<Record<string, Ask>> = {
  simulated: (limits, tool, input) => {
    const world = createWorld({ seed: 1, entities: 1_000, limits, now: () => 0 });
    const inspection = new Inspection({ ...world, limits, elapsed: () => performance.now() });
    return Promise.resolve(
      toAnswer(
        runToEnd(
          answerCall(inspection, { id: 0, tool, input }, { names: { estimatedMs: 0 }, clock: new SliceClock() }),
        ),
      ),
    );
  },
  registered: (limits, tool, input) =>
    new RegisteredRoots({ limits, wallMs: 60_000, holdMs: 60_000, sliceMs: 50 }).ask(tool, input, signal),
  "process that named its roots": (limits, tool, input) => askProcess(limits, undefined, tool, input),
  "process with configured roots": (limits, tool, input) =>
    askProcess(limits, { Entities: "Array.from({ length: 5000 }, (_, id) => ({ id }))" }, tool, input),
};

const problem = (code: string): unknown => ({ kind: "problem", problem: expect.objectContaining({ code }) });

const cases: readonly (readonly [keyof Limits, number, ToolName, object, unknown])[] = [
  ["textBytes", 3, "eval", { expr: "1 + 1" }, problem("too_long")],
  ["depth", 3, "eval", { expr: "((((1))))" }, problem("too_deep")],
  ["fuelPerRow", 100, "query", { from: "Entities", where: "Entities.Any(false)" }, problem("fuel_exhausted")],
  ["fuelPerQuery", 100, "query", { from: "Entities", where: "false" }, problem("fuel_exhausted")],
  ["stringLength", 10, "eval", { expr: '"x".PadLeft(11)' }, problem("text_too_long")],
  ["items", 100, "eval", { expr: "Entities.ToList().Count()" }, problem("too_many_items")],
  [
    "resultRows",
    2,
    "query",
    { from: "Entities", select: "1", take: 50 },
    { kind: "value", value: expect.objectContaining({ count: 2 }) },
  ],
  ["resultBytes", 400, "eval", { expr: "Entities", depth: 2 }, problem("result_too_large")],
  ["resultBytes", 400, "explore", { target: "Entities", limit: 50 }, problem("result_too_large")],
  ["resultBytes", 60, "explore", { target: "Entities", limit: 1, depth: 2 }, problem("result_too_large")],
  ["resultBytes", 20, "explore", { target: "" }, problem("result_too_large")],
  ["resultBytes", 20, "explore", { target: "search:*" }, problem("result_too_large")],
  ["wallMs", 1, "eval", { expr: "Entities.Any(Entities.Any(Entities.Any(false)))" }, problem("deadline")],
];

describe.each(Object.entries(sources))("%s", (_, ask) => {
  test.each(cases)("%s %d: %s %j", async (limit, low, tool, input, met) => {
    const looking = tool === "explore" ? { depth: 1, includePrivate: true, limit: 50, offset: 0 } : { depth: 2 };
    const fuel = limit === "wallMs" ? { fuelPerRow: 1_000_000_000, fuelPerQuery: 10_000_000_000 } : {};
    const limits = { ...defaultLimits, wallMs: 60_000, ...fuel, [limit]: low };
    expect(await ask(limits, tool, { ...looking, ...input })).toEqual(met);
  });
});
