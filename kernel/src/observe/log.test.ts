import { makeRedactor } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeLog } from "./log.ts";

const capture = (secrets: readonly string[] = []) => {
  const lines: string[] = [];
  return {
    lines,
    log: makeLog({ level: "info", redactor: makeRedactor(secrets), write: (line) => void lines.push(line) }),
  };
};

describe("log", () => {
  it("writes one JSON object a line and leaves out what is below its level", () => {
    const { lines, log } = capture();
    log("debug", "hidden");
    log("info", "shown", { a: 1 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "info", message: "shown", a: 1 });
  });

  it("redacts by field name and by value, at any depth", () => {
    const { lines, log } = capture(["hunter2-secret"]);
    log("error", "with hunter2-secret inside", {
      headers: { Authorization: "Bearer x", cookie: "y" },
      nested: { apiKey: "z", text: "hunter2-secret" },
      error: new Error("hunter2-secret", { cause: new Error("hunter2-secret") }),
    });
    expect(lines.join()).not.toMatch(/hunter2|Bearer|"y"|"z"/);
  });

  it("never throws and never breaks a line, whatever it is given", () => {
    const { lines, log } = capture();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    log("info", "cycle", cyclic);
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.anything()), (message, fields) => {
        log("info", message, fields);
      }),
    );
    for (const line of lines) expect(line.indexOf("\n")).toBe(line.length - 1);
  });

  it("redacts before it cuts, keeps its own fields, and stays short whatever hangs together", () => {
    const { lines, log } = capture(["hunter2-secret"]);
    log("info", `${"x".repeat(1_990)}hunter2-secret`, {
      at: "forged",
      level: "forged",
      message: "forged",
      "hunter2-secret": 1,
    });
    expect(lines[0]).not.toMatch(/hunter2|forged/);
    const nodes: Record<string, unknown>[] = Array.from({ length: 12 }, () => ({}));
    for (const node of nodes) for (const [index, other] of nodes.entries()) node[`n${index}`] = other;
    log("info", "graph", { nodes });
    expect(lines[1]?.length).toBeLessThan(100_000);
    log("info", "getter", {
      get trap() {
        throw new Error("no");
      },
    });
    expect(lines).toHaveLength(3);
  });
});
