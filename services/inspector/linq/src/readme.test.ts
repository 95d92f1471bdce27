/** The README's program runs, and gives what its comments say. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as linq from "./index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const program = /```ts\nimport \{([^}]*)\} from "@fairlead\/linq";\n([\s\S]*?)```/.exec(readme);

test("each line with a comment gives the comment's value", () => {
  const [, imports = "", body = ""] = program ?? [];
  const shown: (readonly [expected: string, actual: string])[] = [];
  const lines = body.replaceAll(/^([^\n/]+); \/\/ (.*)$/gm, (_, code: string, expected: string) =>
    code.includes("console.log(")
      ? `${code.replace("console.log(", `show(${JSON.stringify(expected)}, `)};`
      : `show(${JSON.stringify(expected)}, ${code});`,
  );
  const show = (expected: string, ...values: readonly unknown[]): void => {
    const text = (value: unknown): string => {
      if (Array.isArray(value)) return JSON.stringify(value).replaceAll(",", ", ");
      return typeof value === "object" && value !== null ? linq.typeName(value as linq.Type) : String(value);
    };
    shown.push([expected, values.map(text).join(" ")]);
  };
  new Function("linq", "show", `const {${imports}} = linq;\n${lines}`)(linq, show);
  expect(shown).toHaveLength(6);
  for (const [expected, actual] of shown) expect(actual).toBe(expected);
});
