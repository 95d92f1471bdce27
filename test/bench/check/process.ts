/** Measures what needs no server, one side each time it is asked, in microseconds of this thread's CPU for one operation. */
import { defineContract, query } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import { lineProtocol, makeSubprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import * as z from "zod";
import { barePipe, echo as echoProgram } from "../bridge.ts";
import { echoSchema, echoValue, sumInput, sumOutput, sumValue } from "../payload.ts";
import type { ProcessSide } from "./rows.ts";

interface Measured {
  readonly times: number;
  readonly once: () => unknown;
}

const contract = defineContract({
  id: "bench",
  version: "1.0.0",
  summary: "Answers benches.",
  procedures: {
    sum: query({ summary: "Adds.", input: sumInput, output: sumOutput }),
    echo: query({ summary: "Gives back.", input: echoSchema, output: echoSchema }),
  },
});

const inProcess = () => {
  const kernel = openMemoryKernel([
    defineService(contract, () => ({ handlers: { sum: ({ a, b }) => ({ sum: a + b }), echo: (value) => value } })),
  ]);
  const schema = z.compile(echoSchema);
  return {
    zod: () => z.parse(schema, z.parse(schema, echoValue)),
    sum: () => kernel.call("bench.sum", sumValue),
    echo: () => kernel.call("bench.echo", echoValue),
  };
};

const openBridge = async (): Promise<() => Promise<unknown>> => {
  const subprocess = await Effect.runPromise(
    Scope.provide(
      makeSubprocess({
        name: "echo",
        command: process.execPath,
        args: ["-e", echoProgram],
        cwd: process.cwd(),
        dialect: lineProtocol({ protocol: "echo", versions: [1], inFlight: 256 }),
      }),
      Scope.makeUnsafe(),
    ),
  );
  await subprocess.start();
  const body = { call: "echo" };
  return () => subprocess.ask(body);
};

const inspected = 100_000;

/** What is taken of the inspector's bench, which is no part of this package and is loaded by its path. */
interface InspectorBench {
  readonly contenders: Readonly<
    Record<
      string,
      (rows: readonly unknown[]) => Promise<{ readonly rows: readonly unknown[]; run(name: string): unknown }>
    >
  >;
  readonly entities: (count: number) => readonly unknown[];
  readonly workloads: Readonly<Record<string, { loop(rows: readonly unknown[]): unknown }>>;
}

const load = (name: string): Promise<Partial<InspectorBench>> =>
  import(new URL(`../../../services/inspector/bench/${name}.ts`, import.meta.url).href);

const openInspector = async () => {
  const { contenders, entities, workloads } = { ...(await load("contenders")), ...(await load("workloads")) };
  const make = contenders?.["fairlead, undeclared"];
  const workload = workloads?.B;
  if (make === undefined || entities === undefined || workload === undefined)
    throw new Error("the inspector's bench has no undeclared rows, or no workload B, any more");
  const { rows, run } = await make(entities(inspected));
  return { loop: () => workload.loop(rows), question: () => run("B") };
};

const calls = inProcess();
/** Opened when they are first asked for, so that the first round, which does not count, pays for it. */
const open: Readonly<Record<ProcessSide, () => Promise<Measured>>> = {
  "zod echo": async () => ({ times: 20_000, once: calls.zod }),
  "dispatch sum": async () => ({ times: 10_000, once: calls.sum }),
  "dispatch echo": async () => ({ times: 5_000, once: calls.echo }),
  "bare pipe": async () => ({ times: 1_500, once: (await barePipe()).send }),
  bridge: async () => ({ times: 1_500, once: await openBridge() }),
  loop: async () => ({ times: 40, once: (await inspector()).loop }),
  question: async () => ({ times: 4, once: (await inspector()).question }),
};

let opened: ReturnType<typeof openInspector> | undefined;
const inspector = (): ReturnType<typeof openInspector> => {
  opened ??= openInspector();
  return opened;
};

const sides = new Map<string, Measured>();

const measure = async (side: ProcessSide): Promise<number> => {
  const { times, once } = sides.get(side) ?? (await open[side]());
  sides.set(side, { times, once });
  globalThis.gc?.();
  const before = process.threadCpuUsage();
  for (let index = 0; index < times; index += 1) {
    const pending = once();
    if (pending instanceof Promise) await pending;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / times;
};

process.on("message", (side) => void measure(side as ProcessSide).then((micros) => process.send?.(micros)));
process.once("disconnect", () => process.exit());
