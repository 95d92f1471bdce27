/**
 * What the proof reads of a printed type is what the compiler reads: for the types of every construct, on values made for it, both say the
 * same of what is assignable. Where the reader is kinder by design, there is nothing to compare: objects without fields, and
 * objects that share none with a type of optional ones.
 */
import { execFile } from "node:child_process";

import { join } from "node:path";
import { promisify } from "node:util";
import { schemaValues, typePredicate } from "@fairlead/codegen/proof";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, tryField } from "./construct-check.ts";
import { constructs } from "./constructs.ts";
import { TemporaryProject } from "./project.ts";

/** The narrowest type of a JSON value. */
const literalType = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literalType).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${literalType(inner)};`)
    .join(" ")} }`;
};

/** Has an object without required fields, by its first one. */
const isWeak = /\{\s*[\w"]+\?:|Partial</;

const sides = ["input", "output"] as const;

test("the reader and the compiler agree on every construct", async () => {
  using project = new TemporaryProject();
  const lines: string[] = [];
  const read: { readonly source: string; readonly value: string; readonly assignable: boolean }[] = [];
  for (const [index, source] of Object.values(constructs).flat().entries()) {
    for (const side of sides) {
      const { refused, lowered, type } = tryField(evaluate(source), side);
      if (refused !== undefined || lowered.json.$defs !== undefined || type.includes("<string, never>")) continue;
      const accepts = typePredicate(lowered.json, { templates: lowered.templates, isInput: side === "input" });
      lines.push(`type T${index}${side} = ${type.replaceAll(/\s+/g, " ")};`);
      const values = new Set(
        fc.sample(schemaValues(lowered.json), { seed: index, numRuns: 12 }).map((value) => JSON.stringify(value)),
      );
      for (const value of values) {
        const parsed: unknown = JSON.parse(value);
        if (typeof parsed !== "object" || parsed === null || !("it" in parsed)) continue;
        const assignable = accepts(parsed);
        if (assignable && isWeak.test(type)) continue;
        lines.push(
          `export const v${read.length}: ${literalType(parsed)} extends T${index}${side} ? true : false = ${assignable};`,
        );
        read.push({ source: `${source} ${side}`, value, assignable });
      }
    }
  }
  project.write("types.ts", `${lines.join("\n")}\n`);
  const tsc = join(import.meta.dirname, "../../node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--pretty", "false", "--types", ""];
  const { stdout } = await promisify(execFile)(tsc, [...options, "types.ts"], {
    cwd: project.root,
    maxBuffer: 1e8,
  }).catch((failure: { readonly stdout: string }) => failure);
  const wrong = [...stdout.matchAll(/^types\.ts\((\d+),\d+\): error (.*)$/gm)].map(([, line, message]) => {
    const number = /const v(\d+):/.exec(lines[Number(line) - 1] ?? "")?.[1];
    return { ...read[Number(number)], line: lines[Number(line) - 1]?.slice(0, 300), message };
  });
  expect(read.length).toBeGreaterThan(2_000);
  expect(wrong).toEqual([]);
});
