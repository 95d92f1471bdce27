/**
 * A procedure as an MCP tool: name, words, schemas and annotations, in the form that `tools/list` sends. Models read this, so it
 * says each thing once and leaves out what costs tokens and helps no model: declared errors, which are read when they happen, bounds, and what is
 * deep in an output. The full profile has it all (`kernel/src/transport/mcp/list/full-tools.ts`).
 *
 * Not here: the file that carries them (`emit/tools`), and judging them (`check`).
 */
import { deprecationText } from "@fairlead/contracts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { sentenceCase } from "./letter-case.ts";
import type { ProcedureModel, ServiceModel } from "./model.ts";
import { toolInputSchema, toolOutputSchema, toolSchema } from "./tool-schema.ts";

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
  /** True when the output is not an object and goes out as `{ value }`. */
  readonly wrapped: boolean;
  /** `core`: for hosts that search, one of the first. `full`: listed by the full profile alone. */
  readonly listed?: "core" | "full";
  /** Names of arguments that say how an answer is wanted, where the procedure's own input has them. */
  readonly ownArguments?: readonly AnswerArgument[];
  /** The argument that the file of an upload comes in; the input has no field of that name. */
  readonly fileArgument?: string;
  /** It gives a file: its answer is linked to a resource. */
  readonly givesFile?: true;
  readonly tool: ToolDefinition;
}

/** The file of an upload as a model sends it. */
const fileSchema = {
  type: "object",
  description: "Has `text`, `base64` or `path`",
  properties: {
    text: { type: "string" },
    base64: { type: "string" },
    path: { type: "string", description: "Absolute, in a folder of the client; over stdio" },
    name: { type: "string" },
    type: { type: "string", description: "Media type" },
  },
} as const satisfies JsonSchema;

/** The first of these that the input has no field of. */
const fileArguments = ["file", "upload", "fileToUpload"] as const;

/** What MCP takes with any tool. */
const answerArguments = {
  limitTokens: { type: "integer", description: "Of the answer" },
  fields: { type: "array", items: { type: "string" }, description: "Of the answer" },
} as const satisfies Readonly<Record<string, JsonSchema>>;

type AnswerArgument = keyof typeof answerArguments;

const answerArgumentNames = ["limitTokens", "fields"] as const satisfies readonly AnswerArgument[];

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
  const { listed, fields, long } = procedure.toolView;
  const wrapped = !isPlainObject(toolSchema(procedure.output));
  const output = toolOutputSchema(procedure.output);
  const own = answerArgumentNames.filter((each) => Object.hasOwn(procedure.input.json.properties ?? {}, each));
  const fileArgument =
    procedure.upload === undefined
      ? undefined
      : fileArguments.find((each) => !Object.hasOwn(procedure.input.json.properties ?? {}, each));
  const input = withFile(objectFirst(toolInputSchema(procedure.input, fields)), fileArgument);
  const title = procedure.toolView.title ?? titleFromNames(procedure);
  return {
    procedure: procedure.fullName,
    wrapped,
    ...(listed !== undefined && { listed }),
    ...(own.length > 0 && { ownArguments: own }),
    ...(fileArgument !== undefined && { fileArgument }),
    ...(procedure.download !== undefined && { givesFile: true as const }),
    tool: {
      name,
      title,
      description: describe(procedure),
      inputSchema: long === true ? withAnswerArguments(input, own) : input,
      outputSchema: wrapped ? wrap(output) : objectFirst(long === true ? inPart(output) : output),
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

const withFile = (input: JsonSchema, name: string | undefined): JsonSchema => {
  if (name === undefined) return input;
  const { properties, required = [], ...rest } = input;
  return { ...rest, properties: { ...properties, [name]: fileSchema }, required: [...required, name] };
};

const withAnswerArguments = (input: JsonSchema, own: readonly AnswerArgument[]): JsonSchema => {
  const added = answerArgumentNames.filter((each) => !own.includes(each)).map((each) => [each, answerArguments[each]]);
  return { ...input, properties: { ...input.properties, ...Object.fromEntries(added) } };
};

/** Of what can be asked for in part, no field is sure to be there. */
const inPart = ({ required: _, ...output }: JsonSchema): JsonSchema => output;

/** A verb alone says too little in a list of many servers' tools, so its service follows. */
const titleFromNames = ({ name, fullName }: ProcedureModel): string => {
  const words = sentenceCase(name);
  return words.includes(" ") ? words : `${words} (${fullName.slice(0, fullName.indexOf("."))})`;
};

/** What the contract says to models, or else its summary and description. */
const describe = ({ summary, description, deprecated, toolView }: ProcedureModel): string => {
  const notice = deprecated === undefined ? [] : [deprecationText(deprecated)];
  if (toolView.description !== undefined) return [toolView.description, ...notice].join("\n\n");
  return [summary, ...notice, ...(description === undefined ? [] : [description])].join("\n\n");
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
