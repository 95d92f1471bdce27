/**
 * A call and its replies as NATS messages: the input or the answer as JSON in the body, all else in headers. What they say is signed where the peers
 * share a secret. Every side of the wire reads and writes them here; docs/nats.md is the same in words, for other languages.
 *
 * Not here: subjects (`subjects.ts`), sending (`peers.ts`), answering (`offer.ts`).
 */
import { FairleadError, isWireError, type WireError } from "@fairlead/contracts";
import { headers, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import * as z from "zod";
import type { Principal, RunAttempt } from "../../call/call.ts";
import { principalSchema, runSchema, withoutRate } from "../wire/caller.ts";
import type { Signer } from "../wire/signature.ts";

/** What a call says in addition to its input. */
export interface CallTerms {
  readonly principal: Principal;
  /** Milliseconds that are left to it; none for subscriptions. */
  readonly timeoutMs?: number;
  readonly traceparent?: string;
  readonly idempotencyKey?: string;
  readonly attempts?: number;
  readonly run?: RunAttempt;
  /** What its caller wants to hear meanwhile. */
  readonly notes: readonly Note[];
  readonly lastEventId?: string;
  /** Events that may be sent before its reader asks for more; for subscriptions. */
  readonly credit?: number;
}

export type Note = "progress" | "line";

/** Where a message goes, and where its replies do. */
interface MessageRoute {
  readonly subject: string;
  readonly reply: string;
}

const names = {
  timeout: "Fairlead-Timeout-Ms",
  principal: "Fairlead-Principal",
  trace: "traceparent",
  key: "Idempotency-Key",
  attempts: "Fairlead-Attempts",
  run: "Fairlead-Run",
  notes: "Fairlead-Notes",
  last: "Last-Event-ID",
  credit: "Fairlead-Credit",
} as const;

const signedNames = Object.values(names);
export const timeName = "Fairlead-Time";
export const signatureName = "Fairlead-Signature";
const replyName = "Fairlead-Reply";
const eventName = "Fairlead-Event-ID";

/** Milliseconds that the clocks of two machines may differ, and that a signed call may be under way. */
export const freshMs = 30_000;

type HeaderValues = Readonly<Record<string, string | undefined>>;

const callText = ({ subject, reply }: MessageRoute, time: string, values: HeaderValues): string =>
  ["fairlead-call-1", time, subject, reply, ...signedNames.map((name) => values[name] ?? "")].join("\n");

/** The headers of a call. */
export const writeCall = (
  terms: CallTerms,
  { subject, reply, body }: MessageRoute & { readonly body: Uint8Array },
  signer: Signer | undefined,
): MsgHdrs => {
  const values: HeaderValues = {
    [names.timeout]: terms.timeoutMs === undefined ? undefined : String(Math.ceil(terms.timeoutMs)),
    [names.principal]: principalText(terms.principal),
    [names.trace]: terms.traceparent,
    [names.key]: terms.idempotencyKey,
    [names.attempts]: terms.attempts?.toString(),
    [names.run]: terms.run && JSON.stringify(terms.run),
    [names.notes]: terms.notes.length === 0 ? undefined : terms.notes.join(","),
    [names.last]: terms.lastEventId === undefined ? undefined : encodeURIComponent(terms.lastEventId),
    [names.credit]: terms.credit?.toString(),
  };
  const written = headers();
  for (const name of signedNames) {
    const value = values[name];
    if (value !== undefined) written.append(name, value);
  }
  if (signer !== undefined) {
    const time = String(Date.now());
    written.append(timeName, time);
    written.append(signatureName, signer.sign(callText({ subject, reply }, time, values), body));
  }
  return written;
};

/** What a call says, and until when its signature holds. Throws a `FairleadError` for one that is not signed by a peer, or cannot be read. */
export const readCall = (
  message: Msg,
  signer: Signer | undefined,
): { readonly terms: CallTerms; readonly input: unknown; readonly freshUntil?: number } => {
  const values = firstValues(message.headers);
  if (signer !== undefined) refuseStranger(message, values, signer);
  const read = (name: string): string | undefined => (values[name] === "" ? undefined : values[name]);
  const timeoutMs = readNumber(read(names.timeout));
  const [traceparent, idempotencyKey] = [read(names.trace), read(names.key)];
  const attempts = readNumber(read(names.attempts));
  const run = read(names.run);
  const last = read(names.last);
  const credit = readNumber(read(names.credit));
  const notes = read(names.notes)?.split(",") ?? [];
  return {
    input: readBody(message),
    ...(signer !== undefined && { freshUntil: Number(values[timeName]) + freshMs }),
    terms: {
      principal: readPrincipal(read(names.principal)),
      notes: (["progress", "line"] as const).filter((note) => notes.includes(note)),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(traceparent !== undefined && tracePattern.test(traceparent) && { traceparent }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(attempts !== undefined && { attempts }),
      ...(run !== undefined && { run: readRun(run) }),
      ...(last !== undefined && { lastEventId: readLast(last) }),
      ...(credit !== undefined && { credit }),
    },
  };
};

const tracePattern = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const refuseStranger = (message: Msg, values: HeaderValues, signer: Signer): void => {
  const [time = "", signature = ""] = [values[timeName], values[signatureName]];
  const route = { subject: message.subject, reply: message.reply ?? "" };
  if (!signer.isGenuine(signature, callText(route, time, values), message.data))
    throw unauthenticated("a call over NATS is not signed with this fleet's secret", "give all peers the same secret");
  const isFresh = Math.abs(Date.now() - Number(time)) <= freshMs;
  if (!isFresh)
    throw unauthenticated(
      `a call over NATS was signed ${Math.round((Date.now() - Number(time)) / 1_000)} s ago`,
      "set the clocks of both machines by NTP",
    );
};

const unauthenticated = (message: string, hint: string): FairleadError =>
  new FairleadError({ code: "unauthenticated", message, hint });

const unreadable = (what: string): FairleadError =>
  new FairleadError({ code: "invalid_argument", message: `a call over NATS has ${what}` });

const readNumber = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw unreadable(`the number ${JSON.stringify(text.slice(0, 40))} in a header`);
  return Number(text);
};

const readLast = (text: string): string => {
  const id = decodeText(text);
  if (id === undefined) throw unreadable(`a ${names.last} that is not percent-encoded`);
  return id;
};

/** `undefined` for what is not percent-encoded. */
const decodeText = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** No body is no value. */
const readBody = (message: Msg): unknown => {
  if (message.data.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(message.data));
  } catch {
    throw unreadable("a body that is not JSON");
  }
};

