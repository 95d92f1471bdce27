/** Tables of language cases: a text with its value (and type), or with its error and the error's place. */
import { describe, expect, test } from "vitest";
import type { Argument } from "../binder/argument.ts";
import { LinqError } from "../error.ts";
import { evaluate } from "../evaluate.ts";
import { fixture } from "../proof/fixture.ts";
import { plainValue } from "../proof/plain-value.ts";
import { typeName } from "../type.ts";

/** `§` stands for the list of monsters; `args` are `@0`, `@1` … */
const run = (text: string, args: readonly Argument[]): { readonly value: unknown; readonly type: string } => {
  const { value, type } = evaluate(text.replaceAll("§", "Entities"), { host: fixture, args });
  return { value: plainValue(value, type), type: typeName(type) };
};

export const values = (
  title: string,
  cases: readonly (readonly [text: string, value: unknown, type?: string])[],
  args: readonly Argument[] = [],
): void => {
  describe(title, () => {
    test.each(cases.map((each) => [each[0], each] as const))("%s", (_, [text, value, type]) => {
      const found = run(text, args);
      expect(found.value).toEqual(value);
      if (type !== undefined) expect(found.type).toBe(type);
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
      try {
        run(text, args);
      } catch (error) {
        expect(error).toBeInstanceOf(LinqError);
        expect(error).toMatchObject({ code, position });
        if (hint !== undefined) expect(error instanceof LinqError ? error.hint : "").toMatch(hint);
        return;
      }
      expect.unreachable("it ran");
    });
  });
};
