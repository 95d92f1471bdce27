/**
 * Tools as the full profile lists them: with the description and the errors of the contract, and with the schemas of the service's
 * JSON Schema document, complete. Loaded when somebody asks for it.
 *
 * Not here: the short form, which `fairlead gen` writes.
 */
import { deprecationText, type Procedure } from "@fairlead/contracts";
import { isRecord, readMember } from "../../../call/record.ts";
import type { ToolEntry } from "../../../host/manifest.ts";
import { type JsonSchema, parseSchemaDocument, standalone } from "../../../host/schema-document.ts";
import type { Surroundings } from "../../transport.ts";

/** The longest description that every vendor takes. */
const longestDescription = 1_024;

export const loadFullTools = (
  { catalog, manifest }: Pick<Surroundings, "catalog" | "manifest">,
  services: readonly string[],
): Promise<(entry: ToolEntry) => ToolEntry["tool"]> =>
  Promise.all(services.map((id) => manifest.schema(id).then((text) => [id, parseSchemaDocument(text)] as const))).then(
    (loaded) => {
      const documents = new Map(loaded);
      return ({ procedure: name, passed, wrapped, fileArgument, tool }) => {
        const { service = "", procedure } = catalog.find(name) ?? {};
        const document = documents.get(service);
        if (passed === true || procedure === undefined || document === undefined) return tool;
        const schema = (part: string): JsonSchema =>
          withoutReference(standalone(document, `${name.slice(service.length + 1)}.${part}`));
        const [input, output] = [schema("input"), schema("output")];
        return {
          ...tool,
          description: describe(procedure),
          ...(input.type === "object" && {
            inputSchema: withFile({ ...input, type: "object" }, { fileArgument, tool }),
          }),
          ...(Object.keys(output).length > 0 && {
            outputSchema: wrapped ? wrap(output) : { ...output, type: "object" },
          }),
        };
      };
    },
  );

/** Summary, description and the declared errors: with the words when they happen, where there is room for that. */
const describe = ({ summary, description, deprecated, errors = {} }: Procedure): string => {
  const notice = deprecated === undefined ? [] : [deprecationText(deprecated)];
  const lead = [summary, ...notice, ...(description === undefined ? [] : [description])].join("\n\n");
  const reasons = Object.entries(errors);
  if (reasons.length === 0) return lead;
  const whole = `${lead}\n\nErrors:\n${reasons.map(([reason, { when }]) => `- ${reason}: ${when}`).join("\n")}`;
  return whole.length <= longestDescription
    ? whole
    : `${lead}\n\nErrors: ${reasons.map(([reason]) => reason).join(", ")}`;
};

interface FileTool {
  readonly fileArgument: string | undefined;
  readonly tool: ToolEntry["tool"];
}

/** The argument of a file is the tool's own: the contract's input does not have it. */
const withFile = (input: JsonSchema, { fileArgument, tool }: FileTool): JsonSchema => {
  if (fileArgument === undefined) return input;
  const file = readMember(readMember(tool.inputSchema, "properties"), fileArgument);
  const required = Array.isArray(input.required) ? input.required : [];
  const properties = isRecord(input.properties) ? input.properties : {};
  return { ...input, properties: { ...properties, [fileArgument]: file }, required: [...required, fileArgument] };
};

/** MCP wants an object's schema itself, and a document may refer to it. */
const withoutReference = (schema: JsonSchema): JsonSchema => {
  const { $ref, $defs } = schema;
  const name = typeof $ref === "string" ? $ref.replace("#/$defs/", "") : undefined;
  const definition = name !== undefined && isRecord($defs) ? $defs[name] : undefined;
  return isRecord(definition) ? { ...definition, $defs } : schema;
};

const wrap = ({ $defs, ...value }: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { value },
  required: ["value"],
  ...($defs !== undefined && { $defs }),
});
