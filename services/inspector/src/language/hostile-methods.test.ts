/** Every method that a type or a value has, with every kind of hostile argument: our answer or our error, and nothing of the world runs. */
import { describe, expect, test } from "vitest";
import { scalarMethodNames } from "../../linq/src/function/members.ts";
import { findStatics } from "../../linq/src/function/static.ts";
import { predefinedTypes } from "../../linq/src/syntax/words.ts";
import { checkUnchanged, evaluated, host, leaks, limits } from "../testing/attack.ts";
import { given, values } from "../testing/hostile-inputs.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

checkUnchanged();

describe("methods of values", () => {
  test.each(values.filter((_, at) => inLongTier || at % 6 === 0))("%s", (self) => {
    for (const name of scalarMethodNames(limits))
      for (const each of given) expect(evaluated(`${self}.${name}(${each})`)).not.toMatch(leaks);
  });
});

describe("methods of types, and conversions to them", () => {
  test.each(Object.keys(predefinedTypes).filter((_, at) => inLongTier || at % 6 === 0))("%s", (type) => {
    const names = [...findStatics(predefinedTypes[type] ?? "", host, limits).methods.keys()];
    for (const call of [type, ...names.map((name) => `${type}.${name}`)])
      for (const each of given) expect(evaluated(`${call}(${each})`)).not.toMatch(leaks);
  });
});

test("no method makes a text longer than is allowed, however it is repeated", () => {
  const calls = [...findStatics("Uri", host, limits).methods.keys()].map(
    (name) => (text: string) => `Uri.${name}(${text})`,
  );
  for (const name of scalarMethodNames(limits))
    for (const each of ["", '"%%%%%%%%"', '"%", "%%%%%%%%"', '0, "%%%%%%%%"'])
      calls.push((text) => `${text}.${name}(${each})`);
  const much = `"%".PadLeft(${limits.stringLength - 100}, '%')`;
  for (const call of calls) {
    const length = evaluated(`(${call(call(call(much)))}).Length`);
    if (/^\d+$/.test(length)) expect(Number(length)).toBeLessThanOrEqual(limits.stringLength);
  }
});
