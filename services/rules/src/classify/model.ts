/**
 * The edge to the Messages API, through the official SDK, which is loaded by the first call and never at start. The call's
 * deadline and cancellation reach it, and no retry waits longer than the deadline allows.
 *
 * Not here: what the request holds (`request.ts`) and what the reply means (`reply.ts`).
 */
import type Anthropic from "@anthropic-ai/sdk";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";
import { FairleadError, type Host } from "@fairlead/kernel/service";
import { ModelFailure, type ModelFault } from "./model-failure.ts";
import { preventLateRetry, readRetryAfter } from "./retry-after.ts";
import type { ApiAccess, ClassifierSettings } from "./settings.ts";

interface ModelReply {
  readonly reply: unknown;
  readonly requestId: string | undefined;
  /** Requests that were sent. */
  readonly attempts: number;
}

/** What ends the call that needs the reply. */
interface CallLimits {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

type AskModel = (request: MessageCreateParamsNonStreaming, life: CallLimits) => Promise<ModelReply>;

type Sdk = typeof Anthropic;

/** Creates the function that sends a request. Nothing that it logs or throws contains the key, even when a server repeats it. It rejects with a `ModelFailure`, or with the signal's reason once that has fired. */
export const createModelClient =
  (access: Extract<ApiAccess, { readonly ok: true }>, settings: ClassifierSettings, log: Host["log"]): AskModel =>
  async (request, { signal, deadline }) => {
    const Sdk = await loadSdk(() => import("@anthropic-ai/sdk"));
    signal.throwIfAborted();
    const hidden = (text: string): string => text.replaceAll(access.key, "[key]");
    const say = (level: "error" | "warn") => (message: string) => log(level, hidden(message));
    const client = new Sdk({
      apiKey: access.key,
      baseURL: access.baseUrl,
      maxRetries: settings.retries,
      openTelemetry: false,
      logLevel: "warn",
      logger: { error: say("error"), warn: say("warn"), info: () => undefined, debug: () => undefined },
    });
    let attempts = 0;
    try {
      const message = await client.messages.create(request, {
        signal,
        timeout: Math.max(1, Math.min(settings.timeoutMs, Math.ceil(deadline - Date.now()))),
        middleware: [
          (sent, next) => {
            attempts += 1;
            return next(sent).then((response) => preventLateRetry(response, deadline - Date.now()));
          },
        ],
      });
      return { reply: message, requestId: message._request_id ?? undefined, attempts };
    } catch (cause) {
      signal.throwIfAborted();
      const fault = toModelFault(cause, Sdk, attempts);
      throw new ModelFailure({ ...fault, message: hidden(fault.message) });
    }
  };

/** The SDK is not a part of an installation without a model: 27 MB that most projects have no use for. */
export const loadSdk = async (load: () => Promise<{ readonly default: Sdk }>): Promise<Sdk> => {
  try {
    return (await load()).default;
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND")) throw cause;
    throw new FairleadError({
      code: "failed_precondition",
      message: "a model cannot be asked: the package @anthropic-ai/sdk is not installed",
      hint: 'run `npm install @anthropic-ai/sdk`, or set `services.rules.classifier.by` to "offline"',
    });
  }
};

const longestMessage = 200;

const toModelFault = (cause: unknown, Sdk: Sdk, attempts: number): ModelFault => {
  if (!(cause instanceof Sdk.APIError) || cause.status === undefined) {
    const how =
      cause instanceof Sdk.APIConnectionTimeoutError ? "did not answer in time" : "could not be reached or read";
    return { kind: "unavailable", status: 0, attempts, message: `the Messages API ${how}` };
  }
  const { status, type, requestID, apiMessage, headers } = cause;
  const said = (apiMessage ?? "no message").replaceAll(/\s+/g, " ").slice(0, longestMessage);
  const message = `the Messages API answered ${status}: ${said}`;
  const passing = status === 408 || status === 409 || status === 429 || status >= 500;
  if (!passing) return { kind: "rejected", status, type: type ?? "", requestId: requestID ?? "", message };
  const retryAfterMs = headers === undefined ? undefined : readRetryAfter(headers, Date.now());
  return { kind: "unavailable", status, attempts, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
};
