/**
 * Every construct is tried, and `docs/contracts.md` is written from what came out: what is published for it, its types, or the words
 * it is refused with. For what is not refused, values are sent through Zod and through ajv in strict mode: they agree, or the table says
 * which of them takes more.
 */
import { join } from "node:path";
import { type LoweredSchema, lower, printType, type SchemaSide } from "@fairlead/codegen";
import { codecs, decoder, encoder } from "@fairlead/contracts";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { constructs } from "./constructs.ts";
import { valuesOf } from "./values.ts";

const evaluate = (source: string): z.ZodType => new Function("z", "codecs", `return ${source};`)(z, codecs);

/** Anything a caller may try, for every construct. */
const attempts: readonly unknown[] = JSON.parse(
  '["", "a", "ab", "abb", "ABB", "abc", "a\\nc", "bab", "true", "yes", "no", "on", "v1", "a-true", "1", "1.5", "9007199254740993", 0, 1, 2, 3, -1,' +
    ' 1.5, 1e30, true, false, null, [], [1], [1, "a"], [1, 2], {}, {"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": "x"}, {"k": "a"},' +
    ' {"k": "b", "n": 1}, {"zz": 5}, "2026-01-31", "12:00:00", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00+02:00", "2026-01-31T12:00:00",' +
    ' "ada@example.com", "https://example.com/a", "ftp://example.com", "192.0.2.1", "2001:db8::1", "P1D", "+4915112345678"]',
);

interface Tried {
  readonly refused: string | undefined;
  readonly lowered: LoweredSchema;
  readonly type: string;
}

/** As the one field of an object, which is how a contract has it. */
const tryField = (schema: z.ZodType, side: SchemaSide): Tried => {
  const lowered = lower(z.object({ it: schema }), side);
  const [lost] = lowered.unrepresentable;
  const [problem] = lowered.problems;
  const refused =
    problem === undefined ? lost && `\`${lost.what}\`: ${lost.instead}` : `${problem.message}: ${problem.fix}`;
  return { refused, lowered, type: printType(lowered.json, (name) => name) };
};

const send = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const samples = ({ json }: LoweredSchema, seed: number): readonly unknown[] => {
  try {
    return fc.sample(valuesOf(json), { seed, numRuns: 12 });
  } catch {
    // A schema that the generator of values does not know: the attempts have to do.
    return [];
  }
};

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTuples: false,
  validateFormats: false,
});

/** How what is published compares with what is decoded and encoded. */
const compare = (schema: z.ZodType, input: LoweredSchema, output: LoweredSchema | undefined, seed: number): string => {
  const whole = z.object({ it: schema });
  const [isTaken, isGiven] = [ajv.compile(input.json), output === undefined ? undefined : ajv.compile(output.json)];
  let [looser, tighter, other] = [false, false, false];
  for (const value of [{}, ...attempts.map((it) => ({ it })), ...samples(input, seed)].map(send)) {
    const decoded = decoder<unknown>(whole)(value);
    if (isTaken(value) && !decoded.ok) looser = true;
    if (!isTaken(value) && decoded.ok) tighter = true;
    if (!decoded.ok || isGiven === undefined) continue;
    const encoded = encoder<unknown>(whole)(decoded.value);
    if (!encoded.ok) continue;
    const wire = send(encoded.value);
    if (!isGiven(wire)) other = true;
  }
  const words = [looser ? "takes more" : "", tighter ? "takes less" : "", other ? "gives other" : ""];
  return words.filter((word) => word !== "").join(", ") || "agrees";
};

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
const code = (text: string): string => `\`${cell(text)}\``;

const field = ({ lowered: { json } }: Tried): string => {
  const defs = json.$defs === undefined ? "" : ` and ${Object.keys(json.$defs).length} definition(s)`;
  return `${code(JSON.stringify(json.properties?.it ?? {}))}${defs}${json.required === undefined ? ", may be absent" : ""}`;
};

const typeText = ({ type }: Tried): string =>
  code(
    type
      .replace(/^\{\s*it(\??): /, "$1")
      .replace(/;\s*\}$/, "")
      .replace(/^\?/, "absent or "),
  );

const row = (source: string, seed: number): string => {
  const schema = evaluate(source);
  const input = tryField(schema, "input");
  const output = tryField(schema, "output");
  const verdict =
    input.refused === undefined
      ? compare(schema, input.lowered, output.refused === undefined ? output.lowered : undefined, seed)
      : "";
  const cells = [
    code(source),
    input.refused === undefined ? `${field(input)}<br>${typeText(input)}` : `refused: ${cell(input.refused)}`,
    output.refused === undefined ? `${field(output)}<br>${typeText(output)}` : `refused: ${cell(output.refused)}`,
    verdict,
  ];
  return `| ${cells.join(" | ")} |`;
};

const head = `# What a contract may be made of

Written by \`test/golden/constructs.test.ts\`, which tries each construct as a field of an input and of an output. *Input* is what a caller sends,
*output* what a caller gets: the wire side of the schema, as JSON Schema and as TypeScript. *Check* compares what the published schema takes with what the kernel
takes, on some sixty values: *agrees*; *takes more*, where a rule has no words in JSON Schema and the kernel alone refuses; *takes less*, where the kernel is
kinder than what is published; *gives other*, where an output is not what is published. Refused constructs are refused by \`fairlead gen\`, with these words.
`;

test("docs/contracts.md says what becomes of every construct", async () => {
  let seed = 0;
  const tables = Object.entries(constructs).map(([group, sources]) => {
    const rows = sources.map((source) => row(source, ++seed));
    return `## ${group}\n\n| Construct | Input | Output | Check |\n|---|---|---|---|\n${rows.join("\n")}\n`;
  });
  const path = join(import.meta.dirname, "../../docs/contracts.md");
  await expect([head, ...tables].join("\n")).toMatchFileSnapshot(path);
}, 120_000);
