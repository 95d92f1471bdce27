import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineContract } from "./contract.ts";
import { error } from "./error.ts";
import { ask, confirm, mutation, query, subscription } from "./procedure.ts";

/** As plain JavaScript passes it: without its type. */
const untyped = (value: unknown): never => value as never;

const look = { summary: "Looks.", input: z.object({}), output: z.int() };
const whole = {
  ...look,
  description: "More.",
  retry: "keyed",
  errors: { gone: { code: "not_found", when: "none", hint: "look", data: z.object({}) } },
  examples: [{ summary: "One", input: {} }],
  access: "call",
  deprecated: { since: "1.0.0", use: "more" },
  http: { path: "/look" },
  tool: "look",
  hints: { destructive: true, openWorld: true },
  policy: {
    deadlineMs: 1,
    concurrency: 1,
    queue: 1,
    streams: 1,
    limits: { bytes: 1, depth: 1, keys: 1, items: 1, string: 1 },
    outputLimits: { bytes: 1, depth: 1 },
    breaker: { failures: 1, openMs: 1 },
    retry: { attempts: 2, baseMs: 1, capMs: 1 },
  },
};

/** Each object of a definition, by its path, schemas and inputs aside. */
const objectsIn = (value: object, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...Object.entries(value).flatMap(([key, inner]) =>
    typeof inner !== "object" || inner === null || "_zod" in inner || key === "input" || Array.isArray(inner)
      ? []
      : objectsIn(inner, [...path, key]),
  ),
];

const withKey = (value: object, [first, ...rest]: readonly string[], key: string): object =>
  first === undefined
    ? { ...value, [key]: 1 }
    : { ...value, [first]: withKey(Object(Reflect.get(value, first)), rest, key) };

test("what says everything passes", () => {
  expect(mutation(untyped(whole))).toEqual({ ...whole, kind: "mutation" });
});

describe("an unknown key is refused where it is written", () => {
  const free = new Set(["errors"]);
  const places = objectsIn(whole).filter((path) => !free.has(path.join(".")));

  test.each(places.map((path) => [path.join(".") || "the procedure", path] as const))("in %s", (_, path) => {
    const wrong = untyped(withKey(whole, path, "acess"));
    const named = [...path, "acess"].join(".");
    expect(() => mutation(wrong)).toThrow(TypeError);
    expect(() => mutation(wrong)).toThrow(`mutation: \`${named}\` is not a field of it, `);
    const raw = untyped({ id: "shop", version: "1.0.0", summary: "S.", procedures: { buy: wrong } });
    expect(() => defineContract(raw)).toThrow(`contract shop: \`procedures.buy.${named}\` is not a field of it, `);
  });

  test("and in a contract, an example and an error", () => {
    expect(() => defineContract(untyped({ id: "shop", procedurs: {} }))).toThrow("did you mean `procedures`?");
    expect(() => query(untyped({ ...look, examples: [{ sumary: "One" }] }))).toThrow("`examples.0.summary`");
    expect(() => error(untyped({ code: "not_found", wen: "none" }))).toThrow(
      "error: `wen` is not a field of it, did you",
    );
  });
});

test.each([
  [
    () => mutation(untyped({ ...look, retry: "keyd" })),
    '`retry` cannot be "keyd", did you mean "keyed"? It is one of "idempotent", "keyed", "unsafe"',
  ],
  [
    () => mutation(untyped({ ...look, retry: "safe" })),
    '`retry` cannot be "safe", did you mean "unsafe"? It is one of "idempotent", "keyed"',
  ],
  [() => query(untyped({ ...look, retry: "keyed" })), '`retry` cannot be "keyed", it is always "safe"'],
  [() => subscription(untyped({ ...look, acess: "read" })), "did you mean `access`?"],
  [() => query(untyped({ ...look, access: "al" })), '`access` cannot be "al"'],
  [() => query(untyped({ ...look, erors: {} })), "did you mean `errors`?"],
  [() => query(untyped({ ...look, policy: { deadlineMS: 5 } })), "did you mean `policy.deadlineMs`?"],
  [() => query(untyped({ ...look, policy: 5 })), "`policy` is not an object"],
  [() => query(untyped({ ...look, run: { onRestart: "resum" } })), 'did you mean "resume"?'],
  [() => query(untyped({ ...look, run: { atempts: 2 } })), "did you mean `run.attempts`?"],
  [() => confirm(untyped({ when: "always", answer: z.object({}) })), "`answer` is not a field of it"],
  [() => ask(untyped({ wen: "always" })), "did you mean `when`?"],
  [() => error(untyped({ code: "notfound", when: "none" })), 'did you mean "not_found"?'],
])("%s: %s", (define, words) => {
  expect(define).toThrow(words);
});
