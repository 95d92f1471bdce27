/**
 * What the bridge costs: a round trip over `Subprocess` against a bare pipe to the same child, and requests a second when many
 * are under way. The child echoes lines and does nothing else.
 */
import { spawn } from "node:child_process";
import { lineProtocol, makeSubprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";

const calls = 8_000;
export const echo = `
process.stdout.write('{"fairlead":"echo","versions":[1]}\\n');
let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  let out = "";
  for (const line of lines) {
    const { id } = JSON.parse(line);
    if (id !== undefined) out += '{"id":' + id + ',"ok":true,"value":1}\\n';
  }
  process.stdout.write(out);
}).on("end", () => process.exit(0));
`;

export type Send = () => Promise<unknown>;

/** The least a parent can do: write a line, wait for a line. */
export const barePipe = async (): Promise<{ readonly send: Send; readonly close: () => void }> => {
  const child = spawn(process.execPath, ["-e", echo], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting: (() => void)[] = [];
  let id = 0;
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      JSON.parse(line);
      waiting.shift()?.();
    }
  });
  await new Promise<void>((resolve) => waiting.push(resolve));
  const send: Send = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      child.stdin.write(`${JSON.stringify({ id: ++id, call: "echo" })}\n`);
    });
  return { send, close: () => child.stdin.end() };
};

/** Microseconds of the fastest and the median round trip, one after the other. */
const oneByOne = async (send: Send): Promise<{ readonly least: number; readonly median: number }> => {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const started = process.hrtime.bigint();
    await send();
    times.push(Number(process.hrtime.bigint() - started) / 1_000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { least: sorted[0] ?? 0, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
};

/** Requests a second with 128 under way. */
const pipelined = async (send: Send): Promise<number> => {
  const total = calls * 5;
  let left = total;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: 128 }, worker));
  return Math.round(total / ((performance.now() - started) / 1_000));
};

const report = async (name: string, send: Send): Promise<number> => {
  await oneByOne(send);
  const { least, median } = await oneByOne(send);
  const rate = await pipelined(send);
  process.stdout.write(
    `${name.padEnd(12)} least ${least.toFixed(1)} us, median ${median.toFixed(1)} us, ${rate} requests a second\n`,
  );
  return least;
};

export const benchBridge = async (): Promise<void> => {
  const bare = await barePipe();
  const floor = await report("bare pipe", bare.send);
  bare.close();
  await Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const subprocess = yield* makeSubprocess({
          name: "echo",
          command: process.execPath,
          args: ["-e", echo],
          cwd: process.cwd(),
          dialect: lineProtocol({ protocol: "echo", versions: [1], inFlight: 256 }),
        });
        yield* Effect.promise(() => subprocess.start());
        const body = { call: "echo" };
        const bridged = yield* Effect.promise(() => report("subprocess", () => subprocess.ask(body)));
        process.stdout.write(`ratio        ${(bridged / floor).toFixed(2)} (of the least round trips)\n`);
      }),
    ),
  );
};
