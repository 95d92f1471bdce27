/**
 * Every construct is tried, and `docs/contracts.md` is written from what came out: what is published for it, its types, or the words
 * it is refused with. For what is not refused, values are sent through Zod and through ajv in strict mode: they agree, or the table says
 * which of them takes more.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { query, queryParameters } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { compare, evaluate, type TriedField, tryField } from "./construct-check.ts";
import { constructs } from "./constructs.ts";
import { TemporaryProject } from "./project.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
const code = (text: string): string => (text.includes("`") ? `\`\` ${cell(text)} \`\`` : `\`${cell(text)}\``);

const schemaText = ({ lowered: { json } }: TriedField): string => {
  const defs = json.$defs === undefined ? "" : ` and ${Object.keys(json.$defs).length} definition(s)`;
  return `${code(JSON.stringify(json.properties?.it ?? {}))}${defs}${json.required === undefined ? ", may be absent" : ""}`;
};

const typeText = ({ type }: TriedField): string =>
  code(
    type
      .replace(/^\{\s*(?:\/\*\*[^*]*\*\/\s*)?it(\??): /, "$1")
      .replace(/;\s*\}$/, "")
      .replace(/^\?/, "absent or "),
  );

const pythonText = ({ python }: TriedField): string =>
  code(python.replace(/^it: /, "").replace(/^NotRequired\[(.*)\]$/, "$1"));

/** Both sides of it, or one where they are the same. */
const bothSides = (input: TriedField, output: TriedField, print: (field: TriedField) => string): string => {
  const [taken, given] = [input, output].map((field) => (field.refused === undefined ? print(field) : undefined));
  if (taken === given) return taken ?? "";
  if (taken === undefined || given === undefined) return taken ?? `output: ${given}`;
  return `input: ${taken}<br>output: ${given}`;
};

const refusals = (input: TriedField, output: TriedField): string => {
  if (input.refused === output.refused) return input.refused === undefined ? "" : `both: ${input.refused}`;
  return [input.refused && `input: ${input.refused}`, output.refused && `output: ${output.refused}`]
    .filter((words) => words !== undefined)
    .join("<br>");
};

interface TriedConstruct {
  readonly source: string;
  readonly seed: number;
  /** Why no tool takes it. */
  readonly tool: string | undefined;
}

const row = ({ source, seed, tool }: TriedConstruct): string => {
  const schema = evaluate(source);
  const [input, output] = [tryField(schema, "input"), tryField(schema, "output")];
  const isInput = input.refused === undefined;
  const cells = [
    code(source),
    bothSides(input, output, schemaText),
    bothSides(input, output, typeText),
    bothSides(input, output, pythonText),
    isInput ? encoding(schema) : "",
    isInput ? cell(tool ?? "yes") : "",
    cell(refusals(input, output)),
    compare(source, { seed, count: 12 }),
  ];
  return `| ${cells.join(" | ")} |`;
};

/** How a query sends it as its one field. */
const encoding = (schema: z.ZodType): string => {
  const procedure = query({ summary: "x", input: z.object({ it: schema }), output: z.int() });
  return queryParameters(procedure).has("it") ? "`?it=`" : "body";
};

/** What `gen` says against each construct in the input of a tool. */
const toolRefusals = async (sources: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  using project = new TemporaryProject();
  const procedures = sources.map(
    (source, at) =>
      `c${at}: query({ summary: "Tries.", input: z.object({ it: z.lazy(() => ${source}).describe("It") }), output: z.int().describe("It") }),`,
  );
  const head = 'import * as z from "zod"; import { codecs, defineContract, query } from "@fairlead/contracts";';
  const rest = `id: "tried", version: "1.0.0", summary: "Tries."`;
  const text = `${head}\nexport default defineContract({ ${rest}, procedures: {\n${procedures.join("\n")}\n} });\n`;
  project.write("contracts/tried.contract.js", text);
  const { diagnostics } = await project.generate();
  const refused = new Map<string, string>();
  for (const { code, where, message, fix } of diagnostics) {
    const source = sources[Number(/^tried\.c(\d+) input/.exec(where)?.[1])];
    const words = `no: ${message}: ${fix}`;
    if (["schema_unsupported", "schema_empty"].includes(code) && source !== undefined) refused.set(source, words);
  }
  return refused;
};

const head = `# What a contract may be made of

Written by \`test/golden/constructs.test.ts\` in the long tier (\`npm run test:long -- test/golden/constructs -u\`), which tries each construct as a field of an input and of an output. *JSON Schema*, *TypeScript* and *Python* are the wire side of
it: what a caller sends and gets, and what every other language is generated from. *HTTP* is how a query sends it as its one field: in the query string
or in the body. *Tool* says whether the input of an MCP tool may have it. *Refused* has the words of \`fairlead gen\`. *Check* compares what the published schema takes with
what the kernel takes, on some sixty values: *agrees*; *takes more*, where a rule has no words in JSON Schema and the kernel alone refuses; *takes less*, where the kernel is
kinder than what is published; *gives other*, where an output is not what is published; *throws*, where a call fails for a function of the schema, which the proof of
\`gen\` refuses.

A TypeScript client has the wire side. A caller that has the contract may work with values, a \`Date\` instead of its text:
\`createClient<ValueTypes<typeof contract>>(withValues(descriptor, contract), transport)\`, both from \`@fairlead/contracts/values\`.

In Python an object is a class of its own, named after its place; here its fields are in the place of that name. What may be absent is \`NotRequired\` in the class, and an
argument that may be left out of a method.

A brand is not printed: Zod keeps nothing of it at run time, so that no generator can find it. \`ValueTypes<typeof contract>\` are the types that Zod infers and have it, in
what a caller gives and gets.
`;

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const path = join(import.meta.dirname, "../../docs/contracts.md");
const all = Object.values(constructs).flat();

if (inLongTier) {
  test("docs/contracts.md says what becomes of every construct", async () => {
    expect(new Set(all).size).toBeGreaterThanOrEqual(200);
    const tools = await toolRefusals(all);
    let seed = 0;
    const tables = Object.entries(constructs).map(([group, sources]) => {
      const rows = sources.map((source) => row({ source, seed: ++seed, tool: tools.get(source) }));
      const columns =
        "| Construct | JSON Schema | TypeScript | Python | HTTP | Tool | Refused | Check |\n|---|---|---|---|---|---|---|---|";
      return `## ${group}\n\n${columns}\n${rows.join("\n")}\n`;
    });
    await expect([head, ...tables].join("\n")).toMatchFileSnapshot(path);
  });
}

test("docs/contracts.md says what becomes of every fifth construct", async () => {
  const written = readFileSync(path, "utf8").split("\n");
  const tried = all.map((source, at) => ({ source, seed: at + 1 })).filter(({ seed }) => seed % 5 === 0);
  const tools = await toolRefusals(tried.map(({ source }) => source));
  const rows = tried.map(({ source, seed }) => row({ source, seed, tool: tools.get(source) }));
  expect(rows.filter((each) => !written.includes(each))).toEqual([]);
});
