/**
 * A service whose procedures are the tools of an upstream, as `fairlead conn import` writes it: each call goes through the connections
 * service like any caller's, and its result comes back as the contract types it.
 *
 * It reports the tools it was made of, so that a difference is published: at every event of the connection, and every minute, since the
 * other side keeps it in memory only. A missing connection shows as degraded. Not here: the upstream.
 */
import { type Contract, type Decoder, decoder, FairleadError, type ProcedureName } from "@fairlead/contracts";
import type connections from "@fairlead/contracts/connections";
import type { Call, Condition, Handlers, Host, Peer, Service } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { cutText } from "../messages/cut-text.ts";

/** Characters of a failed tool's text in the error. */
const longestMessage = 8_000;

/** A tool as it was when it was imported. */
export interface ImportedTool {
  /** The name to call it by. */
  readonly name: string;
  /** The upstream's own. */
  readonly upstreamName: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** What an imported service relays. */
export interface ImportedParts<C extends Contract> {
  readonly connection: string;
  readonly tools: { readonly [N in ProcedureName<C>]: ImportedTool };
  /** Those that no contract can hold; known, so that they are nothing new. */
  readonly left?: readonly ImportedTool[];
}

type Relay = Peer<typeof connections>;
type ImportExpectation = Parameters<Relay["expect"]>[0];

/** What an import declares for each of its procedures. */
interface Failures {
  fail(reason: "tool_failed" | "tool_changed", text: FailureWords): FairleadError;
  fail(reason: "upstream_unavailable", text: FailureWords, data: { reason: string; sent: boolean }): FairleadError;
}
interface FailureWords {
  readonly message: string;
  readonly hint?: string;
  readonly retryable?: boolean;
}
type ImportedCall = Pick<Call, "signal" | "traceparent" | "ask" | "progress"> & Failures;

/** A service whose procedures are the tools of one upstream; it is degraded while they differ from the contract. */
export const importedService = <C extends Contract>(contract: C, parts: ImportedParts<C>): Service<C> => ({
  contract,
  start: (host) => start(contract, parts, host),
});

const start = <C extends Contract>(contract: C, { connection, tools, left = [] }: ImportedParts<C>, host: Host) =>
  Effect.gen(function* () {
    const { default: through } = yield* Effect.promise(() => import("@fairlead/contracts/connections"));
    const relay = host.peer(through);
    const named = Object.entries<ImportedTool>(tools);
    const expectation = {
      name: connection,
      importer: contract.id,
      tools: [...named.map(([, tool]) => tool), ...left].map(toExpectation),
    };
    let condition: Condition = { state: "ready" };
    let isReported = false;
    /** Looks how the connection is. True when there is an answer that lasts. */
    const look = async (): Promise<boolean> => {
      const status = await relay.status({ name: connection }).catch(() => undefined);
      if (status === null) condition = absent(connection);
      if (status === undefined || status === null || (isReported && status.state !== "connected")) return false;
      const drift = await relay.expect(expectation).catch(() => undefined);
      isReported = drift !== undefined;
      condition = describeCondition(connection, drift);
      return drift?.known === true;
    };
    if (host.stays) {
      const untilKnown = Effect.repeat(Effect.promise(look), { until: (known) => known, schedule: soonThenSeldom });
      yield* Effect.forkScoped(Effect.repeat(untilKnown, seldom));
      const follow = async (signal: AbortSignal): Promise<void> => {
        for await (const _ of relay.events({ name: connection, snapshot: true }, { signal })) await look();
      };
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(Effect.tryPromise(follow)), seldom));
    }
    const handlers = named.map(([name, tool]) => {
      const decode: Decoder<unknown> = decoder(contract.procedures[name]?.output ?? missing(name));
      const handler = async (input: unknown, call: ImportedCall): Promise<unknown> => {
        const result = await forwardCall(relay, { tool, input }, call);
        const decoded = decode(tool.outputSchema === null ? unstructured(result) : result.structuredContent);
        if (decoded.ok) return decoded.value;
        const message = `${tool.upstreamName} of ${connection} returned something else than it promised`;
        throw call.fail("tool_changed", { message });
      };
      return [name, handler] as const;
    });
    return {
      // What the contract types by name is made here from a list; `fairlead conn import` has written both.
      handlers: Object.fromEntries(handlers) as unknown as Handlers<C>,
      condition: (): Condition => condition,
    };
  });

