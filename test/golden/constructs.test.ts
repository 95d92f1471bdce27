/**
 * Every construct is tried, and `docs/contracts.md` is written from what came out: what is published for it, its types, or the words
 * it is refused with. For what is not refused, values are sent through Zod and through ajv in strict mode: they agree, or the table says
 * which of them takes more.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { compare, evaluate, type TriedField, tryField } from "./construct-check.ts";
import { constructs } from "./constructs.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
const code = (text: string): string => (text.includes("`") ? `\`\` ${cell(text)} \`\`` : `\`${cell(text)}\``);

const field = ({ lowered: { json } }: TriedField): string => {
  const defs = json.$defs === undefined ? "" : ` and ${Object.keys(json.$defs).length} definition(s)`;
  return `${code(JSON.stringify(json.properties?.it ?? {}))}${defs}${json.required === undefined ? ", may be absent" : ""}`;
};

const typeText = ({ type }: TriedField): string =>
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
  const cells = [
    code(source),
    input.refused === undefined ? `${field(input)}<br>${typeText(input)}` : `refused: ${cell(input.refused)}`,
    output.refused === undefined ? `${field(output)}<br>${typeText(output)}` : `refused: ${cell(output.refused)}`,
    compare(source, { seed, count: 12 }),
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
