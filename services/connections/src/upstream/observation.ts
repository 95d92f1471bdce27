/**
 * What an error of the SDK or of the wire says about the upstream, as the pure core takes it.
 */
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { RequestError } from "../http/request-error.ts";
import { classify, type Observation } from "../machine/fault.ts";
import { BadAnswer } from "./bad-answer.ts";
import { notAsked } from "./caller-questions.ts";
import { observeRequestError, streamEnded } from "./http-transport.ts";

/** An attempt to connect that failed. `seen` is the last event on the wire. */
export const observeOpenFailure = (error: unknown, seen: Observation | undefined, ms: number): Observation => {
  if (error instanceof BadAnswer) return { what: "answer", message: error.message };
  if (isTimeout(error)) return { what: "timeout", ms, opening: true };
  if (seen !== undefined) return seen;
  if (error instanceof UnauthorizedError) return { what: "status", status: 401, opening: true, session: false };
  const cause = innermost(error);
  if (cause instanceof RequestError) return observeRequestError(cause);
  if (cause instanceof ProtocolError && cause.data === streamEnded) return { what: "closed" };
  if (cause instanceof ProtocolError) return { what: "rpc", code: cause.code, message: cause.message };
  if (cause instanceof SdkError && cause.code === SdkErrorCode.ConnectionClosed) return { what: "closed" };
  return { what: "answer", message: cause instanceof Error ? cause.message : String(cause) };
};

/** It did not open; what was seen last. */
export class OpenFailure extends Error {
  override readonly name = "OpenFailure";
  readonly seen: Observation;

  constructor(seen: Observation) {
    super(classify(seen).message);
    this.seen = seen;
  }
}

/** How a request ended that has no result. */
export type RequestFailure =
  /** The upstream has answered, whatever it said. */
  | { readonly kind: "answer"; readonly code: number; readonly message: string }
  /** It wants rights that our token does not give. */
  | { readonly kind: "scope"; readonly error: InsufficientScopeError }
  /** It asks what its caller cannot be asked. */
  | { readonly kind: "question"; readonly message: string }
  | { readonly kind: "silence" }
  /** The way there broke. `sent`: the request may have arrived. */
  | { readonly kind: "broken"; readonly seen: Observation; readonly sent: boolean };

export const toRequestFailure = (error: unknown): RequestFailure => {
  if (error instanceof InsufficientScopeError) return { kind: "scope", error };
  if (isTimeout(error)) return { kind: "silence" };
  const cause = innermost(error);
  if (isUnreadable(cause)) {
    return { kind: "answer", code: -32_603, message: "the upstream's result could not be read" };
  }
  if (cause instanceof ProtocolError && cause.data === notAsked) return { kind: "question", message: cause.message };
  if (cause instanceof ProtocolError && cause.data !== streamEnded) {
    return { kind: "answer", code: cause.code, message: cause.message };
  }
  return { kind: "broken", seen: observe(cause), sent: wasSent(cause) };
};

const isUnreadable = (error: unknown): boolean =>
  error instanceof BadAnswer || (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult);

const observe = (error: unknown): Observation => {
  if (error instanceof RequestError) return observeRequestError(error);
  if (error instanceof SdkHttpError) return { what: "status", status: error.status, opening: false, session: false };
  if (error instanceof UnauthorizedError) return { what: "status", status: 401, opening: false, session: false };
  return { what: "closed" };
};

/** Not, when there was no way, or it took no more. */
const wasSent = (error: unknown): boolean => {
  if (error instanceof RequestError) return error.sent;
  const { NotConnected, SendFailed } = SdkErrorCode;
  return !(error instanceof SdkError && (error.code === NotConnected || error.code === SendFailed));
};

const isTimeout = (error: unknown): boolean =>
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
