/**
 * What is in the files that an import writes: a contract of an upstream's tools, the tools as they were, and the service that
 * passes calls on. Texts only. Not here: schemas (`print/zod`), and where the files go (`imported`).
 */

import type { ImportRelay } from "@fairlead/contracts";
import { longestDescription } from "../model/tool.ts";
import { block, docComment, importNames, indent, propertyKey, quote } from "../print/text.ts";
import { printZod, recursive } from "../print/zod.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** A tool of an upstream, as its connection shows it. */
export interface UpstreamTool {
  /** The name to call it by. */
  readonly name: string;
  /** The upstream's own. */
  readonly upstreamName: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema | null;
  /** The upstream's claims. */
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A tool and the procedure that it becomes. */
export interface NamedTool {
  readonly procedure: string;
  readonly tool: UpstreamTool;
}

export interface ImportedTexts {
  /** Id of the contract. */
  readonly id: string;
  readonly connection: string;
  readonly through: ImportRelay;
  readonly tools: readonly NamedTool[];
  /** Those that can be none; known all the same, so that they are nothing new. */
  readonly left: readonly UpstreamTool[];
}

/** Is at the head of what an import may overwrite. */
export const importMark = ({ verbs }: ImportRelay): string => `Written by \`fairlead ${verbs.import}`;

/** @param core module of the contract language */
export const importedContract = ({ id, connection, through, tools }: ImportedTexts, core: string): string => {
  const usesMutation = tools.some(({ tool }) => !isReading(tool));
  const usesQuery = tools.some(({ tool }) => isReading(tool));
  const procedures = tools.map(procedureText).join("\n");
  const names = ["defineContract", "error", ...(usesMutation ? ["mutation"] : []), ...(usesQuery ? ["query"] : [])];
  return `/**
 * The tools of the upstream MCP server behind the connection ${connection}, typed. ${importMark(through)} ${connection}\`: run it
 * again when they have changed. The words are the upstream's.
 */
import * as z from "zod";
${importNames(core, names, "value")}

const errors = {
  tool_failed: error({ code: "unknown", when: "the tool says that it has failed" }),
  tool_changed: error({
    code: "failed_precondition",
    when: "the tool is not what it was when it was imported",
    hint: "run \`fairlead ${through.verbs.status} ${connection}\`, then \`fairlead ${through.verbs.import} ${connection}\`",
  }),
  upstream_unavailable: error({
    code: "unavailable",
    when: "the upstream could not be reached, or was lost while it worked",
    data: z.object({
      reason: z.string().describe("Stable name of what is wrong"),
      sent: z.boolean().describe("True when the call may have reached the upstream"),
    }),
  }),
};

/** The result of a tool that promises no structure. */
const unstructured = z.object({
  text: z.string().describe("All text of the result"),
  content: z.array(z.record(z.string(), z.json())).describe("The parts of the result, as MCP has them"),
});

/** As long as a call of an upstream's tool may take. */
const policy = { deadlineMs: 600_000 };
${procedures.includes("recursive((") ? `\n${recursive}` : ""}
export default defineContract({
  id: ${quote(id)},
  version: "0.1.0",
  summary: ${quote(`Tools of the upstream MCP server behind the connection ${connection}.`)},
  procedures: {
${indent(procedures, "    ")}
  },
});
`;
};

const procedureText = ({ procedure, tool }: NamedTool): string => {
  const { inputSchema, outputSchema, annotations, upstreamName } = tool;
  const [summary, description] = splitDescription(tool);
  const kind = isReading(tool) ? "query" : "mutation";
  const lines = [
    `summary: ${quote(summary === "" ? `Calls the tool ${upstreamName}.` : summary)},`,
    ...(description === "" ? [] : [`description: ${quote(description)},`]),
    `input: ${printZod(inputSchema, { unnamed: "refuse" })},`,
    `output: ${outputSchema === null ? "unstructured" : printZod(outputSchema, { unnamed: "leave out" })},`,
    ...(kind === "query" ? [] : [`retry: ${annotations.idempotentHint === true ? '"idempotent"' : '"unsafe"'},`]),
    ...(kind === "mutation" && annotations.destructiveHint === true
      ? ["hints: { destructive: true, openWorld: true },"]
      : ["hints: { openWorld: true },"]),
    "errors,",
    "policy,",
    "tool: false,",
  ];
  return block(`${propertyKey(procedure)}: ${kind}({`, lines, "}),");
};

const isReading = ({ annotations }: UpstreamTool): boolean => annotations.readOnlyHint === true;

const longestSummary = 200;

/** The first line, and the rest. */
const splitDescription = ({ description }: UpstreamTool): readonly [summary: string, description: string] => {
  const text = description.trim();
  const [line = ""] = text.split("\n");
  const summary = line.trim().slice(0, longestSummary);
  const rest = line.trim().length > longestSummary ? text : text.slice(line.length).trim();
  return [summary, rest.slice(0, longestDescription - longestSummary)];
};

/** The tools as data, for calls and for finding out what has changed. */
export const importedTools = ({ connection, through, tools, left }: ImportedTexts): string => {
  const members = tools.map(({ procedure, tool }) => `${propertyKey(procedure)}: ${json(pickStored(tool))},`);
  return `${docComment(
    `The tools of ${connection} as they were. ${importMark(through)} ${connection}\`; compared with what the upstream says later.`,
  )}${importNames(through.runtime, ["ImportedTool"], "type")}

${block("export const tools = {", members, "} satisfies Readonly<Record<string, ImportedTool>>;")}

/** Those that no contract can hold. */
export const left: readonly ImportedTool[] = ${json(left.map(pickStored))};
`;
};

const pickStored = ({ name, upstreamName, description, inputSchema, outputSchema, annotations }: UpstreamTool) => ({
  name,
  upstreamName,
  description,
  inputSchema,
  outputSchema,
  annotations,
});

/** As an expression. `__proto__` as a key would be no member but the prototype. */
const json = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replaceAll('"__proto__":', '["__proto__"]:');

/** @param contract module of the contract */
export const importedService = ({ id, connection, through }: ImportedTexts, contract: string): string => {
  const own = [importNames(through.runtime, ["importedService"], "value"), `import contract from "${contract}";`];
  const imports = contract.startsWith("@") ? own.toReversed() : own;
  return `/**
 * The ${id} service: passes calls on to the connection ${connection}, typed.
 */
${imports.join("\n")}
import { left, tools } from "./tools.ts";

export default importedService(contract, { connection: ${quote(connection)}, tools, left });
`;
};
