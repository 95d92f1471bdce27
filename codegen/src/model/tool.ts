/**
 * A procedure as an MCP tool: name, words, schemas and annotations, in the form that `tools/list` sends. Models read this, so it
 * says each thing once and leaves out what costs tokens and helps no model.
 *
 * Not here: the file that carries them (`emit/tools`), and judging them (`check`).
 */
import { deprecationText, toolSummary } from "@fairlead/contracts";
import { type JsonSchema, rewrite } from "../schema/json-schema.ts";
import { sentenceCase } from "./letter-case.ts";
import type { ProcedureModel, ServiceModel } from "./model.ts";
import { toolInputSchema, toolSchema } from "./tool-schema.ts";

/** The longest description that every vendor takes. */
export const longestDescription = 1_024;

interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean | string>>;
  readonly [key: string]: unknown;
}

export interface ToolModel {
  readonly procedure: string;
  /** True when the output is no object and goes out as `{ value }`. */
  readonly wrapped: boolean;
  readonly tool: ToolDefinition;
}

const cache = new WeakMap<ProcedureModel, ToolModel>();

/** The tools of a service, in the order of its procedures. */
export const listTools = ({ procedures }: ServiceModel): readonly ToolModel[] =>
  procedures.flatMap((procedure) => buildTool(procedure) ?? []);

/** The tool of a procedure, or `undefined` for one that is kept off MCP. */
export const buildTool = (procedure: ProcedureModel): ToolModel | undefined => {
  if (procedure.tool === false || procedure.kind === "subscription") return undefined;
  const before = cache.get(procedure);
  if (before !== undefined) return before;
  const made = createTool(procedure, procedure.tool);
  cache.set(procedure, made);
  return made;
};

const createTool = (procedure: ProcedureModel, name: string): ToolModel => {
  const shown = toolSchema(procedure.output);
  const wrapped = !isPlainObject(shown);
  const title = sentenceCase(procedure.name);
  // Only what tools take is summarized.
  const output = rewrite(shown, ({ [toolSummary]: _, ...node }) => node);
  return {
    procedure: procedure.fullName,
    wrapped,
    tool: {
      name,
      title,
      description: describe(procedure),
      inputSchema: objectFirst(toolInputSchema(procedure.input, procedure.leanTool)),
      outputSchema: wrapped ? wrap(output) : objectFirst(output),
      annotations: {
        title,
        readOnlyHint: procedure.kind === "query",
        destructiveHint: procedure.kind !== "query" && (procedure.hints.destructive ?? false),
        idempotentHint: procedure.retry === "safe" || procedure.retry === "idempotent",
        openWorldHint: procedure.hints.openWorld ?? false,
      },
    },
  };
};

/** Summary, description and the declared errors: with the words when they happen, where there is room for that. */
const describe = ({ summary, description, deprecated, errors, leanTool }: ProcedureModel): string => {
  const notice = deprecated === undefined ? [] : [deprecationText(deprecated)];
  const lead = [summary, ...notice, ...(description === undefined ? [] : [description])].join("\n\n");
  if (errors.length === 0 || leanTool) return lead;
  const full = `${lead}\n\nErrors:\n${errors.map(({ reason, when }) => `- ${reason}: ${when}`).join("\n")}`;
  return full.length <= longestDescription
    ? full
    : `${lead}\n\nErrors: ${errors.map(({ reason }) => reason).join(", ")}`;
};

/** MCP wants `type: "object"` on top. A union, even of objects, has none and is wrapped. */
const isPlainObject = ({ type, anyOf, oneOf, allOf, $ref }: JsonSchema): boolean =>
  type === "object" && anyOf === undefined && oneOf === undefined && allOf === undefined && $ref === undefined;

const wrap = ({ $defs, ...value }: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { value },
  required: ["value"],
  ...($defs !== undefined && { $defs }),
});

const objectFirst = ({ type, ...rest }: JsonSchema): JsonSchema => ({ ...(type !== undefined && { type }), ...rest });
