/** One call of an upstream's tool. Waiting and repeating are the relay's; what a failure is called is in `call-error.ts`. */
import { FairleadError } from "@fairlead/contracts";
import { isGranted, type Principal, type Question } from "@fairlead/kernel/service";
import { boundedLog } from "../messages/bounded-log.ts";
import { cutText } from "../messages/cut-text.ts";
import { shownQuestion } from "../questions/shown-question.ts";
import { findTool, relay } from "../registry/relay.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import { ownRule } from "../tools/tool-list.ts";
import type { CallResult } from "../upstream/call-result.ts";
import { relayError, unknownToolError } from "./call-error.ts";
import type { HandlerContext, HandlerFactory } from "./context.ts";

export const callTool: HandlerFactory<"callTool"> =
  (context) =>
  async ({ tool, arguments: input }, call) => {
    const { registry, whenRead } = context;
    const found = await findTool({ registry, whenRead, signal: call.signal }, tool);
    if (found === undefined) throw unknownToolError(tool, registry, call);
    checkPolicy(context, found, call.principal);
    const began = performance.now();
    const relayed = await relay(registry, found, {
      input,
      meta: {
        traceparent: call.traceparent,
        ...(Number.isFinite(call.innerAttempts) && { "fairlead/attempts": call.innerAttempts }),
      },
      signal: call.signal,
      onProgress: ({ message, ...amounts }) =>
        call.progress({ ...amounts, ...(message !== undefined && { message: cutText(message, 500) }) }),
      ask: call.ask && askSafely(call.ask),
      client: call.client,
      clientLog: call.clientLog && boundedLog(call.clientLog, found.connection),
    }).catch((error: unknown) => {
      audit(context, found, { input, call, began, outcome: error instanceof FairleadError ? error.code : "canceled" });
      throw error;
    });
    audit(context, found, {
      input,
      call,
      began,
      outcome: relayed.ok ? resultOutcome(relayed.result) : relayed.problem.kind,
    });
    if (!relayed.ok) throw relayError(relayed.problem, found, { registry, call });
    return relayed.result;
  };

/** Throws where the tool's policy refuses the call: nothing was sent then. */
const checkPolicy = (
  { registry, rates }: Pick<HandlerContext, "registry" | "rates">,
  { connection, name, shown }: CatalogueTool,
  principal: Principal,
): void => {
  const { perMinute, access } = ownRule(registry.connection(connection)?.target.tools.policy, name) ?? {};
  if (access === "admin" && !isGranted(principal, "admin", "connections")) {
    throw new FairleadError({
      code: "permission_denied",
      message: `${shown.name} may be called with admin access only, by the policy of ${connection}`,
      hint: "call it with a token that has it, or ask whoever keeps the configuration",
    });
  }
  const waitMs = perMinute === undefined ? 0 : rates.take(`${connection} ${name}`, perMinute);
  if (waitMs === 0) return;
  throw new FairleadError({
    code: "resource_exhausted",
    message: `${shown.name} may be called ${perMinute} times a minute, by the policy of ${connection}`,
    hint: `try again in ${Math.ceil(waitMs / 1_000)} s`,
    retryable: true,
  });
};

interface AuditedCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly call: { readonly principal: Principal };
  /** On the clock of `performance.now()`. */
  readonly began: number;
  readonly outcome: string;
}

/** Argument names that a line has; values never are in it. */
const mostNames = 20;

const audit = (
  { log }: Pick<HandlerContext, "log">,
  { connection, name }: CatalogueTool,
  { input, call, began, outcome }: AuditedCall,
): void => {
  log?.("info", "relayed call", {
    connection,
    tool: name,
    principal: call.principal.id,
    ...(call.principal.via !== undefined && { via: call.principal.via }),
    arguments: Object.keys(input)
      .slice(0, mostNames)
      .map((key) => cutText(key, 100)),
    outcome,
    ms: Math.round(performance.now() - began),
  });
};

const resultOutcome = ({ isError }: CallResult): string => (isError === true ? "tool_failed" : "ok");

/** Asks what may be shown; the rest is refused. */
const askSafely =
  (ask: (question: Question) => Promise<unknown>) =>
  async (question: Question): Promise<unknown> => {
    const shown = shownQuestion(question);
    if (shown === undefined) throw new FairleadError({ code: "unimplemented", message: "it cannot be shown safely" });
    return ask(shown);
  };
