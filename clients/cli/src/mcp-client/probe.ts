/**
 * A handshake as an MCP client makes it, through exactly what its file says: the newer revision is asked for first, and the tools are listed.
 * A program gets what clients give their servers, a few variables.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { isRecord } from "../text/record.ts";
import type { Launch } from "./launch.ts";

export type ProbeReport =
  | {
      readonly ok: true;
      /** Protocol revision, like `2025-11-25`. */
      readonly revision: string;
      readonly tools: number;
      /** Milliseconds to the list of tools. */
      readonly ms: number;
    }
  | { readonly ok: false; readonly fault: string };

interface ProbeOptions {
  /** Folder that a program is started in. */
  readonly cwd: string;
  /** Of this command. */
  readonly version: string;
  /** Milliseconds for each of its requests. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Characters kept of what a program wrote to stderr. */
const longestWords = 2_000;

export const probe = async (
  launch: Launch,
  { cwd, version, timeoutMs, signal }: ProbeOptions,
): Promise<ProbeReport> => {
  const [missing] = launch.missing;
  if (missing !== undefined) return { ok: false, fault: `not asked: ${missing}, which it passes on, is not set here` };
  const client = new Client({ name: "fairlead", version }, { versionNegotiation: { mode: "auto" } });
  let words = "";
  const transport = makeTransport(launch, cwd, (text) => {
    words = (words + text).slice(-longestWords);
  });
  const began = performance.now();
  const options = { timeout: timeoutMs, signal };
  try {
    await client.connect(transport, options);
    let tools = 0;
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
      const listed = await client.listTools(cursor === undefined ? undefined : { cursor }, options);
      tools += listed.tools.length;
      cursor = listed.nextCursor;
    }
    if (tools === 0) return { ok: false, fault: "it offers no tools" };
    const ms = Math.round(performance.now() - began);
    return { ok: true, revision: client.getNegotiatedProtocolVersion() ?? "", tools, ms };
  } catch (error) {
    const place = launch.kind === "address" ? ` at ${launch.url}` : "";
    const fault = `no answer${place}: ${reasons(error).join(": ")}`;
    const last = lastWords(words);
    return { ok: false, fault: last === undefined ? fault : `${fault}; it wrote: ${last}` };
  } finally {
    await client.close().catch(() => undefined);
  }
};

/** The message of an error, and of what caused it. */
const reasons = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [String(error)];
  const { message, cause } = error;
  return [
    message || ("code" in error ? String(error.code) : error.name),
    ...(cause === undefined ? [] : reasons(cause)),
  ];
};

/** The last line that a program wrote; of an error of this command, its words. */
const lastWords = (written: string): string | undefined => {
  const last = written.trim().split("\n").at(-1);
  if (last === undefined || last === "") return undefined;
  try {
    const document: unknown = JSON.parse(last);
    const error = isRecord(document) && isRecord(document.error) ? document.error : {};
    return typeof error.message === "string"
      ? [error.message, error.hint].filter((part) => typeof part === "string").join("; ")
      : last;
  } catch {
    return last;
  }
};

const makeTransport = (launch: Launch, cwd: string, collect: (text: string) => void) => {
  if (launch.kind === "address")
    return new StreamableHTTPClientTransport(new URL(launch.url), { requestInit: { headers: launch.headers } });
  const { command, args, env } = launch;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    cwd,
    stderr: "pipe",
  });
  transport.stderr?.on("data", (part: Buffer) => collect(part.toString("utf8")));
  return transport;
};
