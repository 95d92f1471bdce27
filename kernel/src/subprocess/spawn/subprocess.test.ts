import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { afterEach, describe, expect, test } from "vitest";
import { crashStorm } from "../../testing/crash-storm.ts";
import { actor, actorInTurn, call, lives, until } from "../../testing/stage.fixture.ts";
import { lineProtocol } from "../protocol/dialect.ts";
import type { SubprocessSpec } from "../protocol/spec.ts";
import { makeSubprocess, type Subprocess, type Supervision } from "./subprocess.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const scopes: Scope.Closeable[] = [];

const make = async (spec: SubprocessSpec, supervision: Supervision = {}): Promise<Subprocess> => {
  const scope = await Effect.runPromise(Scope.make());
  scopes.push(scope);
  return Effect.runPromise(Effect.provideService(makeSubprocess(spec, supervision), Scope.Scope, scope));
};

const closeAll = async (): Promise<void> => {
  await Promise.all(scopes.splice(0).map((scope) => Effect.runPromise(Scope.close(scope, Exit.void))));
};

afterEach(closeAll);

const pidOf = (subprocess: Subprocess): number => subprocess.pid() ?? 0;

describe("a subprocess", () => {
  test("is started by its first request, and gone when its scope closes", async () => {
    const subprocess = await make(actor());
    expect(subprocess.status().state.tag).toBe("Stopped");
    expect(await subprocess.ask(call("echo", { a: 1 }))).toMatchObject({ value: { a: 1 } });
    const pid = pidOf(subprocess);
    expect(lives(pid)).toBe(true);
    await closeAll();
    expect(lives(pid)).toBe(false);
  });

  test("killed in the middle of a call: that call fails at once, the next one works", async () => {
    const subprocess = await make(actor());
    await subprocess.start();
    const pending = subprocess.ask(call("silence"));
    process.kill(pidOf(subprocess), "SIGKILL");
    await expect(pending).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("SIGKILL"),
      hint: expect.any(String),
    });
    expect(await subprocess.ask(call("echo", { again: true }))).toMatchObject({ value: { again: true } });
    expect(subprocess.status().restarts).toBe(1);
  });

  if (inLongTier) {
    test("a request after a timeout meets a new child, never the old answer", async () => {
      const subprocess = await make(actorInTurn([], { unresponsiveMs: 300 }));
      await subprocess.start();
      const before = pidOf(subprocess);
      const late = subprocess.ask(call("late", { mark: "old", ms: 60_000 }), { timeoutMs: 200 });
      await expect(late).rejects.toMatchObject({ code: "deadline_exceeded" });
      expect(await subprocess.ask(call("echo", { mark: "new" }))).toMatchObject({ value: { mark: "new" } });
      expect(pidOf(subprocess)).not.toBe(before);
    });

    test("callers with short deadlines harm neither the child nor each other", async () => {
      const subprocess = await make(actor());
      await subprocess.start();
      const pid = pidOf(subprocess);
      const short = Array.from({ length: 6 }, () => subprocess.ask(call("silence"), { timeoutMs: 50 }));
      const long = subprocess.ask(call("late", { mark: "long", ms: 300 }), { timeoutMs: 60_000 });
      const ends = await Promise.allSettled(short);
      expect(ends.map((end) => end.status === "rejected" && end.reason.code)).toEqual(
        Array.from({ length: 6 }, () => "deadline_exceeded"),
      );
      expect(await long).toMatchObject({ value: "long" });
      expect(pidOf(subprocess)).toBe(pid);
      expect(subprocess.status()).toMatchObject({ state: { tag: "Ready" }, restarts: 0 });
    });

    test("a child that honours a cancel by silence is not killed", async () => {
      const subprocess = await make(actor([], { unresponsiveMs: 5_000 }));
      await subprocess.start();
      const pid = pidOf(subprocess);
      await expect(subprocess.ask(call("silence"), { timeoutMs: 20 })).rejects.toMatchObject({
        code: "deadline_exceeded",
      });
      await until(() => subprocess.busy() === 0);
      expect(pidOf(subprocess)).toBe(pid);
    });
  }

  test("a silent child is killed, its callers hear so, and what it was never sent goes to the next", async () => {
    const spec = actor([], {
      dialect: lineProtocol({ protocol: "actor", versions: [1], inFlight: 2 }),
      unresponsiveMs: 200,
    });
    const subprocess = await make(spec, { intensity: { restarts: 0, withinMs: 60_000 } });
    await subprocess.start();
    const before = pidOf(subprocess);
    const short = subprocess.ask(call("busy", { ms: 60_000 }), { timeoutMs: 50 });
    const neighbour = subprocess.ask(call("echo"), { timeoutMs: 60_000 });
    const unsent = subprocess.ask(call("echo", { mark: "carried" }), { timeoutMs: 60_000 });
    await expect(short).rejects.toMatchObject({
      code: "deadline_exceeded",
      message: expect.stringMatching(/within \d+ ms/),
    });
    await expect(neighbour).rejects.toMatchObject({ code: "unavailable", retryable: true, sent: true });
    expect(await unsent).toMatchObject({ value: { mark: "carried" } });
    expect(pidOf(subprocess)).not.toBe(before);
    // Its intensity allows no restart at all: a caller's deadline does not count in it.
    expect(subprocess.status().state.tag).toBe("Ready");
  });

  if (inLongTier) {
    test("reports why it does not start after the first try, though it goes on trying", async () => {
      const subprocess = await make(actor(["start=exit"]));
      await expect(subprocess.start()).rejects.toMatchObject({
        message: expect.stringContaining("exited with code 7"),
      });
      expect(subprocess.status().restarts).toBe(1);
    });

    test("reports its changes as events, and failures in the log", async () => {
      const states: unknown[] = [];
      const lines: string[] = [];
      const tell = {
        event: (type: string, data: Readonly<Record<string, unknown>>) =>
          void states.push([type, data.child, data.state]),
        log: (level: string, message: string, fields: object = {}) =>
          void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
      };
      const subprocess = await make(actor(), { reporter: tell });
      await subprocess.start();
      await subprocess.ask(call("kill")).catch(() => undefined);
      await subprocess.ask(call("count"));
      const expected = ["Starting", "Ready", "Draining", "Backoff", "Starting", "Ready"];
      expect(states).toEqual(expected.map((state) => ["child.state", "actor", state]));
      expect(lines).toEqual([expect.stringMatching(/^warn actor ended .*SIGKILL/)]);
    });
  }

  test("prepares every run before it takes requests", async () => {
    const spec = actor([], { prepare: async (ask) => void (await ask(call("count"))) });
    const subprocess = await make(spec);
    expect(await subprocess.ask(call("count"))).toMatchObject({ value: 2 });
    await subprocess.restart();
    expect(await subprocess.ask(call("count"))).toMatchObject({ value: 2 });
  });

  test("that cannot start says so at once, and starts when it is fixed and asked again", async () => {
    const subprocess = await make(actor([], { command: "no-such-program", hint: "install it" }));
    const expected = {
      code: "failed_precondition",
      message: expect.stringContaining("no-such-program"),
      hint: expect.stringContaining("install it"),
    };
    await expect(subprocess.ask(call("echo"))).rejects.toMatchObject(expected);
    expect(subprocess.status().state.tag).toBe("Failed");
    await expect(subprocess.ask(call("echo"))).rejects.toMatchObject(expected);
    await expect(subprocess.start()).rejects.toMatchObject(expected);
  });

  if (inLongTier) {
    test("stays stopped after requests had waited for its start", async () => {
      const subprocess = await make(actor());
      await Promise.all([subprocess.ask(call("echo")), subprocess.ask(call("echo"))]);
      await subprocess.stop();
      expect(subprocess.status().state.tag).toBe("Stopped");
    });

    test("stops and starts as often as asked", async () => {
      const subprocess = await make(actor());
      await subprocess.stop();
      await Promise.all([subprocess.start(), subprocess.start()]);
      const pid = pidOf(subprocess);
      await Promise.all([subprocess.stop(), subprocess.stop()]);
      expect(lives(pid)).toBe(false);
      expect(await subprocess.ask(call("echo"))).toMatchObject({ ok: true });
    });
  }

  test("a request does not wait longer than it wants for a start, nor after it is given up", async () => {
    const subprocess = await make(actor(["start=mute"]));
    await expect(subprocess.ask(call("echo"), { timeoutMs: 50 })).rejects.toMatchObject({
      code: "deadline_exceeded",
      fault: { where: "start" },
      sent: false,
    });
    const stop = new AbortController();
    const pending = subprocess.ask(call("echo"), { signal: stop.signal });
    stop.abort();
    await expect(pending).rejects.toMatchObject({ code: "canceled" });
  });
});

/** A hundredth of what the soak does, and a sample. */
const deaths = inLongTier ? 100 : 5;

test("a storm of crashes leaves no zombie and no open file, and the intensity is honoured", async () => {
  expect(await crashStorm(deaths)).toEqual({ deaths, calmAnswers: Math.floor(deaths / 50), lastState: "Failed" });
});
