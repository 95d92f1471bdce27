/**
 * What an error of the SDK or of the wire says about the upstream, as the pure core takes it.
 */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { classify, type Observed } from "../core/fault.ts";
import { observedIn, streamEnded } from "./http-transport.ts";
import { WebError } from "./web-request.ts";

/** An attempt to connect that failed. `seen` is the last thing noticed on the wire. */
export const whyNotOpened = (error: unknown, seen: Observed | undefined, ms: number): Observed => {
  if (error instanceof BadAnswer) return { what: "answer", message: error.message };
  if (isTimeout(error)) return { what: "timeout", ms, opening: true };
  if (seen !== undefined) return seen;
  if (error instanceof UnauthorizedError) return { what: "status", status: 401, opening: true, session: false };
  const cause = innermost(error);
  if (cause instanceof WebError) return observedIn(cause);
  if (cause instanceof ProtocolError && cause.data === streamEnded) return { what: "closed" };
  if (cause instanceof ProtocolError) return { what: "rpc", code: cause.code, message: cause.message };
  if (cause instanceof SdkError && cause.code === SdkErrorCode.ConnectionClosed) return { what: "closed" };
  return { what: "answer", message: cause instanceof Error ? cause.message : String(cause) };
};

/** It did not open; what was seen last. */
export class OpenFailure extends Error {
  override readonly name = "OpenFailure";
  readonly seen: Observed;

  constructor(seen: Observed) {
    super(classify(seen).message);
    this.seen = seen;
  }
}

/** The upstream said something that MCP does not say. */
export class BadAnswer extends Error {
  override readonly name = "BadAnswer";
}

/**
 * A failure of a call that is the transport's, not the tool's. Nothing for an answer of the upstream, whatever it says.
 */
export const whyCallFailed = (error: unknown): Observed | undefined => {
  const cause = innermost(error);
  if (cause instanceof WebError) return observedIn(cause);
  if (cause instanceof SdkHttpError) {
    return { what: "status", status: cause.status, opening: false, session: false };
  }
  if (cause instanceof UnauthorizedError) return { what: "status", status: 401, opening: false, session: false };
  if (cause instanceof SdkError && cause.code === SdkErrorCode.InvalidResult) return undefined;
  if (cause instanceof ProtocolError) return undefined;
  return { what: "closed" };
};

export const isTimeout = (error: unknown): boolean =>
  (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) ||
  (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"));

const innermost = (error: unknown): unknown => {
  let found = error;
  for (let depth = 0; depth < 5; depth += 1) {
    if (!(found instanceof Error) || found.cause === undefined) return found;
    found = found.cause;
  }
  return found;
};
