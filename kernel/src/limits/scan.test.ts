import { defaultLimits, type Limits } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayNamePrototype, measure, parseJson } from "./scan.ts";

const limits = (some: Partial<Limits>): Limits => ({ ...defaultLimits, ...some });

const refusalOf = (text: string, some: Partial<Limits> = {}) => {
  const parsed = parseJson(text, limits(some));
  if (parsed.ok) throw new Error("was accepted");
  return parsed.error;
};

const issueOf = (text: string, some: Partial<Limits> = {}) => refusalOf(text, some).issues?.[0];

/** The plain recursive statement of the limits; only for values of modest depth. */
const fits = (value: unknown, { depth, keys, items, string }: Limits, level = 0): boolean => {
  if (typeof value === "string") return Buffer.byteLength(value) <= string;
  if (typeof value !== "object" || value === null) return true;
  if (level >= depth) return false;
  const rest = { ...defaultLimits, depth, keys, items, string };
  if (Array.isArray(value)) return value.length <= items && value.every((item) => fits(item, rest, level + 1));
  const entries = Object.entries(value);
  return (
    entries.length <= keys &&
    entries.every(([key, item]) => Buffer.byteLength(key) <= string && fits(item, rest, level + 1))
  );
};

const smallLimits = fc.record({
  bytes: fc.integer({ min: 1, max: 200 }),
  depth: fc.integer({ min: 1, max: 5 }),
  keys: fc.integer({ min: 1, max: 5 }),
  items: fc.integer({ min: 1, max: 5 }),
  string: fc.integer({ min: 1, max: 12 }),
});

const anyJson = fc.jsonValue({ maxDepth: 6, stringUnit: "grapheme" });

