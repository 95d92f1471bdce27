/**
 * Calls that are with this worker: read, given to dispatch, answered. Cancelled when their caller says so, and streams also when their reader is not heard of any
 * more.
 *
 * Not here: subscriptions (`offer.ts`), the form of messages (`envelope.ts`).
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import { type Msg, type NatsConnection, nuid } from "@nats-io/transport-node";
import type { CallRequest, Dispatch, StreamItem } from "../../call/call.ts";
import type { Log } from "../../observe/log.ts";
import { SeenCalls } from "../wire/seen-calls.ts";
import type { Signer } from "../wire/signature.ts";
import { type CallTerms, type ReplyKind, readCall, readControl, tooLarge, writeReply } from "./envelope.ts";
import { makeListener } from "./listener.ts";
import type { MicroEndpoint } from "./micro.ts";

interface OfferedCallsOptions {
  readonly dispatch: Dispatch;
  readonly signer: Signer | undefined;
  readonly log: Log;
  /** Signed calls that are known again, at most; more are refused. Default: 400,000. */
  readonly mostSeen?: number;
}

/** A call that is with this worker. */
interface PendingCall {
  readonly abort: AbortController;
  readonly isKeyed: boolean;
  /** On the clock of `performance.now()`: when its caller last said that it waits. */
  heard: number;
}

interface OfferedStream extends PendingCall {
  /** Events that may be sent. */
  credit: number;
  wake: () => void;
}

/** Milliseconds after which the reader of a stream, of which nothing is heard, has gone. Callers ask for theirs every second. */
const goneMs = 30_000;
const mostCredit = 1_000;
/** Signed calls of the last half minute that are known again: 13,000 a second. */
const mostSeen = 400_000;
/** Bytes that an error without its details has at most. */
const longestPlain = 4_000;

interface OwnReply {
  readonly kind: ReplyKind;
  readonly at?: number;
  readonly value?: unknown;
  readonly eventId?: string;
  readonly control?: string;
}

export class OfferedCalls {
  readonly #options: OfferedCallsOptions;
  readonly #held = new Map<string, PendingCall>();
  readonly #streams = new Map<string, OfferedStream>();
  /** By where their readers ask for more. */
  readonly #controls = new Map<string, OfferedStream>();
  readonly #inbox = `_INBOX.${nuid.next()}`;
  readonly #seen: SeenCalls;
  #connection: NatsConnection | undefined;
  #nextId = 0;
  #whenIdle: (() => void) | undefined;

  constructor(options: OfferedCallsOptions) {
    this.#options = options;
    this.#seen = new SeenCalls(options.mostSeen ?? mostSeen);
  }

