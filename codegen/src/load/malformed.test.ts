/** Contract objects that JavaScript authors can write and types would refuse: each is a diagnostic about the author's file. */
import { defineContract, error, mutation, query } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkService } from "../check/service.ts";
import { readModule } from "./read.ts";

const whole = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  description: "Everything.",
  procedures: {
    look: query({
      summary: "Looks.",
      input: z.object({ of: z.string().max(9).describe("What") }),
      output: z.object({ price: z.int().describe("Cents") }),
      errors: {
        gone: error({ code: "not_found", when: "there is none", data: z.object({ at: z.string().describe("When") }) }),
      },
      examples: [{ summary: "Tea", input: { of: "tea" } }],
      policy: { deadlineMs: 5, limits: { bytes: 99 }, retry: { attempts: 2 }, breaker: { failures: 2, openMs: 9 } },
      hints: { openWorld: true },
      http: { path: "/shop/look" },
      tool: "look_at",
    }),
    buy: mutation({
      summary: "Buys.",
      retry: "keyed",
      input: z.object({}),
      output: z.null(),
      access: "admin",
      tool: false,
    }),
  },
  verbs: {
    "shop look": {
      summary: "Looks",
      examples: ["fairlead shop look tea"],
      arguments: [{ name: "of", field: "of", about: "What" }],
      flags: [{ flags: "--all", about: "All of them" }],
      steps: [
        {
          call: "look",
          as: "seen",
          absent: { noun: "thing", name: "$of", known: { call: "look", each: "." }, see: "ls" },
        },
      ],
      document: { price: "seen.price" },
      show: [{ fields: "." }, "{price} cents", { first: [{ when: [{ present: "price" }], show: "{price}" }] }],
      notes: [{ each: ".", show: "{price}" }],
    },
  },
});

const file = { file: import.meta.filename, source: "contracts/shop.contract.js", builtIn: false };

const read = (contract: unknown) => {
  const { loaded } = readModule({ default: contract }, file);
  return [...loaded.diagnostics, ...loaded.services.flatMap((service) => checkService(service, false))];
};

/** A copy with `junk` at a path; schemas stay what they are. */
const withJunk = (value: unknown, [key, ...rest]: readonly string[], junk: unknown): unknown => {
  if (key === undefined) return junk;
  const copy: object = Array.isArray(value) ? [...value] : { ...Object(value) };
  Reflect.set(copy, key, withJunk(Reflect.get(copy, key), rest, junk));
  return copy;
};

const isZod = (value: object): boolean => "_zod" in value;

const paths = (value: unknown, at: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value !== "object" || value === null || isZod(value) || at.at(-1) === "input") return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => paths(inner, [...at, key]))];
};

const everywhere = paths(whole).filter((path) => path.length > 0);

test("the whole one is fine, and all its parts are tried", () => {
  expect(read(whole).filter(({ severity }) => severity === "error")).toEqual([]);
  expect(everywhere.length).toBeGreaterThan(80);
});

const thrower = Object.defineProperty({}, "kind", {
  enumerable: true,
  get: () => {
    throw new Error("a getter");
  },
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a number", 5],
  ["a text", "x"],
  ["a list", []],
  ["a list of nothing", [undefined]],
  ["an object", {}],
  ["a function", () => 1],
  ["a symbol", Symbol("s")],
  ["an object that is like a schema", { _zod: 1 }],
  ["an object that is like a schema of Zod 3", { _def: {} }],
  ["a getter that throws", thrower],
])("%s in any place is a diagnostic, and never an exception or a file of ours", (_, junk) => {
  for (const path of everywhere) {
    const found = read(withJunk(whole, path, junk));
    const text = JSON.stringify(found);
    expect(text, path.join(".")).not.toMatch(/codegen|TypeError/);
    for (const { code, source } of found) {
      expect(code, path.join(".")).not.toBe("contract_load_failed");
      expect(source).toBe(file.source);
    }
  }
});

describe("what types refuse is refused", () => {
  const required = everywhere.filter((path) =>
    /^(?:id|version|summary|procedures\.\w+(?:\.(?:kind|retry|summary|input|output))?|.*\.(?:call|about|when|code|steps|show|name|each))$/.test(
      path.join("."),
    ),
  );

  test.each(required.map((path) => [path.join("."), path] as const))("%s is a number", (name, path) => {
    if (/examples\.0\.input/.test(name)) return;
    const errors = read(withJunk(whole, path, 5)).filter(({ severity }) => severity === "error");
    expect(errors.map(({ code }) => code)).toContain("contract_malformed");
    expect(errors[0]?.message).toContain(name.split(".")[0]);
  });

  test("an unknown field, deep in a verb, is named with the one that was meant", () => {
    const [first] = read(withJunk(whole, ["verbs", "shop look", "steps", "0", "cal"], "look"));
    expect(first?.message).toContain("cal");
  });
});