describe("agreement", () => {
  test("accepts what JSON.parse accepts, with the same value", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8, stringUnit: "grapheme" }), (text) => {
        expect(parseJson(text, defaultLimits)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test("refuses what JSON.parse refuses, and says where", () => {
    const mutated = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('"', "[", "]", "{", "}", ",", ":", "\\", "1", " ", "-", "e", "\u0001", ""),
      )
      .map(([text, at, char]) => {
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + char + text.slice(cut + 1);
      });
    fc.assert(
      fc.property(mutated, (text) => {
        const parsed = parseJson(text, defaultLimits);
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) {
          expect(parsed).toMatchObject({ ok: false, error: { code: "invalid_argument" } });
          expect(issueOf(text)?.fix).toMatch(/^correct the JSON at line \d+, column \d+$|^name .* once$/);
        } else if (!parsed.ok) expect(parsed.error.issues?.[0]?.expected).toBe("each member once");
      }),
      { numRuns: 2_000 },
    );
  });

  test("text and parsed value are held to the same limits", () => {
    fc.assert(
      fc.property(anyJson, smallLimits, (value, small) => {
        const text = JSON.stringify(value);
        const wanted = fits(value, small) && Buffer.byteLength(text) <= small.bytes;
        expect(parseJson(text, small).ok).toBe(wanted);
        expect(measure(value, small) === undefined).toBe(wanted);
      }),
      { numRuns: 2_000 },
    );
  });

  test("a member named twice is found wherever it stands", () => {
    const key = fc.string({ maxLength: 6 });
    fc.assert(
      fc.property(key, fc.dictionary(key, anyJson), anyJson, fc.nat({ max: 3 }), (twice, rest, value, level) => {
        const members = [...Object.entries(rest), [twice, value], [twice, 1]]
          .map(([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)}`)
          .join(",");
        const text = `${'{"a":['.repeat(level)}{${members}}${"]}".repeat(level)}`;
        expect(issueOf(text)?.expected).toBe("each member once");
      }),
    );
  });
});

describe("where it went wrong", () => {
  test.each([
    ["too deep", '{"a":[{"b":[1]}]}', { depth: 3 }, "a[0].b"],
    ["too many members", '{"x":1,"a":{"b":1,"c":2,"d":3}}', { keys: 2 }, "a"],
    ["too many members at the root", '{"x":1,"y":2}', { keys: 1 }, ""],
    ["too many items", '{"a":{"two words":[1,2,3]}}', { items: 2 }, 'a["two words"]'],
    ["text too long", '{"a":[0,"éé"]}', { string: 3 }, "a[1]"],
    ["name too long", '{"a":{"b":1,"long":2}}', { string: 3 }, "a"],
    ["named twice", '{"a":{"b":1,"b":2}}', {}, "a.b"],
    ["named twice, once escaped", '{"a":1,"\\u0061":2}', {}, "a"],
    ["no value", '{"a":[1,]}', {}, "a[1]"],
    ["no closing", '{"a":{"b":"c}', {}, "a.b"],
    ["not JSON", "{'a':1}", {}, ""],
    ["nothing", "", {}, ""],
  ])("%s", (_, text, some, path) => {
    expect(issueOf(text, some)?.path).toBe(path);
  });

  test("the same path for a value that arrived parsed", () => {
    expect(measure({ a: [{ b: [1] }] }, limits({ depth: 3 }))).toEqual(refusalOf('{"a":[{"b":[1]}]}', { depth: 3 }));
    expect(measure({ x: 1, a: { b: 1, c: 2 } }, limits({ keys: 2 }))).toBeUndefined();
    expect(measure({ a: [0, "éé"] }, limits({ string: 3 }))).toEqual(refusalOf('{"a":[0,"éé"]}', { string: 3 }));
    expect(measure({ a: { b: 1, long: 2 } }, limits({ string: 3 }))?.issues?.[0]?.path).toBe("a");
  });

  test("no value of the input is in the refusal", () => {
    expect(JSON.stringify(refusalOf('{"a": hunter2}'))).not.toContain("hunter2");
    expect(JSON.stringify(refusalOf('{"a": "hunter2'))).not.toContain("hunter2");
  });
});

describe("members of an object and items of an array", () => {
  const few = limits({ keys: 1, items: 3 });

  test("are counted apart", () => {
    expect(parseJson("[1,2,3]", few).ok).toBe(true);
    expect(measure([1, 2, 3], few)).toBeUndefined();
    expect(parseJson('{"a":1,"b":2}', few).ok).toBe(false);
    expect(measure({ a: 1, b: 2 }, few)).toBeDefined();
    const roomy = limits({ keys: 3, items: 1 });
    expect(parseJson('{"a":1,"b":2,"c":3}', roomy).ok).toBe(true);
    expect(measure({ a: 1, b: 2, c: 3 }, roomy)).toBeUndefined();
    expect(parseJson("[1,2]", roomy).ok).toBe(false);
    expect(measure([1, 2], roomy)).toBeDefined();
  });

  test.each([
    ['{"a":1,"b":2}', "at most 1 members"],
    ["[1,2,3,4]", "at most 3 items"],
  ])("%s is refused for what it has too many of, as text and as a value", (text, expected) => {
    expect(refusalOf(text, few).issues?.[0]?.expected).toBe(expected);
    expect(measure(JSON.parse(text), few)?.issues?.[0]?.expected).toBe(expected);
  });
});

describe("at the limit and one past it", () => {
  test("depth", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(nested(64), defaultLimits).ok).toBe(true);
    expect(refusalOf(nested(65))).toMatchObject({ code: "invalid_argument", retryable: false });
  });

  test("bytes, counted as UTF-8", () => {
    expect(parseJson(`"${"é".repeat(4)}"`, limits({ bytes: 10 })).ok).toBe(true);
    expect(refusalOf(`"${"é".repeat(4)}"`, { bytes: 9 })).toMatchObject({
      code: "resource_exhausted",
      retryable: false,
    });
  });

  test("a text counts as what it stands for, not as it is written", () => {
    expect(parseJson('"\\u0061\\u0061"', limits({ string: 2 })).ok).toBe(true);
    expect(parseJson('"\\u0061\\u0061"', limits({ string: 1 })).ok).toBe(false);
  });
});

describe("hostile input", () => {
  test("five million brackets are refused without recursion", () => {
    expect(refusalOf("[".repeat(5_000_000), { bytes: 10_000_000 })).toMatchObject({
      message: "the input is nested too deeply",
    });
    expect(refusalOf('{"a":'.repeat(1_000_000), { bytes: 10_000_000 })).toMatchObject({ code: "invalid_argument" });
  });

  test("a million quotes, backslashes or colons take no long time", () => {
    const lots = limits({ bytes: 10_000_000, string: 10_000_000 });
    expect(parseJson(`"${"\\".repeat(1_000_000)}"`, lots).ok).toBe(true);
    expect(parseJson(`"${'\\"'.repeat(1_000_000)}"`, lots).ok).toBe(true);
    expect(parseJson(`"${"\\".repeat(999_999)}"`, lots).ok).toBe(false);
    expect(parseJson(":".repeat(1_000_000), lots).ok).toBe(false);
    expect(parseJson('"'.repeat(1_000_001), lots).ok).toBe(false);
  });

  test("cycles and graphs that share nodes end at a limit", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(measure(cycle, defaultLimits)).toMatchObject({ message: "the input is nested too deeply" });

    let shared: unknown = [1];
    for (let level = 0; level < 60; level += 1) shared = Array.from({ length: 10 }, () => shared);
    expect(measure(shared, defaultLimits)).toMatchObject({ code: "resource_exhausted" });

    const wide: unknown[] = [];
    for (let at = 0; at < 100_000; at += 1) wide.push(wide);
    expect(measure(wide, defaultLimits)).toMatchObject({ code: "resource_exhausted" });
  });

  test("what JSON cannot say is left to the schema", () => {
    expect(measure({ a: 1n, b: () => 1, c: undefined, d: new Date(0), e: Symbol("e") }, defaultLimits)).toBeUndefined();
    expect(measure(undefined, defaultLimits)).toBeUndefined();
  });

  test("a member called __proto__ stays a member of what is parsed, and is refused by name at every depth", () => {
    const parsed = parseJson('{"__proto__":{"a":1}}', defaultLimits);
    expect(parsed.ok && Object.keys(parsed.value as object)).toEqual(["__proto__"]);
    expect(issueOf('{"__proto__":1,"__proto__":2}')?.path).toBe("__proto__");
    for (const [text, path] of [
      ['{"__proto__":1}', "__proto__"],
      ['{"a":[{"b":{"__proto__":{}}}]}', "a[0].b.__proto__"],
      ['[{"x":1,"\\u005f_proto__":null}]', "[0].__proto__"],
    ] as const) {
      expect(mayNamePrototype(text)).toBe(true);
      expect(measure(JSON.parse(text), defaultLimits)).toMatchObject({
        code: "invalid_argument",
        message: "an object in the input has a member called `__proto__`",
        issues: [{ path }],
      });
    }
    expect(mayNamePrototype('{"proto":"__pro"}')).toBe(false);
    expect(measure({ text: "__proto__", list: ["__proto__"] }, defaultLimits)).toBeUndefined();
  });
});

test("a text that is not JSON is refused with its line, its column and what is expected there", () => {
  const text = (name: string): string | undefined => JSON.stringify(issueOf(name));
  expect(text('{"a":1,\n  "b" 2}')).toContain("line 2, column 7");
  expect(text("[1 2]")).toContain("a comma or ]");
  expect(text('{"a":1 "b"}')).toContain("a comma or }");
});
