/** A child that dies at each request, beside a calm one: what is left of many deaths. For tests; not part of the kernel. */
import { readdirSync, readFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { Message } from "../subprocess/protocol/line.ts";
import { makeSubprocess } from "../subprocess/spawn/subprocess.ts";
import { actor, call, until } from "./stage.fixture.ts";

interface CrashStorm {
  /** Requests that failed with the exit code of the child. */
  readonly deaths: number;
  /** Answers of the calm child, one after every fiftieth death. */
  readonly calmAnswers: number;
  /** State of the dying child when it has died more often than it may. */
  readonly lastState: string;
}

/** Resolves once no more zombies and descriptors are left than before; rejects after a minute in which there were. */
export const crashStorm = async (count: number): Promise<CrashStorm> => {
  const scope = await Effect.runPromise(Scope.make());
  const make = (...args: Parameters<typeof makeSubprocess>) =>
    Effect.runPromise(Effect.provideService(makeSubprocess(...args), Scope.Scope, scope));
  const calm = await make(actor([], { name: "calm" }));
  await calm.start();
  const filesBefore = countFiles();
  const zombiesBefore = countZombies();
  const script = `echo '{"fairlead":"actor","versions":[1]}'; read -r line; exit 9`;
  const stormy = await make(actor([], { command: "sh", args: ["-c", script], name: "stormy" }), {
    intensity: { restarts: count, withinMs: 24 * 3_600_000 },
    backoff: { baseMs: 1, capMs: 1, healthyMs: 24 * 3_600_000 },
  });
  const die = (): Promise<unknown> =>
    stormy.ask(call("die")).then(
      () => "answered",
      (cause: { readonly fault?: { readonly exit?: { readonly code?: number } } }) => cause.fault?.exit?.code,
    );
  let deaths = 0;
  let calmAnswers = 0;
  for (let at = 1; at <= count; at += 1) {
    if ((await die()) === 9) deaths += 1;
    if (at % 50 === 0 && isEcho(await calm.ask(call("echo", { at })), at)) calmAnswers += 1;
  }
  await die();
  await until(() => stormy.status().state.tag === "Failed");
  await until(() => countZombies() <= zombiesBefore && countFiles() <= filesBefore);
  const lastState = stormy.status().state.tag;
  await Effect.runPromise(Scope.close(scope, Exit.void));
  return { deaths, calmAnswers, lastState };
};

const isEcho = ({ value }: Message, at: number): boolean => JSON.stringify(value) === JSON.stringify({ at });

const countFiles = (): number => readdirSync("/proc/self/fd").length;

const countZombies = (): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOurZombie(Number(name))).length;

const isOurZombie = (pid: number): boolean => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return /^State:\s+Z/m.test(status) && status.includes(`PPid:\t${process.pid}\n`);
  } catch {
    return false;
  }
};
