/**
 * Reads a request body: exact content type, a byte cap while reading, strict UTF-8, then the scan and the parse.
 *
 * What is too large is refused at the first byte too many, and the rest is not read. Not here: limits of a procedure (the caller
 * brings them) and decoding (dispatch).
 */
import type { IncomingMessage } from "node:http";
import type { Limits, WireError } from "@fairlead/contracts";
import { refusal } from "../limits/breach.ts";
import { parseJson } from "../limits/scan.ts";
import { readBytes } from "./connections/socket.ts";
import type { Body } from "./mount.ts";

type BodyRefusal = Extract<Body, { readonly ok: false }>;

/**
 * Reads the body once. Statuses of a refusal: 415 for the wrong type, 413 for too large, 400 for what is not strict JSON, 499 when
 * the client hung up. `proceed` is called when reading starts, for clients that wait for "100 Continue".
 */
export const readBody = (incoming: IncomingMessage, limits: Limits, proceed?: () => void): Body | Promise<Body> => {
  const foreign = foreignType(incoming);
  if (foreign !== undefined) return foreign;
  if (Number(incoming.headers["content-length"] ?? 0) > limits.bytes) return tooLarge(limits);
  proceed?.();
  return readBytes(incoming, limits.bytes).then((bytes) => parseBody(bytes, limits));
};

const streamed = new WeakSet<object>();

/** True for a connection whose body is read as it comes: its call says how long that may take. */
export const isStreamed = (socket: object): boolean => streamed.has(socket);

/** From now on the body has its call's time to arrive, and no longer the server's. */
export const giveCallsTime = (incoming: IncomingMessage): void => {
  const { socket } = incoming;
  streamed.add(socket);
  incoming.once("close", () => streamed.delete(socket));
};

/** The body as it comes. Leaving the loop keeps the connection, so that an answer can be sent; what was not read ends it then. */
export const streamBytes = (incoming: IncomingMessage, proceed?: () => void): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]() {
    proceed?.();
    return incoming.iterator({ destroyOnReturn: false });
  },
});

/** Parses the bytes of a body under the limits of its procedure. */
export const parseBody = (bytes: Awaited<ReturnType<typeof readBytes>>, limits: Limits): Body => {
  if (bytes === "too large") return tooLarge(limits);
  if (bytes === "gone") return gone;
  const text = decode(bytes);
  if (text === undefined) return notUtf8;
  const parsed = parseJson(text, limits);
  if (parsed.ok) return { ok: true, text, value: parsed.value };
  return { ok: false, status: parsed.error.code === "resource_exhausted" ? 413 : 400, error: parsed.error };
};

/** The refusal of a body that is not `application/json`, in UTF-8 and uncompressed; `undefined` when it is. */
export const foreignType = ({ headers }: IncomingMessage): BodyRefusal | undefined => {
  const type = headers["content-type"];
  if (type !== "application/json" && !(type !== undefined && json.test(type))) return unsupported;
  return headers["content-encoding"] === undefined || headers["content-encoding"] === "identity"
    ? undefined
    : unsupported;
};

const json = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
};

const tooLarge = (limits: Limits): BodyRefusal => ({
  ok: false,
  status: 413,
  error: refusal({ kind: "bytes", path: "" }, limits),
});

const invalid = (status: number, message: string, hint: string): BodyRefusal => {
  const error: WireError = { code: "invalid_argument", message, hint, retryable: false };
  return { ok: false, status, error };
};

const unsupported = invalid(
  415,
  "the body is not sent as application/json",
  "send JSON in UTF-8, uncompressed, with the header `content-type: application/json`",
);

const notUtf8 = invalid(400, "the body is not valid UTF-8", "encode the JSON text as UTF-8");

const gone: BodyRefusal = {
  ok: false,
  status: 499,
  error: { code: "canceled", message: "the client hung up before the body was complete", retryable: false },
};
