/** One call of an upstream's tool. Waiting and repeating are the relay's; what a failure is called is in `call-error.ts`. */
import { FairleadError } from "@fairlead/contracts";
import type { Question } from "@fairlead/kernel/service";
import { boundedLog } from "../messages/bounded-log.ts";
import { cutText } from "../messages/cut-text.ts";
import { shownQuestion } from "../questions/shown-question.ts";
import { findTool, relay } from "../registry/relay.ts";
import { relayError, unknownToolError } from "./call-error.ts";
import type { HandlerFactory } from "./context.ts";

export const callTool: HandlerFactory<"callTool"> =
  ({ registry, whenRead }) =>
  async ({ tool, arguments: input }, call) => {
    const found = await findTool({ registry, whenRead, signal: call.signal }, tool);
    if (found === undefined) throw unknownToolError(tool, registry, call);
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
    });
    if (!relayed.ok) throw relayError(relayed.problem, found, { registry, call });
    return relayed.result;
  };

/** Asks what may be shown; the rest is refused. */
const askSafely =
  (ask: (question: Question) => Promise<unknown>) =>
  async (question: Question): Promise<unknown> => {
    const shown = shownQuestion(question);
    if (shown === undefined) throw new FairleadError({ code: "unimplemented", message: "it cannot be shown safely" });
    return ask(shown);
  };
