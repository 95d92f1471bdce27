/**
 * The requests of one child: who waits, whose turn it is, and which answer is whose.
 *
 * At most `inFlight` requests are with the child, the rest wait in order, and waiting counts against the deadline. A caller that gives
 * up leaves its place to the answer that is still to come: it is dropped when it arrives, so it can never be taken for another's.
 * A request that is not answered in time is reported to the owner (`stuck`), which kills the child. Not here: pipes and processes.
 */
import type { Dialect } from "./dialect.ts";
import { type Message, writeLine } from "./line.ts";
import type { Ask, RequestOptions } from "./spec.ts";
import type { Fault } from "./subprocess-error.ts";
import { SubprocessError } from "./subprocess-error.ts";

export interface ExchangeOptions {
  readonly name: string;
  readonly dialect: Dialect;
  readonly queue: number;
  readonly requestMs: number;
  /** Writes a line, or says what is full. */
  readonly write: (line: string) => Extract<Fault, { readonly kind: "full" }> | undefined;
  /** A request was not answered in time. */
  readonly stuck: (fault: Fault) => void;
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
  readonly reject: (fault: Fault, sent: boolean) => void;
  readonly timer: NodeJS.Timeout;
  /** The caller gave up; the place is kept until the answer or the deadline. */
  abandoned: boolean;
}

export const createExchange = (options: ExchangeOptions): Exchange => {
  const { dialect } = options;
  const sent = new Map<number, PendingRequest>();
  const waiting = new Map<number, PendingRequest>();
  let nextId = 1;
  let over: Fault | undefined;

  const advance = (): void => {
    for (const entry of waiting.values()) {
      if (sent.size >= dialect.inFlight) return;
      waiting.delete(entry.id);
      const full = options.write(entry.line);
      if (full === undefined) sent.set(entry.id, entry);
      else entry.reject(full, false);
    }
  };

  const timedOut = (id: number, ms: number): void => {
    const queued = waiting.get(id);
    if (queued !== undefined) {
      waiting.delete(id);
      queued.reject({ kind: "timeout", ms, where: "queue" }, false);
      return;
    }
    const fault: Fault = { kind: "timeout", ms, where: "child" };
    sent.get(id)?.reject(fault, true);
    sent.delete(id);
    if (dialect.onTimeout === "kill") options.stuck(fault);
    else advance();
  };

  const abandon = (id: number): void => {
    const queued = waiting.get(id);
    if (queued !== undefined) {
      waiting.delete(id);
      queued.reject({ kind: "canceled" }, false);
      return;
    }
    const entry = sent.get(id);
    if (entry === undefined) return;
    entry.abandoned = true;
    const cancel = dialect.cancel?.(id);
    if (cancel !== undefined) options.write(writeLine(cancel));
    entry.reject({ kind: "canceled" }, true);
  };

  const refusal = (fault: Fault, wasSent: boolean): SubprocessError =>
    new SubprocessError(fault, {
      name: options.name,
      sent: wasSent,
      ...(fault.kind === "exited" && { stderr: options.stderr() }),
    });

  const ask: Ask = async (body, { timeoutMs = options.requestMs, signal, onPart } = {}) => {
    if (over !== undefined) throw refusal(over, false);
    if (signal?.aborted === true) throw refusal({ kind: "canceled" }, false);
    if (waiting.size >= options.queue) throw refusal({ kind: "full", what: "queue", limit: options.queue }, false);
    const id = nextId++;
    const line = writeLine(dialect.encode(id, body));
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    const abort = (): void => abandon(id);
    const timer = setTimeout(() => timedOut(id, timeoutMs), Math.max(0, timeoutMs));
    const done = (): void => {
      signal?.removeEventListener("abort", abort);
      if (!entry.abandoned) clearTimeout(timer);
    };
    const entry: PendingRequest = {
      id,
      line,
      onPart,
      timer,
      abandoned: false,
      resolve: (message) => {
        done();
        resolve(message);
      },
      reject: (fault, wasSent) => {
        done();
        reject(refusal(fault, wasSent));
      },
    };
    signal?.addEventListener("abort", abort, { once: true });
    waiting.set(id, entry);
    advance();
    return await promise;
  };

  /** Without ids there is one request with the child, and the answer is its. */
  const findEntry = (id: number | undefined): PendingRequest | undefined =>
    id === undefined ? sent.values().next().value : sent.get(id);

  return {
    ask,
    receive: (message) => {
      const answer = dialect.answer(message);
      if (answer.kind === "other") return "stray";
      const entry = findEntry(answer.id);
      if (entry === undefined) return answer.id !== undefined && answer.id < nextId ? "late" : "stray";
      if (answer.kind === "part") {
        if (!entry.abandoned) entry.onPart?.(message);
        return entry.abandoned ? "late" : "taken";
      }
      sent.delete(entry.id);
      clearTimeout(entry.timer);
      entry.resolve(message);
      advance();
      return entry.abandoned ? "late" : "taken";
    },
    fail: (fault) => {
      over ??= fault;
      const withChild = [...sent.values()];
      const queued = [...waiting.values()];
      sent.clear();
      waiting.clear();
      for (const entry of withChild) {
        clearTimeout(entry.timer);
        entry.reject(fault, true);
      }
      for (const entry of queued) entry.reject(fault, false);
    },
    get size() {
      return sent.size + waiting.size;
    },
  };
};
