/** Hostile inputs that want time and memory, hostile queries: each ends within its limit. */
import "../testing/natives.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type QueryText, runQuery } from "@fairlead/linq";
import { describe, expect, test } from "vitest";
import { inspect } from "../host.ts";
import { checkUnchanged, evaluated, host, limits, queried } from "../testing/attack.ts";
import { fired } from "../testing/hostile.ts";
import { floods, manyLambdas, queries } from "../testing/hostile-inputs.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

checkUnchanged();

describe("size and time", () => {
  test.each<readonly [name: string, text: string]>(
    [...floods, ...(inLongTier ? [manyLambdas] : [])].filter((_, at) => inLongTier || at % 3 === 0),
  )("%s ends", (_, text) => {
    // Of this thread alone: others share the machine.
    const before = process.threadCpuUsage();
    evaluated(text);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000_000, "seconds of CPU time").toBeLessThan(60);
  });
});

const longTexts: readonly (readonly [call: string, code: string])[] = [
  ["OrderBy(Long.ToUpper()).Count()", "text_too_long"],
  ["Where(Long.Normalize() == it.s).Count()", "text_too_long"],
  ["Where(Long.Remove(1, 1) == it.s).Count()", "text_too_long"],
  ["Select(new { Long as a, id }).Distinct().Count()", "fuel_exhausted"],
  ["GroupBy(new { Long as a, id }).Count()", "fuel_exhausted"],
  ["Where(Long.GetHashCode() == 3).Count()", "fuel_exhausted"],
  ["Where(Long.Substring(3).StartsWith(Long)).Count()", "0"],
  ["Where(Long.Length == 3).Count()", "0"],
];

test.each(longTexts.filter((_, at) => inLongTier || at % 12 === 1))(
  "a text of the host's that is longer than may be made: Rows.%s",
  (call, code) => {
    const Rows = Array.from({ length: 1_000 }, (_, id) => ({ id, s: "s" }));
    const { ask, close } = inspect({ Rows, Long: "y".repeat(2_000_000) }, { limits });
    const first = process.memoryUsage().heapUsed;
    const reply = ask("eval", { expr: `Rows.${call}` });
    close();
    expect(reply.ok ? String(reply.value) : "problem" in reply ? reply.problem.code : reply).toBe(code);
    expect(reachable() - first).toBeLessThan(400 * 1_048_576);
  },
);

describe("queries", () => {
  test.each<readonly [QueryText]>(
    queries.map((query) => [query] as const).filter((_, at) => inLongTier || at % 3 === 0),
  )("%j", (query) => {
    expect(queried(query)).not.toMatch(/native code|\[Function|node:|globalThis/);
  });

  test("names that JavaScript would answer are data or null, in both ways to run", () => {
    const { rows, path } = runQuery(
      { from: "Rows", where: "v == 4 && id > 1100", select: "new { id, hasOwnProperty, isPrototypeOf }", take: 2 },
      { host, limits },
    );
    expect(path).toBe("generated");
    expect(rows).toEqual([
      { id: 1104, hasOwnProperty: null, isPrototypeOf: null },
      { id: 1109, hasOwnProperty: null, isPrototypeOf: null },
    ]);
  });
});

test("a polluted Object.prototype is not read", () => {
  Object.defineProperty(Object.prototype, "polluted", {
    get: () => {
      fired.push("polluted");
      return 1;
    },
    configurable: true,
  });
  try {
    expect(queried({ from: "Rows", where: "polluted == 1 && id > 2600" })).toBe("not_readable");
    expect(queried({ from: "Rows", where: "polluted == 1", take: 1 })).toBe("not_readable");
    expect(evaluated("W.polluted")).toBe("null");
  } finally {
    Reflect.deleteProperty(Object.prototype, "polluted");
  }
});

/** What is reachable, in bytes: what waits for the collector depends on how busy the machine is. */
const reachable = (): number => {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
};

if (inLongTier) {
  test("memory stays bounded over many large questions", () => {
    const first = reachable();
    for (let round = 0; round < (inLongTier ? 12 : 2); round++)
      queried({ from: "Rows", select: '"x".PadLeft(60000)', take: 1000 });
    expect(reachable() - first).toBeLessThan(400 * 1_048_576);
  });
}