  /** Replies go over this connection from now on. */
  begin(connection: NatsConnection): void {
    this.#connection = connection;
    connection.subscribe(`${this.#inbox}.*`, {
      callback: makeListener(this.#options.log, (message) => this.#more(message)),
    });
  }

  /** Resolves once no call is here. */
  idle(): Promise<void> {
    if (this.#held.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  /** Calls and streams that are here. */
  get count(): number {
    return this.#held.size;
  }

  /** Ends those whose keys are another's now. */
  endKeyed(): void {
    for (const { abort, isKeyed } of this.#held.values()) if (isKeyed) abort.abort();
  }

  take({ message, procedure, endpoint }: TakenCall): void {
    const { reply } = message;
    // Nothing waits for its answer, or the same message has come again.
    if (reply === undefined || reply === "" || this.#held.has(reply)) return;
    const began = performance.now();
    endpoint.requests += 1;
    const failed = (error: WireError): void => {
      endpoint.errors += 1;
      endpoint.lastError = error.message;
      this.#fail(reply, error);
    };
    const abort = new AbortController();
    this.#held.set(reply, { abort, isKeyed: endpoint.isKeyed, heard: began });
    this.#run({ message, procedure, reply, abort, isStream: endpoint.kind === "subscription" })
      .then((error) => {
        if (error !== undefined) failed(error);
      })
      .catch((cause: unknown) => failed(this.#defect(procedure, cause)))
      .finally(() => {
        endpoint.spentMs += performance.now() - began;
        this.#held.delete(reply);
        this.#streams.delete(reply);
        if (this.#held.size === 0) this.#whenIdle?.();
      });
  }

  control(message: Msg): void {
    const said = readControl(message, this.#options.signer);
    if (said === undefined) return;
    if ("cancel" in said) this.#held.get(said.cancel)?.abort.abort();
    if (!("holds" in said)) return;
    const now = performance.now();
    const here = said.holds.filter((id) => {
      const held = this.#held.get(id);
      if (held !== undefined) held.heard = now;
      return held !== undefined;
    });
    if (here.length > 0 && message.reply) this.#reply(message.reply, { kind: "value", value: here });
  }

  async #run({ message, procedure, reply, abort, isStream }: CallMessage): Promise<WireError | undefined> {
    const { dispatch } = this.#options;
    let request: CallRequest;
    let terms: CallTerms;
    try {
      const read = readCall(message, this.#options.signer);
      if (this.#isReplayed(reply, read.freshUntil)) return undefined;
      terms = read.terms;
      request = this.#toRequest(read, { procedure, reply, signal: abort.signal });
    } catch (cause) {
      if (cause instanceof FairleadError) return cause.toJSON();
      throw cause;
    }
    if (isStream) return this.#stream(request, reply, terms.credit ?? 1);
    const answer = await dispatch.call(request);
    if (!answer.ok) return answer.error;
    this.#reply(reply, { kind: "value", value: answer.value });
    return undefined;
  }

  /** Such a call gets no answer: its caller has had one. */
  #isReplayed(reply: string, freshUntil: number | undefined): boolean {
    const seen = freshUntil === undefined ? "new" : this.#seen.add(reply, freshUntil);
    if (seen === "full") throw tooMany();
    if (seen === "again") this.#options.log("warn", "a call over NATS came again, and was dropped", { reply });
    return seen === "again";
  }

  #toRequest(
    { input, terms }: { readonly input: unknown; readonly terms: CallTerms },
    { procedure, reply, signal }: { readonly procedure: string; readonly reply: string; readonly signal: AbortSignal },
  ): CallRequest {
    const { principal, timeoutMs, traceparent, idempotencyKey, attempts, run, notes, lastEventId } = terms;
    return {
      procedure,
      input,
      principal,
      transport: "nats",
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(traceparent !== undefined && { trace: { traceparent } }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(attempts !== undefined && { attempts }),
      ...(run !== undefined && { run }),
      ...(lastEventId !== undefined && { lastEventId }),
      ...(notes.includes("progress") && {
        onProgress: (value) => this.#reply(reply, { kind: "progress", value }),
      }),
      ...(notes.includes("line") && { onLog: (value) => this.#reply(reply, { kind: "line", value }) }),
    };
  }

  /** Reads an event when there is room for it, so the handler is no further ahead of its reader than the credit. */
  async #stream(request: CallRequest, reply: string, credit: number): Promise<WireError | undefined> {
    const opened = await this.#options.dispatch.subscribe(request);
    if (!opened.ok) return opened.error;
    const held = this.#held.get(reply);
    if (held === undefined) return undefined;
    const stream: OfferedStream = Object.assign(held, { credit: Math.min(credit, mostCredit), wake: () => undefined });
    this.#streams.set(reply, stream);
    const control = `${this.#inbox}.${(this.#nextId++).toString(36)}`;
    this.#controls.set(control, stream);
    const items = opened.items[Symbol.asyncIterator]();
    let at = 0;
    try {
      this.#reply(reply, { kind: "open", control });
      for (;;) {
        await hasRoom(stream);
        if (stream.abort.signal.aborted) return undefined;
        const next: IteratorResult<StreamItem> = await items.next();
        if (next.done === true) {
          this.#reply(reply, { kind: "end", at });
          return undefined;
        }
        const { id, value } = next.value;
        stream.credit -= 1;
        this.#reply(reply, { kind: "item", at, value, ...(id !== undefined && { eventId: id }) });
        at += 1;
      }
    } catch (cause) {
      return cause instanceof FairleadError ? cause.toJSON() : this.#defect(request.procedure, cause);
    } finally {
      this.#controls.delete(control);
      await items.return?.();
    }
  }

  #more(message: Msg): void {
    const said = readControl(message, this.#options.signer);
    const stream = this.#controls.get(message.subject);
    if (said === undefined || stream === undefined || !("more" in said)) return;
    stream.heard = performance.now();
    stream.credit = Math.min(stream.credit + said.more, mostCredit);
    stream.wake();
  }

  /** Ends streams whose readers have gone without a word. */
  endUnheard(): void {
    const now = performance.now();
    for (const stream of this.#streams.values()) if (now - stream.heard > goneMs) stream.abort.abort();
  }

  #fail(to: string, error: WireError): void {
    this.#publish(to, { kind: "error", value: error }, error);
  }

  #reply(to: string, reply: OwnReply): void {
    this.#publish(to, reply);
  }

  #publish(to: string, { kind, at, value, eventId, control }: OwnReply, error?: WireError): void {
    const connection = this.#connection;
    if (connection === undefined || connection.isClosed()) return;
    const { signer } = this.#options;
    const body = Buffer.from(JSON.stringify(value) ?? "");
    const route = { subject: to, body, ...(control !== undefined && { control }) };
    const said = {
      kind,
      ...(at !== undefined && { at }),
      ...(eventId !== undefined && { eventId }),
      ...(error !== undefined && { error }),
    };
    const headers = writeReply(said, route, signer);
    const most = connection.info?.max_payload ?? Number.POSITIVE_INFINITY;
    const bytes = body.length + (headers?.toString().length ?? 0);
    if (bytes <= most)
      connection.publish(to, body, {
        ...(headers !== undefined && { headers }),
        ...(control !== undefined && { reply: control }),
      });
    else if (kind === "item") throw tooLarge("an event", bytes, most);
    else if (kind === "value") this.#fail(to, tooLarge("the answer", bytes, most).toJSON());
    else if (kind === "error" && body.length > longestPlain) this.#fail(to, withoutDetails(value as WireError));
  }

  #defect(procedure: string, cause: unknown): WireError {
    this.#options.log("error", "a call over NATS could not be answered", { procedure, error: cause });
    const message = `${procedure} failed because of a defect on the server`;
    return new FairleadError({ code: "internal", message }).toJSON();
  }
}

/** A call as it has arrived. */
export interface TakenCall {
  readonly message: Msg;
  /** Full name. */
  readonly procedure: string;
  readonly endpoint: MicroEndpoint;
}

interface CallMessage {
  readonly message: Msg;
  readonly procedure: string;
  readonly reply: string;
  readonly abort: AbortController;
  readonly isStream: boolean;
}

const tooMany = (): FairleadError =>
  new FairleadError({
    code: "resource_exhausted",
    message: "this worker has taken more calls in half a minute than it can know again",
    hint: "send it again in a moment, or start more workers",
  });

const withoutDetails = ({ code, message, retryable }: WireError): WireError => ({
  code,
  message: message.slice(0, 500),
  retryable,
});

const hasRoom = (stream: OfferedStream): Promise<void> =>
  stream.credit > 0
    ? Promise.resolve()
    : new Promise((resolve) => {
        const wake = (): void => {
          stream.abort.signal.removeEventListener("abort", wake);
          stream.wake = () => undefined;
          resolve();
        };
        stream.wake = wake;
        stream.abort.signal.addEventListener("abort", wake, { once: true });
      });