const principalText = (principal: Principal): string =>
  Buffer.from(JSON.stringify(withoutRate(principal))).toString("base64url");

const readPrincipal = (text: string | undefined): Principal => {
  const parsed = principalSchema.safeParse(parseText(Buffer.from(text ?? "", "base64url").toString()));
  if (!parsed.success) throw unauthenticated("a call over NATS does not say who makes it", "call through a kernel");
  // The schema's optional members may be undefined, which JSON cannot say.
  return parsed.data as Principal;
};

const readRun = (text: string): RunAttempt => {
  const parsed = runSchema.safeParse(parseText(text));
  if (!parsed.success) throw unreadable("a run that cannot be read");
  return parsed.data;
};

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const firstValues = (given: MsgHdrs | undefined): HeaderValues => {
  const values: Record<string, string | undefined> = {};
  for (const [name, [value]] of given ?? []) values[name] = value;
  return values;
};

/** What a reply is: the answer or the error that ends a call; a note of one that goes on; or a part of a stream. */
export type ReplyKind = "value" | "error" | Note | "open" | "item" | "end";

export interface ReplyMessage {
  readonly kind: ReplyKind;
  /** From 0 on for the parts of a stream, so that none is taken twice. */
  readonly at: number;
  readonly eventId: string | undefined;
  /** The answer, the error, the note or the event. */
  readonly value: unknown;
  /** Where the reader of the stream that was opened asks for more. */
  readonly control: string | undefined;
}

type OwnReply = Pick<ReplyMessage, "kind"> & Partial<Pick<ReplyMessage, "at" | "eventId">>;

const replyText = (subject: string, { kind, at, eventId, control }: Omit<ReplyMessage, "value">): string =>
  ["fairlead-reply-1", subject, `${kind} ${at}`, eventId ?? "", control ?? ""].join("\n");

