/**
 * Tables of language cases: a text with its value (and type), or with its error and the error's place. Each is run by closures here and
 * by generated source over a copy of our declarations, as another process would.
 */
import {
  type Argument,
  type BoundNode,
  check,
  contextFor,
  type EvaluationSettings,
  evaluate,
  LinqError,
  rootScope,
  type Type,
  typeName,
} from "@fairlead/linq";
import { defaultLimits } from "@fairlead/linq/limits";
import { describe, expect, test } from "vitest";
import { fixture } from "./fixture.ts";
import { valueHere, valueThere } from "./other-process.ts";
import { plainValue } from "./plain-value.ts";

interface Outcome {
  readonly value: unknown;
  readonly type: Type;
  readonly bound: BoundNode;
}

const settings = (args: readonly Argument[]): EvaluationSettings => ({ host: fixture, args, limits: defaultLimits });

/** `§` stands for the list of monsters; `args` are `@0`, `@1` … */
const run = (text: string, args: readonly Argument[]): Outcome => {
  const given = text.replaceAll("§", "Entities");
  const { value, type } = evaluate(given, settings(args));
  const { bound } = check(given, rootScope, contextFor(settings(args)));
  return { value, type, bound };
};

/** The same where it is sent. */
const runThere = (text: string, args: readonly Argument[]): unknown => {
  const { bound, type } = check(text.replaceAll("§", "Entities"), rootScope, contextFor(settings(args)));
  return valueThere(bound, type);
};

export const values = (
  title: string,
  cases: readonly (readonly [text: string, value: unknown, type?: string])[],
  args: readonly Argument[] = [],
): void => {
  describe(title, () => {
    test.each(cases.map((each) => [each[0], each] as const))("%s", (_, [text, value, type]) => {
      const found = run(text, args);
      expect(plainValue(found.value, found.type)).toEqual(value);
      if (type !== undefined) expect(typeName(found.type)).toBe(type);
      expect(valueThere(found.bound, found.type)).toEqual(valueHere(found.value, found.type));
    });
  });
};

export const errors = (
  title: string,
  cases: readonly (readonly [text: string, code: string, position: number, hint?: RegExp])[],
  args: readonly Argument[] = [],
): void => {
  describe(title, () => {
    test.each(cases.map((each) => [each[0], each] as const))("%s", (_, [text, code, position, hint]) => {
      for (const each of [run, runThere]) {
        const error = thrownBy(() => each(text, args));
        expect(error).toBeInstanceOf(LinqError);
        expect(error).toMatchObject({ code, position });
        if (hint !== undefined) expect(error instanceof LinqError ? error.hint : "").toMatch(hint);
      }
    });
  });
};

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return expect.unreachable("it ran");
};
