/** Real processes that speak JSON in lines. */
import { readdirSync, readFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { describe, expect, it } from "vitest";
import { type LineProcessSpec, startLineProcess } from "./line-process.ts";

const echo = `process.stdin.setEncoding("utf8");let rest="";process.stdin.on("data",(t)=>{rest+=t;const lines=rest.split("\\n");rest=lines.pop();for(const l of lines)console.log(l)})`;

let marks = 0;

const start = async (script: string, more: Partial<LineProcessSpec> = {}) => {
  const messages: unknown[] = [];
  marks += 1;
  const mark = `line-process-test-${process.pid}-${marks}`;
  const spec: LineProcessSpec = {
    name: "test",
    command: process.execPath,
    args: ["-e", script],
    cwd: process.cwd(),
    env: { set: { MARK: mark } },
    onMessage: (message) => messages.push(message),
    ...more,
  };
  const scope = Scope.makeUnsafe();
  const child = await Effect.runPromise(Scope.provide(startLineProcess(spec), scope));
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void));
  return { child, stop, messages, alive: () => marked(mark) };
};

/** Whether a process that carries the mark in its environment still runs; the dead have no environment. */
const marked = (mark: string): boolean =>
  readdirSync("/proc").some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });

describe("a line process", () => {
  it("gets and gives messages, and is gone when stopped", async () => {
    const { child, stop, messages, alive } = await start(`console.log("noise");${echo}`);
    expect(child.send({ hello: 1 })).toBe("sent");
    await expect.poll(() => messages).toEqual([{ hello: 1 }]);
    await stop();
    expect(alive()).toBe(false);
    expect(child.send({})).toBe("closed");
  });

  it("says how it ended and what it last wrote to stderr", async () => {
    const { child } = await start(`console.error("oh no"); process.exitCode = 3`);
    expect(await Effect.runPromise(child.over)).toEqual({ code: 3 });
    await Effect.runPromise(child.ended);
    expect(child.stderr()).toEqual(["oh no"]);
  });

  it("that writes a line without end is killed", async () => {
    const { child, messages, alive } = await start(
      `process.stdout.write("{".repeat(100000)); setInterval(() => {}, 1000)`,
      {
        lineBytes: 1_000,
      },
    );
    await Effect.runPromise(child.over);
    await Effect.runPromise(child.ended);
    expect(messages).toEqual([]);
    expect(alive()).toBe(false);
  });

  it("that ignores its end is killed", async () => {
    const { stop, alive } = await start(
      `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("{}")`,
      {
        stop: { graceMs: 50, termMs: 50 },
      },
    );
    await stop();
    expect(alive()).toBe(false);
  });

  it("that cannot be started says so", async () => {
    const spec = { name: "x", command: "surely-not-there", args: [], cwd: "/", onMessage: () => undefined };
    expect(await Effect.runPromise(Effect.scoped(Effect.flip(startLineProcess(spec))))).toMatchObject({
      fault: { kind: "missing", what: "program", path: "surely-not-there" },
    });
  });
});
