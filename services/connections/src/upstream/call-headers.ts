/**
 * The headers in which the stateless era repeats what a call's body says: revision, method, tool, and the arguments for which the tool's
 * schema wants it (`x-mcp-header`). Not here: whether a schema may want that (the SDK knows).
 */
import { isRecord } from "../json/record.ts";

/** An argument that is repeated. */
export interface HeaderParameter {
  /** Where it is among the arguments. */
  readonly path: readonly string[];
  /** Its header, without what all have in front. */
  readonly header: string;
}

export const callHeaders = (revision: string, tool: string): Readonly<Record<string, string>> => ({
  "mcp-protocol-version": revision,
  "mcp-method": "tools/call",
  "mcp-name": headerValue(tool),
});

/** The arguments that a sound schema wants repeated. */
export const findHeaderParameters = (schema: unknown, path: readonly string[] = []): readonly HeaderParameter[] => {
  if (!isRecord(schema)) return [];
  const header = schema["x-mcp-header"];
  const own = typeof header === "string" ? [{ path, header }] : [];
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return [...own, ...properties.flatMap(([name, each]) => findHeaderParameters(each, [...path, name]))];
};

/** What is left out, or has no one way to be written, has no header. */
export const parameterHeaders = (
  parameters: readonly HeaderParameter[],
  input: unknown,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters.flatMap(({ path, header }) => {
      const text = formatValue(path.reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), input));
      return text === undefined ? [] : [[`mcp-param-${header.toLowerCase()}`, headerValue(text)]];
    }),
  );

const formatValue = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
};

/** As it is where a header can hold it, else in Base64 between marks; and so is what looks like that already. */
const headerValue = (text: string): string => {
  const isMarked = text.startsWith("=?base64?") && text.endsWith("?=");
  return /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() && !isMarked
    ? text
    : `=?base64?${Buffer.from(text).toString("base64")}?=`;
};