/** The connections service forgets what was reported when it restarts. */
const seldom = Schedule.spaced("1 minute");
const soonThenSeldom = Schedule.min([Schedule.exponential("500 millis"), seldom]);

const absent = (connection: string): Condition => ({
  state: "degraded",
  why: `there is no connection ${connection}`,
  fix: `name ${connection} in the configuration or in the startup script; \`fairlead conn add\` lasts no longer than the kernel`,
});

const describeCondition = (
  connection: string,
  drift: { readonly changed: readonly string[]; readonly removed: readonly string[] } | undefined,
): Condition => {
  const different = drift === undefined ? [] : [...drift.changed, ...drift.removed];
  if (different.length === 0) return { state: "ready" };
  return {
    state: "degraded",
    why: `tools of ${connection} are not what they were when they were imported: ${different.join(", ")}`,
    fix: `run \`fairlead conn import ${connection}\` and \`fairlead gen\``,
  };
};

const missing = (name: string): never => {
  throw new FairleadError({ code: "internal", message: `the contract has no procedure ${name}` });
};

/** What came from JSON goes back as JSON. */
const toExpectation = ({ name: _, ...tool }: ImportedTool): ImportExpectation["tools"][number] =>
  tool as unknown as ImportExpectation["tools"][number];

interface ToolResult {
  readonly content: readonly unknown[];
  readonly structuredContent: unknown;
  readonly isError: boolean;
}

/** Calls the tool. Throws what the contract declares. */
const forwardCall = async (
  relay: Relay,
  { tool, input }: { readonly tool: ImportedTool; readonly input: unknown },
  call: ImportedCall,
): Promise<ToolResult> => {
  const reply = await relay
    .callTool(
      { tool: tool.name, arguments: { ...(input as object) } },
      {
        signal: call.signal,
        trace: { traceparent: call.traceparent },
        onProgress: (progress) => call.progress(progress),
        ...(call.ask !== undefined && { ask: call.ask }),
      },
    )
    .catch((error: unknown) => {
      throw declared(error, call);
    });
  const { content, structuredContent, isError } = reply;
  const result = { content: Array.isArray(content) ? content : [], structuredContent, isError: isError === true };
  if (result.isError) {
    throw call.fail("tool_failed", {
      message: cutText(joinText(result), longestMessage) || `${tool.upstreamName} says that it has failed`,
    });
  }
  return result;
};

/** A refusal of the connections service, in the words of an import. */
const declared = (error: unknown, call: ImportedCall): unknown => {
  if (!(error instanceof FairleadError)) return error;
  const { message, hint, retryable, data } = error;
  const text = { message, retryable, ...(hint !== undefined && { hint }) };
  switch (error.reason) {
    case "upstream_unavailable":
    case "connection_removed": {
      const { reason = "removed", sent } = data as { readonly reason?: string; readonly sent: boolean };
      return call.fail("upstream_unavailable", text, { reason, sent });
    }
    case "arguments_refused":
      return new FairleadError({ code: "invalid_argument", ...text });
    case "not_offered":
    case "unknown_tool":
    case "quarantined":
      return call.fail("tool_changed", text);
    case "upstream_error":
      return call.fail("tool_failed", text);
    default:
      return error;
  }
};

const joinText = ({ content }: ToolResult): string =>
  content
    .flatMap((part) => (typeof part === "object" && part !== null && "text" in part ? [String(part.text)] : []))
    .join("\n");

const unstructured = (result: ToolResult) => ({ text: joinText(result), content: result.content });
