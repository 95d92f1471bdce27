/**
 * What a startup script can do, in the words of the specification: `mcp_add`, `mcp_remove`, `mcp_status`, `mcp_list`. The same for Lua
 * and TypeScript. A script is the server's own configuration, so it may name programs.
 */
import * as z from "zod";
import { nameSchema, type UpstreamConfig, upstreamSchema } from "../config.ts";

/** What a script sees of a connection. */
export interface ScriptStatus {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly error?: string;
}

export interface StartupTools {
  /** Adds a connection and does not wait for it. The same again changes nothing; another address reconnects. */
  mcp_add(name: string, upstream: string | UpstreamConfig): void;
  /** False when there was none. */
  mcp_remove(name: string): boolean;
  mcp_status(name: string): ScriptStatus | undefined;
  mcp_list(): readonly ScriptStatus[];
}

/** The same with names and arguments that nobody has checked. */
export interface ScriptTools {
  ask(name: string, args: readonly unknown[]): unknown;
}

const upstream = z.union([z.string().transform((url) => ({ url })), z.unknown()]).pipe(upstreamSchema);

export const scriptTools = (tools: StartupTools): ScriptTools => ({
  ask: (name, args) => {
    const connection = (): string => checked(name, nameSchema, args[0]);
    switch (name) {
      case "mcp_add":
        return tools.mcp_add(connection(), checked(name, upstream, args[1]));
      case "mcp_remove":
        return tools.mcp_remove(connection());
      case "mcp_status":
        return tools.mcp_status(connection());
      case "mcp_list":
        return tools.mcp_list();
      default:
        throw new Error(`there is no tools.${name}`);
    }
  },
});

const checked = <T>(name: string, schema: z.ZodType<T>, value: unknown): T => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join(".") ?? "";
  throw new Error(`${name}: ${path === "" ? "" : `${path}: `}${issue?.message ?? "not understood"}`);
};
