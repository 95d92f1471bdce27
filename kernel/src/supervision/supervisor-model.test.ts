import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as Scope from "effect/Scope";
import * as TestClock from "effect/testing/TestClock";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { roll, stage, still } from "../testing/supervised-children.ts";
import type { Intensity, StateTag } from "./child-state.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";

/** The same supervisor in three lines of arithmetic a child: what the model expects is computed without looking at ours. */
interface Model {
  at: number;
  readonly children: Map<string, { tag: StateTag; attempt: number; until: number; readyAt: number; recent: number[] }>;
}

interface Real {
  readonly supervisor: Supervisor;
  readonly crash: (id: string) => Effect.Effect<void>;
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>;
}

const intensity: Intensity = { restarts: 4, withinMs: 30_000 };
const backoff = { baseMs: 100, capMs: 3_000, healthyMs: 10_000 };

const compare = async (model: Model, real: Real): Promise<void> => {
  await real.run(TestClock.adjust(0));
  for (const [id, { tag, until }] of model.children) {
    const state = real.supervisor.status(id)?.state;
    expect(`${id} ${state?.tag}`).toBe(`${id} ${tag}`);
    if (state?.tag === "Backoff") expect(state.until).toBe(until);
  }
};

const command = (
  name: string,
  act: (model: Model, real: Real) => Effect.Effect<void>,
): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run: async (model, real) => {
    await real.run(act(model, real));
    await compare(model, real);
  },
  toString: () => name,
});

const childOf = (model: Model, id: string) => {
  const child = model.children.get(id);
  if (child === undefined) throw new Error(`no child ${id}`);
  return child;
};

const crashCommand = (id: string) =>
  command(`crash ${id}`, (model, { crash }) => {
    const child = childOf(model, id);
    if (child.tag !== "Ready") return Effect.void;
    child.recent = child.recent.filter((time) => model.at - time < intensity.withinMs);
    if (model.at - child.readyAt >= backoff.healthyMs) child.attempt = 0;
    if (child.recent.length >= intensity.restarts) child.tag = "Failed";
    else {
      const cap = child.attempt === 0 ? 0 : Math.min(backoff.capMs, backoff.baseMs * 2 ** (child.attempt - 1));
      const pause = Math.floor(cap * roll);
      child.recent.push(model.at);
      child.attempt++;
      child.until = model.at + pause;
      child.tag = pause === 0 ? "Ready" : "Backoff";
      child.readyAt = model.at;
    }
    return crash(id);
  });

const passCommand = (ms: number) =>
  command(`pass ${ms}`, (model) => {
    model.at += ms;
    for (const child of model.children.values()) {
      if (child.tag === "Backoff" && child.until <= model.at) {
        child.tag = "Ready";
        child.readyAt = child.until;
      }
    }
    return TestClock.adjust(ms);
  });

const askCommand = (verb: "start" | "stop" | "restart", id: string) =>
  command(`${verb} ${id}`, (model, { supervisor }) => {
    const child = childOf(model, id);
    if (verb === "stop") child.tag = "Stopped";
    else {
      if (verb === "restart" || child.tag !== "Ready") child.readyAt = model.at;
      child.tag = "Ready";
      child.attempt = 0;
      child.recent = [];
    }
    return Effect.sync(() => supervisor[verb](id));
  });

test("any history of crashes, pauses and wishes goes as the model says", async () => {
  const ids = ["a", "b"];
  const id = fc.constantFrom(...ids);
  const commands = fc.commands(
    [
      id.map(crashCommand),
      id.map(crashCommand),
      id.map(crashCommand),
      fc.constantFrom(1, 74, 75, 76, 300, 2_250, 9_999, 10_000, 31_000).map(passCommand),
      id.map((name) => askCommand("start", name)),
      id.map((name) => askCommand("stop", name)),
      id.map((name) => askCommand("restart", name)),
    ],
    { maxCommands: 40 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const runtime = ManagedRuntime.make(still);
      const context = await runtime.context();
      const run = <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromiseWith(context)(effect);
      const scope = await run(Scope.make());
      const { child, crash } = stage();
      const supervisor = await run(
        Effect.provideService(
          makeSupervisor({ id: "top", intensity, backoff, children: ids.map((name) => child(name)) }),
          Scope.Scope,
          scope,
        ),
      );
      supervisor.start();
      const children: Model["children"] = new Map(
        ids.map((name) => [name, { tag: "Ready", attempt: 0, until: 0, readyAt: 0, recent: [] }]),
      );
      try {
        await fc.asyncModelRun(() => ({ model: { at: 0, children }, real: { supervisor, crash, run } }), list);
      } finally {
        await run(Scope.close(scope, Exit.void));
        await runtime.dispose();
      }
    }),
    { numRuns: 120 },
  );
});
