/**
 * What execa does for a process by itself, beside what the kernel does: a start, a stop, a kernel that is killed, and what is left of
 * the process's descendants. The reasons of ADR 0112.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { lineProtocol, makeSubprocess, runToEnd } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import { execa } from "execa";

const line = (name: string, text: string): void => void process.stdout.write(`${name.padEnd(44)}${text}\n`);

const median = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)} ms`;
};

const timed = async (run: () => Promise<unknown>, rounds = 50): Promise<string> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return median(times);
};

/** Processes that have this mark in their environment. */
const marked = (mark: string): number =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
    } catch {
      return false;
    }
  }).length;

/** A shell whose child ignores SIGTERM: it has left the pipes, or holds them. */
const apart = "(trap '' TERM; echo up; exec sleep 30 >/dev/null 2>&1 </dev/null) & wait";
const holding = "(trap '' TERM; echo up; exec sleep 30) & wait";

const leftAfterExeca = async (script: string): Promise<string> => {
  const mark = randomUUID();
  const child = execa("sh", ["-c", script], {
    ...{ env: { MARK: mark }, reject: false, buffer: false, stdin: "pipe" },
    ...{ killDescendants: true, forceKillAfterDelay: 500 },
  });
  await once(child.stdout, "data");
  const started = performance.now();
  child.kill();
  await child;
  const took = performance.now() - started;
  await pause(1_000);
  const left = marked(mark);
  spawnSync("pkill", ["-KILL", "-g", String(child.pid)]);
  return `${took.toFixed(0)} ms, ${left} left a second later`;
};

const leftAfterKernel = async (script: string): Promise<string> => {
  const mark = randomUUID();
  const controller = new AbortController();
  let started = 0;
  await runToEnd({
    ...{ command: "sh", args: ["-c", script], cwd: "/", env: { set: { MARK: mark } } },
    ...{ timeLimitMs: 60_000, termMs: 500, outputBytes: 1_000, signal: controller.signal },
    onStdout: () => {
      started = performance.now();
      controller.abort();
    },
  });
  return `${(performance.now() - started).toFixed(0)} ms, ${marked(mark)} left`;
};

/** Kills a parent that runs `sleep` by this code, and counts what is left. */
const leftAfterKill = async (code: (mark: string) => string): Promise<string> => {
  const mark = randomUUID();
  const flags = ["--conditions=@fairlead/source", "--input-type=module", "-e", code(mark)];
  const parent: ChildProcess = spawn(process.execPath, flags, { stdio: ["ignore", "inherit", "inherit"] });
  while (marked(mark) === 0) await pause(20);
  await pause(200);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await pause(1_000);
  const left = marked(mark);
  if (left > 0) spawnSync("pkill", ["-KILL", "-f", "sleep 61"]);
  return `${left} left a second later`;
};

const ipcChild = `
import { getEachMessage, sendMessage, getCancelSignal } from "execa";
const signal = await getCancelSignal();
signal.addEventListener("abort", () => process.exit(0));
for await (const { id } of getEachMessage()) await sendMessage({ id, ok: true, value: 1 });
`;
const lineChild = `
process.stdout.write('{"fairlead":"echo","versions":[1]}\\n');
process.stdin.on("data", () => {}).on("end", () => process.exit(0));
`;

const cancelByExeca = async (): Promise<string> => {
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const controller = new AbortController();
    const child = execa(process.execPath, ["--input-type=module", "-e", ipcChild], {
      ...{ ipc: true, gracefulCancel: true, cancelSignal: controller.signal, reject: false, cwd: process.cwd() },
    });
    await child.sendMessage({ id: 1 });
    await child.getOneMessage();
    const started = performance.now();
    controller.abort();
    await child;
    times.push(performance.now() - started);
  }
  return median(times);
};

const stopByKernel = (): Promise<string> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const times: number[] = [];
        const subprocess = yield* makeSubprocess({
          ...{ name: "echo", command: process.execPath, args: ["-e", lineChild], cwd: process.cwd() },
          dialect: lineProtocol({ protocol: "echo", versions: [1] }),
        });
        for (let round = 0; round < 10; round++) {
          yield* Effect.promise(() => subprocess.start());
          const started = performance.now();
          yield* Effect.promise(() => subprocess.stop());
          times.push(performance.now() - started);
        }
        return median(times);
      }),
    ),
  );

export const benchProcesses = async (): Promise<void> => {
  if (!existsSync("/proc/self/environ")) return line("processes", "needs /proc");
  const command = { command: "true", args: [], cwd: "/", timeLimitMs: 10_000, outputBytes: 1_000 };
  line("`true` to its end, child_process", await timed(() => once(spawn("true"), "close")));
  line("`true` to its end, execa", await timed(() => execa("true")));
  line("`true` to its end, the kernel", await timed(() => runToEnd(command)));
  line("a graceful end, execa (Node, IPC)", await cancelByExeca());
  line("a graceful end, the kernel (any program)", await stopByKernel());
  line("a descendant ignores SIGTERM, execa", await leftAfterExeca(apart));
  line("a descendant ignores SIGTERM, the kernel", await leftAfterKernel(apart));
  line("and holds the output, execa", await leftAfterExeca(holding));
  line("and holds the output, the kernel", await leftAfterKernel(holding));
  const byExeca = (mark: string) =>
    `import { execa } from "execa"; await execa("sleep", ["61"], { env: { MARK: "${mark}" }, killDescendants: true });`;
  const byKernel = (mark: string) => `
    import { runToEnd } from "@fairlead/kernel/subprocess";
    await runToEnd({ command: "sleep", args: ["61"], cwd: "/", env: { set: { MARK: "${mark}" } }, timeLimitMs: 1e5, outputBytes: 9 });`;
  line("SIGKILL of the parent, execa", await leftAfterKill(byExeca));
  line("SIGKILL of the parent, the kernel", await leftAfterKill(byKernel));
};
