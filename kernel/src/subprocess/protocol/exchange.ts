/**
 * The requests of one child: who waits, whose turn it is, and which answer is whose.
 *
 * At most `inFlight` requests are with the child, the rest wait in order, and waiting counts against the deadline. A caller that gives
 * up or runs out of time leaves its place to the answer that is still to come: it is dropped when it arrives, so it can never be taken
 * for another's. A child that writes nothing for `unresponsiveMs` after a deadline is reported to the owner, which kills it; one that is
 * only slow, or that honours a cancel by silence, harms no other caller: if it has written anything in that time, the place is free, though
 * a child that ignores the cancel may then hold more than `inFlight`. Not here: pipes and processes.
 */
import type { TraceContext } from "../../call/call.ts";
import { checkDialect, type Dialect } from "./dialect.ts";
import { type Message, writeLine } from "./line.ts";
import type { Ask, RequestOptions } from "./spec.ts";
import { type Fault, SubprocessError } from "./subprocess-error.ts";

interface ExchangeOptions {
  readonly name: string;
  readonly dialect: Dialect;
  /** Requests that may wait for their turn. */
  readonly queue: number;
  /** Milliseconds a request may take when its caller does not say. */
  readonly requestMs: number;
  /** Milliseconds after a deadline within which the child must write something. */
  readonly unresponsiveMs: number;
  /** Writes a line, or says what is full. */
  readonly write: (line: string) => Extract<Fault, { readonly kind: "full" }> | undefined;
  /** The child is to be killed: it does not answer any more. */
  readonly unresponsive: (fault: Fault) => void;
  readonly stderr: () => readonly string[];
}

export interface Exchange {
  readonly ask: Ask;
  /** Takes a message from the child. `late`: its caller had given up; `stray`: it answers no request. */
  receive(message: Message): "taken" | "late" | "stray";
  /** Fails every waiting request, and from now on every new one. */
  fail(fault: Fault): void;
  /** Requests that are with the child or waiting. */
  readonly size: number;
}

interface PendingRequest {
  readonly id: number;
  readonly line: string;
  readonly onPart: RequestOptions["onPart"];
  readonly resolve: (message: Message) => void;
  readonly reject: (error: RequestFailure) => void;
  /** The deadline; after it, how long the child may stay silent. */
  timer: NodeJS.Timeout | undefined;
  /** The caller is gone; the place is kept until the answer. */
  abandoned: boolean;
}

type RequestFailure = { readonly fault: Fault; readonly sent: boolean } | { readonly thrown: unknown };

export const createExchange = (options: ExchangeOptions): Exchange => new RequestTable(options);

class RequestTable implements Exchange {
  readonly #options: ExchangeOptions;
  readonly #sent = new Map<number, PendingRequest>();
  readonly #waiting = new Map<number, PendingRequest>();
  #nextId = 1;
  /** Messages received so far: a sign of life. */
  #received = 0;
  #over: Fault | undefined;

  constructor(options: ExchangeOptions) {
    checkDialect(options.dialect);
    this.#options = options;
  }

  get size(): number {
    return this.#sent.size + this.#waiting.size;
  }

