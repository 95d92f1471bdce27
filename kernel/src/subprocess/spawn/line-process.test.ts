/** Real processes that speak JSON in lines. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type LineProcessSpec, startLineProcess } from "./line-process.ts";

const echo = `process.stdin.setEncoding("utf8");let rest="";process.stdin.on("data",(t)=>{rest+=t;const lines=rest.split("\\n");rest=lines.pop();for(const l of lines)console.log(l)})`;

let marks = 0;

const start = async (script: string, more: Partial<LineProcessSpec> = {}) => {
  const messages: unknown[] = [];
  marks += 1;
  const mark = `line-process-test-${process.pid}-${marks}`;
  const started = await startLineProcess({
    name: "test",
    command: process.execPath,
    args: ["-e", script],
    cwd: process.cwd(),
    env: { set: { MARK: mark } },
    onMessage: (message) => messages.push(message),
    ...more,
  });
  if (!started.ok) throw new Error(JSON.stringify(started.fault));
  return { child: started.process, messages, alive: () => marked(mark) };
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
    const { child, messages, alive } = await start(`console.log("noise");${echo}`);
    expect(child.send({ hello: 1 })).toBe("sent");
    await expect.poll(() => messages, { timeout: 10_000 }).toEqual([{ hello: 1 }]);
    await child.stop();
    expect(alive()).toBe(false);
    expect(child.send({})).toBe("closed");
  });

  it("tells how it ended and what it last wrote to stderr", async () => {
    const { child } = await start(`console.error("oh no"); setTimeout(() => process.exit(3), 100)`);
    expect(await child.over).toEqual({ code: 3 });
    await child.ended;
    expect(child.stderr()).toEqual(["oh no"]);
  });

  it("that writes a line without end is killed", async () => {
    const { child, messages, alive } = await start(
      `process.stdout.write("{".repeat(100000)); setInterval(() => {}, 1000)`,
      {
        lineBytes: 1_000,
      },
    );
    await child.over;
    await child.ended;
    expect(messages).toEqual([]);
    expect(alive()).toBe(false);
  });

  it("that ignores its end is killed", async () => {
    const { child, alive } = await start(
      `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("{}")`,
      {
        stop: { graceMs: 50, termMs: 50 },
      },
    );
    await child.stop();
    expect(alive()).toBe(false);
  });

  it("that cannot be started says so", async () => {
    const spec = { name: "x", command: "surely-not-there", args: [], cwd: "/", onMessage: () => undefined };
    expect(await startLineProcess(spec)).toEqual({
      ok: false,
      fault: { kind: "missing", what: "program", path: "surely-not-there" },
    });
  });
});
