import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { makeRedactor, secret, secretTexts, shortSecrets } from "./secret.ts";

const key = z.string().meta(secret).describe("A key.");

describe("the secrets of a configuration", () => {
  test.each<[string, z.ZodType, unknown, readonly string[]]>([
    ["of an object", z.object({ key, open: z.string() }), { key: "abcdefgh", open: "shown-text" }, ["abcdefgh"]],
    ["that may be left out", z.object({ key: key.optional() }), { key: "abcdefgh" }, ["abcdefgh"]],
    ["that are left out", z.object({ key: key.optional() }), {}, []],
    ["with a default", z.object({ key: key.default("abcdefgh") }), { key: "abcdefgh" }, ["abcdefgh"]],
    ["of a record", z.record(z.string(), key), { a: "abcdefgh", b: "ijklmnop" }, ["abcdefgh", "ijklmnop"]],
    ["of a list", z.array(z.object({ key })), [{ key: "abcdefgh" }, { key: "abcdefgh" }], ["abcdefgh"]],
    ["of a tuple", z.tuple([z.string(), key]), ["shown-text", "abcdefgh"], ["abcdefgh"]],
    ["of a union", z.union([z.object({ key }), z.string()]), { key: "abcdefgh" }, ["abcdefgh"]],
    ["of an intersection", z.object({ key }).and(z.object({})), { key: "abcdefgh" }, ["abcdefgh"]],
    ["before a transform", key.transform((text) => text.length), "abcdefgh", ["abcdefgh"]],
    ["of a whole section", z.object({ a: z.string() }).meta(secret), { a: "abcdefgh", n: 1 }, ["abcdefgh"]],
    ["that are short", key, "abcdefg", []],
    ["in a value that does not fit", z.object({ key, n: z.int() }), { key: "abcdefgh", n: "x" }, ["abcdefgh"]],
  ])("%s", (_, schema, value, found) => {
    expect(secretTexts(schema, value)).toEqual(found);
  });
});

test("short ones are named, not shown", () => {
  const schema = z.object({ of: z.record(z.string(), z.object({ key })), list: z.array(key), open: z.string() });
  const value = { of: { a: { key: "abcdefg" }, b: { key: "abcdefgh" } }, list: ["x", "", "abcdefgh"], open: "x" };
  expect(shortSecrets(schema, value, ["services", "shop"])).toEqual([
    ["services", "shop", "of", "a", "key"],
    ["services", "shop", "list", 0],
  ]);
  expect(shortSecrets(schema, undefined)).toEqual([]);
});

const hard = 'Zx9/+ "wörd"\\&é~\u{1F511}=%7';

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A text as it is written in other texts. */
const written: Readonly<Record<string, (text: string) => string>> = {
  plainly: (text) => text,
  "in JSON": (text) => JSON.stringify({ text }),
  "in JSON of JSON": (text) => JSON.stringify(JSON.stringify(text)),
  "in JSON of ASCII": (text) =>
    JSON.stringify(text).replaceAll(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "in an address": (text) => `https://example.com/?key=${encodeURIComponent(text)}&x=1`,
  "in an address, in small letters": (text) =>
    encodeURIComponent(text).replaceAll(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()),
  "in a form": (text) => new URLSearchParams({ key: text }).toString(),
  "in base64": base64,
  "in base64url": (text) => Buffer.from(text).toString("base64url"),
  "in credentials": (text) => `Basic ${base64(`user:${text}`)}`,
  "in credentials of a longer name": (text) => `Basic ${base64(`users:${text}!`)}`,
};

/** Any eight characters of the text, however they are written. */
const remainder = (clean: string, text: string, write: (text: string) => string): readonly string[] => {
  const spelled = write(text);
  const pieces = Array.from({ length: Math.max(0, spelled.length - 7) }, (_, at) => spelled.slice(at, at + 8));
  const around = write("");
  return pieces.filter((piece) => clean.includes(piece) && !around.includes(piece));
};

describe.each(Object.entries(written))("a secret %s", (_, write) => {
  test("is redacted, inside of any text", () => {
    const clean = makeRedactor([hard]).text(`before ${write(hard)} after`);
    expect(clean).toContain("[redacted]");
    expect(clean.startsWith("before ") && clean.endsWith(" after")).toBe(true);
  });

  test("is redacted whatever it is", () => {
    const text = fc.string({ minLength: 8, maxLength: 40, unit: "binary" });
    fc.assert(
      fc.property(text, (each) => {
        const clean = makeRedactor([each]).text(write(each));
        expect(clean).toContain("[redacted]");
      }),
    );
  });
});

test("what is left of one written plainly or as base64 are no eight characters of it", () => {
  for (const name of ["plainly", "in base64", "in base64url"]) {
    const write = written[name] ?? String;
    expect(remainder(makeRedactor([hard]).text(write(hard)), hard, write)).toEqual([]);
  }
});

test("values of JSON are redacted in their texts and keys, and stay the same where there is no secret", () => {
  const redactor = makeRedactor();
  const value = { abcdefgh: ["x abcdefgh y", 1, null, { deep: "abcdefgh" }] };
  expect(redactor.json(value)).toBe(value);
  redactor.add(["abcdefgh"]);
  expect(redactor.json(value)).toEqual({ "[redacted]": ["x [redacted] y", 1, null, { deep: "[redacted]" }] });
});

test("of two secrets that begin alike the longer one leaves nothing", () => {
  expect(makeRedactor(["abcdefgh", "abcdefghijkl"]).text("abcdefghijkl abcdefghi")).toBe("[redacted] [redacted]i");
});
