/** A reply in another process while it is made, slice by slice. */

import type { ReplyPart } from "../answer/reply-parts.ts";
import { type ToolAnswer, toAnswer } from "../protocol/backend.ts";
import type { ExpressionProblem, ToolReply } from "../protocol/message.ts";
import { DebuggerError, type DebuggerSession } from "./debugger-session.ts";

/**
 * Milliseconds of a slice in the process, with a turn of its loop after each. V8 collects what was made between two turns, which takes up to 8 ms where all
 * of it is kept, and no turn of the program is to wait for 10.
 */
const sliceMs = 2;

/** Milliseconds of the slices that one message asks for: no further one begins after them. */
const turnsMs = 4;

/** Milliseconds after which a loop that has no turn is taken for stuck: the next slice interrupts what runs. */
const stuckMs = 300;

/**
 * Runs slices in turns of the loop there, so that they interrupt nothing, and the program has a turn of its own between two. They end when there is a
 * part of the text, when their time is over, or when a slice that interrupts came before.
 */
const inTurns = `function (ms, turn, most) {
  const { setImmediate } = process.getBuiltinModule("node:timers");
  const { performance } = process.getBuiltinModule("node:perf_hooks");
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const step = () => {
      try {
        if (this.turn >= turn) return resolve();
        this.isInSlice = true;
        const part = this.next(ms);
        this.isInSlice = false;
        if (!part.isLast && part.text === "" && performance.now() - began < most) return setImmediate(step);
        this.turn = turn;
        resolve(part);
      } catch (error) { reject(error); }
    };
    setImmediate(step);
  });
}`;

/** Runs a slice at once, in the middle of whatever runs there; nothing in the middle of another slice, or where the turns of its number are over. */
const interrupting = `function (ms, turn) {
  if (this.isInSlice || this.turn >= turn) return undefined;
  this.turn = turn;
  return this.next(ms);
}`;

/** Ends the reply; what a program that called `inspect` gives has nothing to end. */
const end = "function () { this.end?.(); }";

export class RemoteReply {
  readonly #session: DebuggerSession;
  readonly #open: () => Promise<string | undefined>;
  #reference: string | undefined;
  #text = "";
  #turn = 0;
  #isStuck = false;
  #isInSlice = false;
  #isReleased = false;

  /** @param open gives the reference to the reply; undefined where there is nothing to ask */
  constructor(session: DebuggerSession, open: () => Promise<string | undefined>) {
    this.#session = session;
    this.#open = open;
  }

  /** Never rejects. */
  async slice(): Promise<ToolAnswer | undefined> {
    this.#isInSlice = true;
    try {
      this.#reference ??= await this.#open();
      if (this.#reference === undefined) return nothingRegistered;
      const part = await this.#next(this.#reference);
      this.#text += part.text;
      return part.isLast ? toAnswer(JSON.parse(this.#text) as ToolReply) : undefined;
    } catch (error) {
      if (!(error instanceof DebuggerError)) throw error;
      return error.isTerminated ? { kind: "problem", problem: timeoutProblem } : { kind: "gone", why: error.message };
    } finally {
      this.#isInSlice = false;
      if (this.#isReleased) this.release();
    }
  }

  /** Ends the reply there and forgets it; in the middle of a slice it does so when the slice is over. */
  release(): void {
    this.#isReleased = true;
    if (this.#isInSlice || this.#reference === undefined) return;
    this.#session.release(this.#reference, end);
    this.#reference = undefined;
  }

  async #next(reference: string): Promise<ReplyPart> {
    const values = [sliceMs, ++this.#turn, turnsMs];
    const { promise, resolve, reject } = Promise.withResolvers<ReplyPart>();
    const settle = (part: unknown): void => {
      if (part !== undefined) resolve(part as ReplyPart);
    };
    const interrupt = (): void => {
      this.#isStuck = true;
      this.#session.value(reference, interrupting, values).then(settle, reject);
    };
    const timer = setTimeout(interrupt, this.#isStuck ? 0 : stuckMs);
    if (!this.#isStuck) this.#session.awaited(reference, inTurns, values).then(settle, reject);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The process has no roots. */
const nothingRegistered: ToolAnswer = {
  kind: "gone",
  why: "the process has no roots: call inspect({ … }) there, or give `roots` in the inspector's configuration",
};

/** The process ended the question by its timeout. */
const timeoutProblem: ExpressionProblem = {
  code: "deadline",
  message: "The process ended the evaluation: it took too long",
  position: 0,
  length: 0,
  caret: "",
  part: "expr",
  hint: "narrow `where`, or see whether a configured root ends",
};
