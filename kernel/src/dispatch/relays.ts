/**
 * Tools that services find while they run, as procedures of their own names: `connections.holler__ping` is a call of
 * `connections.callTool` with `{ tool: "holler__ping", arguments }`. All transports and dispatch look here, so that each such tool has
 * every transport that a procedure has.
 *
 * A result that says `isError` goes to MCP clients as received. Other callers called a procedure, and get its failure as of any
 * other: by an error, whose exit code, status or exception cannot be overlooked.
 *
 * Not here: where the tools come from (the service's `relay`), and their calls (dispatch, as any others).
 */
import { cleanText, type WireError } from "@fairlead/contracts";
import type { CallRequest, Reply } from "../call/call.ts";
import type { ToolEntry } from "../host/manifest.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";

/** A name that leads to another procedure. */
export interface RelayedTool {
  /** The procedure that takes the call. */
  readonly through: HostedProcedure;
  /** Name of the tool, for that procedure. */
  readonly tool: string;
  readonly definition: ToolEntry["tool"];
}

export class Relays {
  readonly #instances: ReadonlyMap<string, ServiceInstance>;
  readonly #procedures: ReadonlyMap<string, HostedProcedure>;

  constructor(instances: ReadonlyMap<string, ServiceInstance>, procedures: ReadonlyMap<string, HostedProcedure>) {
    this.#instances = instances;
    this.#procedures = procedures;
  }

  /** What a full name leads to, when no procedure has it. */
  find(name: string): RelayedTool | undefined {
    const dot = name.indexOf(".");
    const instance = this.#instances.get(name.slice(0, dot));
    const found = instance?.findRelayedTool(name.slice(dot + 1));
    if (instance === undefined || found === undefined) return undefined;
    const { definition } = found;
    const through = this.#procedures.get(`${instance.id}.${found.through}`);
    return through === undefined ? undefined : { through, tool: definition.name, definition };
  }

  /** The tool that clients know by that name, listed or not, whichever service relays it. */
  tool(name: string): ToolEntry | undefined {
    for (const instance of this.#instances.values()) {
      const tool = instance.findRelayedTool(name)?.definition;
      if (tool !== undefined) return toToolEntry(instance.id, tool);
    }
    return undefined;
  }

  /** All of them, by service, each with the full name it is called by. */
  list(): readonly ToolEntry[] {
    return [...this.#instances.values()].flatMap((instance) =>
      instance.relayedTools().map((tool) => toToolEntry(instance.id, tool)),
    );
  }

  /** Calls back when the list has changed, or may have. */
  onChange(listener: () => void): () => void {
    const leaves = [...this.#instances.values()].map((instance) => instance.onRelayChange(listener));
    return () => {
      for (const leave of leaves) leave();
    };
  }
}

const toToolEntry = (service: string, tool: ToolEntry["tool"]): ToolEntry => ({
  procedure: `${service}.${tool.name}`,
  wrapped: false,
  passed: true,
  tool,
});

/** A call of a relayed tool as the call it leads to. Dispatch decodes that one's input, once. */
export const toRelayedCall = (request: CallRequest, { through, tool }: RelayedTool): CallRequest => ({
  ...request,
  procedure: through.entry.name,
  input: { tool, arguments: request.input ?? {} },
});

/** What every relayed tool can fail with in addition to the errors of the procedure that takes its calls. */
export const toolFailed = { code: "unknown", reason: "tool_failed" } as const;

/** Characters of an upstream's own words. */
const longestMessage = 8_000;

export const toRelayedReply = (reply: Reply, { transport }: CallRequest, { through, tool }: RelayedTool): Reply => {
  if (!reply.ok || transport === "mcp" || !isFailure(reply.value)) return reply;
  const error: WireError = {
    ...toolFailed,
    message: cleanText(resultText(reply.value), longestMessage) || `${tool} says that it has failed`,
    hint: `\`${through.entry.name}\` gives the tool's whole result`,
    retryable: false,
  };
  return { ok: false, error };
};

interface ToolFailure {
  readonly isError: true;
  readonly content?: unknown;
}

const isFailure = (value: unknown): value is ToolFailure =>
  typeof value === "object" && value !== null && "isError" in value && value.isError === true;

const resultText = ({ content }: ToolFailure): string =>
  (Array.isArray(content) ? content : [])
    .flatMap((part: unknown) =>
      typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? [part.text] : [],
    )
    .join("\n");
