/**
 * What a startup script can do, in the words of the specification: `mcp_add`, `mcp_remove`, `mcp_status`, `mcp_list`. The same for Lua
 * and TypeScript. A script is the server's own configuration, so it may name programs.
 */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import * as z from "zod";
import { httpSchema, nameSchema, stdioSchema, type UpstreamConfig, type UpstreamSettings } from "../config/config.ts";

/** What a script sees of a connection. */
export interface ScriptStatus {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly error?: string;
}

/** What a startup script can call. Each throws where its arguments are wrong. */
export interface StartupTools {
  /** Adds a connection and does not wait for it. The same again changes nothing; another address reconnects. */
  mcp_add(name: string, upstream: string | UpstreamConfig): void;
  /** False when there was none. */
  mcp_remove(name: string): boolean;
  mcp_status(name: string): ScriptStatus | undefined;
  mcp_list(): readonly ScriptStatus[];
}

/** The same with names and arguments that are not checked yet. */
export interface ScriptTools {
  call(name: string, args: readonly unknown[]): unknown;
}

export const scriptFunctions = ["mcp_add", "mcp_remove", "mcp_status", "mcp_list"] as const;

export const scriptTools = (tools: StartupTools): ScriptTools => ({
  call: (name, args) => {
    const connection = (): string => {
      const [first] = args;
      if (typeof first === "string") return parseArgument(name, nameSchema, first);
      throw new Error(`${name}: the first argument is the connection's name, like tools.${name}("holler")`);
    };
    switch (name) {
      case "mcp_add":
        return tools.mcp_add(connection(), parseUpstream(name, args[1]));
      case "mcp_remove":
        return tools.mcp_remove(connection());
      case "mcp_status":
        return tools.mcp_status(connection());
      case "mcp_list":
        return tools.mcp_list();
      default:
        throw new Error(
          `there is no ${name}${formatSuggestion(
            didYouMean(
              name,
              scriptFunctions.map((each) => `tools.${each}`),
            ),
          )}`,
        );
    }
  },
});

/** Its fields decide the kind of upstream, so that an error is about that kind and not about both. */
const parseUpstream = (name: string, value: unknown): UpstreamSettings => {
  if (typeof value === "string") return parseArgument(name, httpSchema, { url: value });
  const settings: object = typeof value === "object" && value !== null ? value : {};
  if ("url" in settings) return parseArgument(name, httpSchema, settings);
  if ("command" in settings) return parseArgument(name, stdioSchema, settings);
  const fields = [...Object.keys(httpSchema.shape), ...Object.keys(stdioSchema.shape)];
  const wrong = Object.keys(settings).find((key) => !fields.includes(key));
  if (wrong !== undefined) throw new Error(`${name}: ${unknownField([wrong], fields)}`);
  throw new Error(`${name}: name a \`url\` or a \`command\``);
};

const parseArgument = <T>(name: string, schema: z.ZodType<T>, value: unknown): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  if (issue?.code === "unrecognized_keys") {
    throw new Error(`${name}: ${unknownField([...path, issue.keys[0] ?? ""], fieldsAt(schema, path))}`);
  }
  throw new Error(`${name}: ${path.length === 0 ? "" : `${path.join(".")}: `}${issue?.message ?? "not understood"}`);
};

const unknownField = (path: readonly PropertyKey[], fields: readonly string[]): string => {
  const near = didYouMean(String(path.at(-1)), fields);
  return `${path.join(".")}: there is no such field${formatSuggestion(near)}`;
};

const formatSuggestion = (near: string | undefined): string =>
  near === undefined ? "" : `; did you mean \`${near}\`?`;

/** The fields that an object has at that place of the schema; none where they are not known. */
const fieldsAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] => {
  let at: unknown = schema;
  for (const step of path) at = at instanceof z.ZodObject ? bare(at.shape[String(step)]) : undefined;
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
};

const bare = (field: unknown): unknown =>
  field instanceof z.ZodDefault || field instanceof z.ZodOptional ? bare(field.unwrap()) : field;