/** The headers of a reply; none where there is nothing to say in addition to the answer. */
export const writeReply = (
  { kind, at = 0, eventId, error }: OwnReply & { readonly error?: WireError },
  { subject, control, body }: { readonly subject: string; readonly control?: string; readonly body: Uint8Array },
  signer: Signer | undefined,
): MsgHdrs | undefined => {
  if (kind === "value" && signer === undefined) return undefined;
  const written = headers();
  if (kind !== "value") written.append(replyName, `${kind} ${at}`);
  const id = eventId === undefined ? undefined : encodeURIComponent(eventId);
  if (id !== undefined) written.append(eventName, id);
  if (error !== undefined) {
    // What NATS's own tools show of a failed service call.
    written.append("Nats-Service-Error-Code", error.code);
    written.append("Nats-Service-Error", error.message.replaceAll(/[^\x20-\x7e]+/g, " ").slice(0, 200));
  }
  if (signer !== undefined)
    written.append(signatureName, signer.sign(replyText(subject, { kind, at, eventId: id, control }), body));
  return written;
};

/** A reply; `undefined` for one that no peer of this fleet has sent, or that cannot be read. */
export const readReply = (message: Msg, signer: Signer | undefined): ReplyMessage | undefined => {
  const values = message.headers === undefined ? {} : firstValues(message.headers);
  const [kind = "value", at = "0"] = (values[replyName] ?? "value 0").split(" ");
  const control = message.reply === "" ? undefined : message.reply;
  const written = values[eventName];
  const eventId = written === undefined ? undefined : decodeText(written);
  if (!isReplyKind(kind) || (written !== undefined && eventId === undefined)) return undefined;
  const reply = { kind, at: Number(at), eventId: written, control };
  const signature = values[signatureName] ?? "";
  if (signer !== undefined && !signer.isGenuine(signature, replyText(message.subject, reply), message.data))
    return undefined;
  const value = message.data.length === 0 ? undefined : parseText(message.string());
  return { ...reply, value, eventId };
};

const kinds: ReadonlySet<string> = new Set<ReplyKind>(["value", "error", "progress", "line", "open", "item", "end"]);
const isReplyKind = (text: string): text is ReplyKind => kinds.has(text);

/** The error in a reply. */
export const replyError = ({ value }: ReplyMessage): FairleadError =>
  isWireError(value)
    ? new FairleadError(value)
    : new FairleadError({ code: "unknown", message: "a worker answered with an error that cannot be read" });

/** True for NATS's own answer that nothing listens to the subject. */
export const isUnheard = (message: Msg): boolean => message.data.length === 0 && message.headers?.code === 503;

/** What callers and workers say of calls that are with workers. */
export type ControlMessage =
  | { readonly cancel: string }
  /** Which of these are with you? Answered by whoever has some. */
  | { readonly holds: readonly string[] }
  /** Said by a worker that may have been away: which of these do you still wait for? */
  | { readonly waits: readonly string[] }
  /** The reader of a stream takes so many events more. */
  | { readonly more: number };

export const writeControl = (
  control: ControlMessage,
  subject: string,
  signer: Signer | undefined,
): { readonly body: Uint8Array; readonly headers: MsgHdrs } => {
  const body = Buffer.from(JSON.stringify(control));
  const written = headers();
  const time = String(Date.now());
  written.append(timeName, time);
  if (signer !== undefined) written.append(signatureName, signer.sign(controlText(subject, time), body));
  return { body, headers: written };
};

const controlText = (subject: string, time: string): string => ["fairlead-control-1", time, subject].join("\n");

const controlSchema = z.union([
  z.strictObject({ cancel: z.string() }),
  z.strictObject({ holds: z.array(z.string()).max(10_000) }),
  z.strictObject({ waits: z.array(z.string()).max(10_000) }),
  z.strictObject({ more: z.int().min(1).max(1_000) }),
]);

export const readControl = (message: Msg, signer: Signer | undefined): ControlMessage | undefined => {
  const values = firstValues(message.headers);
  const [time = "", signature = ""] = [values[timeName], values[signatureName]];
  const isGenuine =
    signer === undefined ||
    (Math.abs(Date.now() - Number(time)) <= freshMs &&
      signer.isGenuine(signature, controlText(message.subject, time), message.data));
  const parsed = isGenuine ? controlSchema.safeParse(parseText(message.string())) : undefined;
  return parsed?.success === true ? parsed.data : undefined;
};

export const tooLarge = (what: string, bytes: number, most: number): FairleadError =>
  new FairleadError({
    code: "resource_exhausted",
    message: `${what} has ${bytes} bytes, and this NATS server carries at most ${most} in a message`,
    hint: "raise `max_payload` of the server, or send less at a time",
  });
