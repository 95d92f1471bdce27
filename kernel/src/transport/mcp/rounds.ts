/**
 * Calls that ask their client something while they run. A call goes on between the rounds: each round ends with a reply, or with
 * questions that the client answers by sending the request again (`input_required` of 2026-07-28; the SDK asks clients of the session
 * era by pushing, and comes back the same way).
 *
 * A call that waits belongs to the principal that began it, is found by a random name, and is cancelled when no answer comes. Not
 * here: what is asked, and why (the services).
 */
import { randomUUID } from "node:crypto";
import type { FairleadError, WireError } from "@fairlead/contracts";
import type { LogMessage, Progress, Question, Reply } from "../../call/call.ts";
import { failure } from "../../call/error.ts";

/** How one round ends. */
export type Round =
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "asks"; readonly questions: Readonly<Record<string, Question>>; readonly state: string };

/** Whoever waits for the end of a round. */
export interface RoundClient {
  /** Principal and tool: only they come back to a call. */
  readonly owner: string;
  /** Any of them fires when it gives up; the call is cancelled then. */
  readonly signals: readonly AbortSignal[];
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onLog?: ((message: LogMessage) => void) | undefined;
}

/** What a call is run with. */
export interface RoundCall {
  readonly signal: AbortSignal;
  ask(question: Question): Promise<unknown>;
  onProgress(progress: Progress): void;
  onLog(message: LogMessage): void;
}

/** Milliseconds that a person may take to answer. */
const roundTimeoutMs = 10 * 60_000;
const mostWaiting = 1_024;
const mostQuestions = 16;

export class Rounds {
  readonly #waiting = new Map<string, WaitingCall>();

  /** Runs a call until it replies or asks. */
  begin(run: (call: RoundCall) => Promise<Reply>, client: RoundClient): Promise<Round> {
    const call = new WaitingCall(run, client.owner);
    return this.#round(call, client);
  }

  /** Goes on with a call that had asked; nothing when there is none of that name for this client. */
  resume(state: string, answers: Readonly<Record<string, unknown>>, client: RoundClient): Promise<Round> | undefined {
    const call = this.#waiting.get(state);
    if (call === undefined || call.owner !== client.owner) return undefined;
    this.#waiting.delete(state);
    call.answer(answers);
    return this.#round(call, client);
  }

  /** Gives up every call that waits. */
  close(): void {
    for (const call of this.#waiting.values()) call.giveUp("the server is closing");
    this.#waiting.clear();
  }

  async #round(call: WaitingCall, client: RoundClient): Promise<Round> {
    const round = await call.round(client);
    if (round.kind === "asks") {
      const [oldest] = this.#waiting;
      if (this.#waiting.size >= mostWaiting && oldest !== undefined) {
        oldest[1].giveUp("too many calls wait for answers");
        this.#waiting.delete(oldest[0]);
      }
      this.#waiting.set(round.state, call);
      call.expireAfter(roundTimeoutMs, () => this.#waiting.delete(round.state));
    }
    return round;
  }
}

interface PendingRound {
  readonly question: Question;
  readonly answered: PromiseWithResolvers<unknown>;
}

class WaitingCall {
  readonly owner: string;
  readonly #controller = new AbortController();
  readonly #pending = new Map<string, PendingRound>();
  #questionCount = 0;
  #reply: Reply | undefined;
  #wake: (() => void) | undefined;
  #client: RoundClient | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(run: (call: RoundCall) => Promise<Reply>, owner: string) {
    this.owner = owner;
    // Begun in a later turn, so that the first round waits already.
    queueMicrotask(async () => {
      this.#reply = await run({
        signal: this.#controller.signal,
        ask: (question) => this.#ask(question),
        onProgress: (progress) => this.#client?.onProgress?.(progress),
        onLog: (message) => this.#client?.onLog?.(message),
      });
      this.#wake?.();
    });
  }

  /** Waits for the reply, or for questions. */
  async round(client: RoundClient): Promise<Round> {
    clearTimeout(this.#timer);
    this.#client = client;
    const abort = (): void => this.#controller.abort(client.signals.find(({ aborted }) => aborted)?.reason);
    if (client.signals.some(({ aborted }) => aborted)) abort();
    for (const signal of client.signals) signal.addEventListener("abort", abort, { once: true });
    while (this.#reply === undefined && this.#pending.size === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    for (const signal of client.signals) signal.removeEventListener("abort", abort);
    this.#client = undefined;
    if (this.#reply !== undefined) return { kind: "reply", reply: this.#reply };
    const questions = Object.fromEntries([...this.#pending].map(([key, { question }]) => [key, question]));
    return { kind: "asks", questions, state: randomUUID() };
  }

  /** Hands the answers over. A question without one is asked again. */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, { answered }] of this.#pending) {
      if (!Object.hasOwn(answers, key)) continue;
      this.#pending.delete(key);
      answered.resolve(answers[key]);
    }
  }

  /** Waits for the client, for so long. */
  expireAfter(ms: number, leave: () => void): void {
    this.#timer = setTimeout(() => {
      leave();
      this.giveUp("no answer came in time");
    }, ms).unref();
  }

  giveUp(why: string): void {
    clearTimeout(this.#timer);
    const error = canceled(why);
    for (const { answered } of this.#pending.values()) answered.reject(error);
    this.#pending.clear();
    this.#controller.abort(error);
  }

  #ask(question: Question): Promise<unknown> {
    if (this.#controller.signal.aborted) return Promise.reject(this.#controller.signal.reason);
    if (this.#pending.size >= mostQuestions) return Promise.reject(canceled("too many questions at once"));
    this.#questionCount += 1;
    const answered = Promise.withResolvers<unknown>();
    answered.promise.catch(() => undefined);
    this.#pending.set(`q${this.#questionCount}`, { question, answered });
    // What is asked in the same turn goes into one round.
    queueMicrotask(() => this.#wake?.());
    return answered.promise;
  }
}

const canceled = (why: string): FairleadError => failure("canceled", why);

/** The error for an answer to a call that is no longer waiting. */
export const lostCall: WireError = failure("failed_precondition", "the call that asked this is not waiting any more", {
  hint: "call the tool again",
}).toJSON();
