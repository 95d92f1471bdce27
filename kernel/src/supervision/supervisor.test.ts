import { FairleadError } from "@fairlead/contracts";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as TestClock from "effect/testing/TestClock";
import { describe, expect, test } from "vitest";
import { fell, inStillTime, stage } from "../testing/supervised-children.ts";
import type { ChildSpec, StopFault } from "./child-spec.ts";
import type { Intensity } from "./child-state.ts";
import { nested } from "./nested.ts";
import { completeSettings } from "./settings.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";

const tags = (supervisor: Supervisor): string =>
  supervisor
    .children()
    .map(({ state }) => state.tag)
    .join(" ");

describe("a supervisor", () => {
  test("releases in reverse when its scope closes", async () => {
    const { journal, child } = stage();
    await inStillTime(
      Effect.gen(function* () {
        const supervisor = yield* makeSupervisor({ id: "top", children: ["a", "b", "c"].map((id) => child(id)) });
        supervisor.start();
        yield* supervisor.settled("c");
      }),
    );
    expect(journal).toEqual(["start a", "start b", "start c", "release c", "release b", "release a"]);
  });

  test("releases what a dead life held before it starts the next", async () => {
    const { journal, child, crash } = stage();
    await inStillTime(
      Effect.gen(function* () {
        const supervisor = yield* makeSupervisor({ id: "top", children: [child("a")] });
        supervisor.start();
        yield* supervisor.settled("a");
        yield* crash("a");
        yield* TestClock.adjust(0);
        expect(tags(supervisor)).toBe("Ready");
      }),
    );
    expect(journal).toEqual(["start a", "release a", "start a", "release a"]);
  });

  test("does not wait for a child that hangs in stopping, nor for one that hangs in starting", async () => {
    const { child } = stage();
    await inStillTime(
      Effect.gen(function* () {
        const hangsInStop = child("a", {
          shutdownMs: 200,
          start: Effect.as(
            Effect.addFinalizer(() => Effect.never),
            {},
          ),
        });
        const supervisor = yield* makeSupervisor({
          id: "top",
          children: [hangsInStop, child("b", { startMs: 1_000, start: Effect.never, restart: "temporary" })],
        });
        supervisor.start();
        yield* TestClock.adjust(1_000);
        expect(tags(supervisor)).toBe("Ready Failed");
        supervisor.stop("a");
        yield* TestClock.adjust(199);
        expect(tags(supervisor)).toBe("Draining Failed");
        yield* TestClock.adjust(1);
        expect(tags(supervisor)).toBe("Stopped Failed");
      }),
    );
  });

  test("a failed precondition, like a missing program, is not tried again until asked", async () => {
    let tries = 0;
    const start = Effect.suspend(() => {
      tries++;
      return Effect.fail(new FairleadError({ code: "failed_precondition", message: "not installed" }));
    });
    await inStillTime(
      Effect.gen(function* () {
        const supervisor = yield* makeSupervisor({ id: "top", children: [{ id: "a", start }] });
        supervisor.start();
        yield* TestClock.adjust(60_000);
        expect(supervisor.status("a")?.state).toMatchObject({ tag: "Failed", error: { message: "not installed" } });
        expect(tries).toBe(1);
        supervisor.restart("a");
        yield* TestClock.adjust(0);
        expect(tries).toBe(2);
      }),
    );
  });

  test("what is away for 1.5 seconds at start is back seconds later, by the rules of a service", async () => {
    const { rules } = completeSettings();
    await inStillTime(
      Effect.gen(function* () {
        const start = Effect.flatMap(Clock.currentTimeMillis, (at) =>
          at < 1_500 ? Effect.fail(fell) : Effect.succeed({}),
        );
        const supervisor = yield* makeSupervisor({ id: "top", children: [{ id: "a", start, rules }] });
        supervisor.start();
        yield* TestClock.adjust(5_000);
        expect(tags(supervisor)).toBe("Ready");
      }),
    );
  });

  test("a pause before a restart ends with the scope, so that nothing keeps the process alive", async () => {
    const sleeps = { begun: 0, ended: 0 };
    const start = Effect.fail(fell);
    const run = Effect.gen(function* () {
      const clock = yield* Clock.Clock;
      const { sleep } = clock;
      const end = Effect.sync(() => {
        sleeps.ended += 1;
      });
      Object.assign(clock, {
        sleep: (duration: Duration.Duration) => {
          sleeps.begun += 1;
          return Effect.ensuring(sleep.call(clock, duration), end);
        },
      });
      const supervisor = yield* makeSupervisor({ id: "top", children: [{ id: "a", start }] });
      supervisor.start();
      yield* TestClock.adjust(0);
      expect(tags(supervisor)).toBe("Backoff");
    });
    await inStillTime(run);
    expect(sleeps.begun).toBeGreaterThan(0);
    expect(sleeps.ended).toBe(sleeps.begun);
  });

  test("what is away for an hour is tried all the while, at most every 15 seconds in the end", async () => {
    const { rules } = completeSettings();
    const tries: number[] = [];
    await inStillTime(
      Effect.gen(function* () {
        const start = Effect.flatMap(Clock.currentTimeMillis, (at) => {
          tries.push(at);
          return Effect.fail(fell);
        });
        const supervisor = yield* makeSupervisor({ id: "top", children: [{ id: "a", start, rules }] });
        supervisor.start();
        yield* TestClock.adjust(3_600_000);
        expect(tags(supervisor)).toBe("Backoff");
      }),
    );
    const pauses = tries.slice(12).map((at, i) => at - (tries[i + 11] ?? 0));
    expect(pauses.length).toBeGreaterThan(100);
    for (const pause of pauses) {
      expect(pause).toBeGreaterThanOrEqual(15_000);
      expect(pause).toBeLessThanOrEqual(30_000);
    }
  });

  test("a start that cannot be interrupted is given up all the same, and what it acquires later is released", async () => {
    const faults: StopFault["kind"][] = [];
    const { journal } = stage();
    await inStillTime(
      Effect.gen(function* () {
        const opened = yield* Deferred.make<void>();
        const start = Effect.as(
          Effect.acquireRelease(Deferred.await(opened), () => Effect.sync(() => journal.push("release"))),
          {},
        );
        const supervisor = yield* makeSupervisor({
          id: "top",
          children: [
            {
              id: "a",
              start,
              restart: "temporary",
              startMs: 1_000,
              shutdownMs: 100,
              onStopFault: ({ kind }) => faults.push(kind),
            },
          ],
        });
        supervisor.start();
        yield* TestClock.adjust(1_100);
        expect(tags(supervisor)).toBe("Failed");
        expect(faults).toEqual(["deaf"]);
        yield* Deferred.succeed(opened, undefined);
        yield* TestClock.adjust(0);
        expect(journal).toEqual(["release"]);
      }),
    );
  });

  test("a start that takes long is reported once, and goes on", async () => {
    let reports = 0;
    await inStillTime(
      Effect.gen(function* () {
        const supervisor = yield* makeSupervisor({
          id: "top",
          children: [{ id: "a", start: Effect.delay(Effect.succeed({}), 20_000), onSlowStart: () => (reports += 1) }],
        });
        supervisor.start();
        yield* TestClock.adjust(4_999);
        expect(reports).toBe(0);
        yield* TestClock.adjust(15_000);
        expect(reports).toBe(1);
        yield* TestClock.adjust(1);
        expect(tags(supervisor)).toBe("Ready");
      }),
    );
  });

  test("the work of a child is drained before it is released, and children that need nothing of each other stop together", async () => {
    const { journal } = stage();
    const slow = (id: string, startAfter: readonly string[] = []): ChildSpec => ({
      id,
      rules: { startAfter },
      start: Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => journal.push(`release ${id}`))),
        {
          drain: Effect.andThen(
            Effect.sync(() => journal.push(`drain ${id}`)),
            Effect.delay(Effect.void, 1_000),
          ),
        },
      ),
    });
    await inStillTime(
      Effect.gen(function* () {
        const children = [slow("base"), slow("left", ["base"]), slow("right", ["base"])];
        const supervisor = yield* makeSupervisor({ id: "top", startup: "at-once", children });
        supervisor.start();
        yield* supervisor.settled("right");
        supervisor.stop();
        yield* TestClock.adjust(999);
        expect(journal).toEqual(["drain right", "drain left"]);
        yield* TestClock.adjust(1);
        expect(journal).toEqual(["drain right", "drain left", "release right", "release left", "drain base"]);
        yield* TestClock.adjust(1_000);
        expect(tags(supervisor)).toBe("Stopped Stopped Stopped");
      }),
    );
  });

  test("reports every change, and survives a listener that throws", async () => {
    const { child, crash } = stage();
    const seen: string[] = [];
    await inStillTime(
      Effect.gen(function* () {
        const supervisor = yield* makeSupervisor({ id: "top", children: [child("a")] });
        supervisor.onChange(() => {
          throw new Error("a listener's own trouble");
        });
        supervisor.onChange(({ from, state }) => seen.push(`${from}>${state.tag}`));
        supervisor.start();
        yield* supervisor.settled("a");
        yield* crash("a");
        yield* TestClock.adjust(0);
      }),
    );
    expect(seen).toEqual([
      "Stopped>Starting",
      "Starting>Ready",
      "Ready>Draining",
      "Draining>Backoff",
      "Backoff>Starting",
      "Starting>Ready",
      "Ready>Draining",
      "Draining>Stopped",
    ]);
  });

  test("a nested group that gives up is restarted by its parent, and shown below it", async () => {
    const { journal, child, crash } = stage();
    const once: Intensity = { restarts: 1, withinMs: 60_000 };
    await inStillTime(
      Effect.gen(function* () {
        const group = nested({
          id: "group",
          strategy: "one_for_all",
          intensity: once,
          children: [child("a"), child("b")],
        });
        const supervisor = yield* makeSupervisor({ id: "top", children: [group] });
        supervisor.start();
        yield* TestClock.adjust(0);
        expect(supervisor.status("group")?.children?.map(({ id, state }) => `${id} ${state.tag}`)).toEqual([
          "a Ready",
          "b Ready",
        ]);
        yield* crash("a");
        yield* TestClock.adjust(0);
        yield* crash("a");
        yield* TestClock.adjust(0);
        expect(tags(supervisor)).toBe("Ready");
        expect(supervisor.status("group")?.restarts).toBe(1);
      }),
    );
    expect(journal.filter((line) => line === "start a")).toHaveLength(3);
  });
});
