/**
 * The printed types beside those that Zod infers, for every construct: what Zod's input allows may be given to a client, and what a client gets is a
 * value of Zod's wire side. Also what they cost the compiler, in instantiations a construct.
 */
import { expect, test } from "vitest";
import { evaluate, tryField } from "./construct-check.ts";
import { constructs } from "./constructs.ts";
import { TemporaryProject } from "./project.ts";
import { clientCost, compile } from "./type-cost.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const sources = Object.values(constructs).flat();

/** Zod takes anything here, or infers no more than `unknown`; what is published says what is meant. */
const kinder = /coerce|\.catch\(|preprocess/;

/** Where Zod infers what its values are not, or what cannot travel. */
const inferredOtherwise: readonly string[] = [
  // A text, of which it takes two.
  'z.stringbool({ truthy: ["Y"], falsy: ["N"], case: "sensitive" })',
  // Zod takes the text `n1n`, which is none of the type.
  'z.templateLiteral(["n", z.bigint()])',
  // An index signature that the named fields do not fit: no such object can be written.
  "z.object({ a: z.int() }).catchall(z.string())",
  "z.object({ a: z.int().optional() }).catchall(z.boolean())",
  "z.object({ a: z.int() }).catchall(codecs.date())",
  // Keys that do not match have any value.
  "z.looseRecord(z.string().regex(/^[a-c]$/), z.int())",
  "z.looseRecord(z.string().regex(/^a-/i), z.int())",
  'z.looseRecord(z.templateLiteral(["k", z.int()]), codecs.date())',
  // `undefined` in a list arrives as `null`.
  "z.tuple([z.int(), z.string().optional()])",
  "z.tuple([z.int().default(1)])",
  "z.tuple([z.int(), codecs.date().optional()]).readonly()",
];

test("what Zod's input allows may be given, and what is given is a value of Zod's wire side", async () => {
  using project = new TemporaryProject();
  const checks = sources
    .filter((_, at) => inLongTier || at % 9 === 0)
    .flatMap((source, index) => {
      const schema = evaluate(source);
      const [input, output] = [tryField(schema, "input"), tryField(schema, "output")];
      if (
        kinder.test(source) ||
        inferredOtherwise.includes(source) ||
        input.refused !== undefined ||
        input.lowered.json.$defs !== undefined
      )
        return [];
      const wire = `z.input<typeof s${index}>`;
      const one = (type: string): string => type.replaceAll(/\s+/g, " ");
      return [
        {
          source,
          line: `const s${index} = z.object({ it: ${source} }); export const i${index}: ${wire} extends ${one(input.type)} ? true : false = true;`,
        },
        ...(output.refused === undefined
          ? [{ source, line: `export const o${index}: ${one(output.type)} extends ${wire} ? true : false = true;` }]
          : []),
      ];
    });
  const head = 'import { codecs } from "@fairlead/contracts"; import * as z from "zod"; void codecs;\n';
  const stdout = await compile(project, `${head}${checks.map(({ line }) => line).join("\n")}\n`);
  const wrong = [...stdout.matchAll(/^(?:types\.ts\((\d+),\d+\): )?error (.*)$/gm)].map(([, line, message]) => {
    const check = checks[Number(line) - 2];
    return { source: check?.source, side: check?.line.includes("const i") === true ? "input" : "output", message };
  });
  expect(wrong).toEqual([]);
});

if (inLongTier) {
  test("no construct costs a caller's compiler more than a flat type does", async () => {
    using project = new TemporaryProject();
    const published = sources
      .map((source) => ({ source, field: tryField(evaluate(source), "input") }))
      .filter(({ field }) => field.refused === undefined && field.lowered.json.$defs === undefined);
    const types = published.map(({ field }) => field.type);
    const simple = await clientCost(
      project,
      types.map(() => "{ it: string }"),
    );
    const all = await clientCost(project, types);
    expect(simple).toBeGreaterThan(types.length);
    expect(all / simple).toBeLessThan(1.25);
  });
}