  readonly ask: Ask = async (body, { timeoutMs = this.#options.requestMs, signal, onPart, trace } = {}) => {
    if (this.#over !== undefined) throw this.#error(this.#over, false);
    if (signal?.aborted === true) throw this.#error({ kind: "canceled" }, false);
    const { queue } = this.#options;
    if (this.#waiting.size >= queue) throw this.#error({ kind: "full", what: "queue", limit: queue }, false);
    const id = this.#nextId++;
    const line = this.#encode(id, body, trace);
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    const request: PendingRequest = {
      id,
      line,
      onPart,
      resolve,
      reject: (error) => reject("fault" in error ? this.#error(error.fault, error.sent) : error.thrown),
      timer: setTimeout(() => this.#timeOut(request, timeoutMs), Math.min(Math.max(0, timeoutMs), 2 ** 31 - 1)),
      abandoned: false,
    };
    const abort = (): void => this.#cancel(request);
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.set(id, request);
    this.#advance();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };

  receive(message: Message): "taken" | "late" | "stray" {
    this.#received += 1;
    const answer = this.#options.dialect.answer(message);
    if (answer.kind === "other") return "stray";
    const { id } = answer;
    const request = id === undefined ? this.#firstSent() : this.#sent.get(id);
    if (request === undefined) return id !== undefined && id < this.#nextId ? "late" : "stray";
    if (answer.kind === "part") {
      if (!request.abandoned) this.#takePart(request, message);
      return request.abandoned ? "late" : "taken";
    }
    const late = request.abandoned;
    this.#release(request);
    request.resolve(message);
    return late ? "late" : "taken";
  }

  fail(fault: Fault): void {
    this.#over ??= fault;
    const all = [...this.#sent.values(), ...this.#waiting.values()];
    const unsent = new Set(this.#waiting.keys());
    this.#sent.clear();
    this.#waiting.clear();
    for (const request of all) {
      clearTimeout(request.timer);
      request.reject({ fault, sent: !unsent.has(request.id) });
    }
  }

  #encode(id: number, body: Message, trace: TraceContext | undefined): string {
    try {
      return writeLine(this.#options.dialect.encode(id, body, trace));
    } catch (cause) {
      throw this.#error({ kind: "unwritable", why: cause instanceof Error ? cause.message : String(cause) }, false);
    }
  }

  /** Sends what waits, as far as there is room. */
  #advance(): void {
    for (const request of this.#waiting.values()) {
      if (this.#sent.size >= this.#options.dialect.inFlight) return;
      this.#waiting.delete(request.id);
      const full = this.#options.write(request.line);
      if (full === undefined) this.#sent.set(request.id, request);
      else {
        clearTimeout(request.timer);
        request.reject({ fault: full, sent: false });
      }
    }
  }

  /** Without ids there is one request with the child, and the answer belongs to it. */
  #firstSent(): PendingRequest | undefined {
    return this.#sent.values().next().value;
  }

  /** A caller whose `onPart` throws loses its own request; it is no fault of the child. */
  #takePart(request: PendingRequest, message: Message): void {
    try {
      request.onPart?.(message);
    } catch (thrown) {
      this.#abandon(request, { thrown });
    }
  }

  #timeOut(request: PendingRequest, ms: number): void {
    if (this.#waiting.delete(request.id)) {
      request.reject({ fault: { kind: "timeout", ms, where: "queue" }, sent: false });
      return;
    }
    this.#abandon(request, { fault: { kind: "timeout", ms, where: "child" }, sent: true });
    if (this.#options.dialect.onTimeout === "drop") this.#release(request);
    else this.#awaitSign(request);
  }

  #cancel(request: PendingRequest): void {
    if (this.#waiting.delete(request.id)) {
      clearTimeout(request.timer);
      request.reject({ fault: { kind: "canceled" }, sent: false });
    } else if (this.#sent.has(request.id) && !request.abandoned) {
      this.#abandon(request, { fault: { kind: "canceled" }, sent: true });
    }
  }

  /** The caller is answered now; the request keeps its place, and its deadline, until the child has answered it or its time is over. */
  #abandon(request: PendingRequest, error: RequestFailure): void {
    if (request.abandoned) return;
    request.abandoned = true;
    const cancel = this.#options.dialect.cancel?.(request.id);
    if (cancel !== undefined) this.#options.write(writeLine(cancel));
    request.reject(error);
  }

  /** Frees the place of a request that was sent. */
  #release(request: PendingRequest): void {
    clearTimeout(request.timer);
    this.#sent.delete(request.id);
    this.#advance();
  }

  /** After a deadline: a child with ids that writes anything is alive, and loses only that request; a silent one is killed. */
  #awaitSign(request: PendingRequest): void {
    const { dialect, unresponsiveMs } = this.#options;
    const before = this.#received;
    if (dialect.ids) {
      const probe = dialect.probe?.(this.#nextId++);
      if (probe !== undefined) this.#options.write(writeLine(probe));
    }
    request.timer = setTimeout(() => {
      if (dialect.ids && this.#received > before) this.#release(request);
      else this.#options.unresponsive({ kind: "unresponsive", ms: unresponsiveMs });
    }, unresponsiveMs);
  }

  #error(fault: Fault, sent: boolean): SubprocessError {
    return new SubprocessError(fault, {
      name: this.#options.name,
      sent,
      ...(fault.kind === "exited" && { stderr: this.#options.stderr() }),
    });
  }
}
