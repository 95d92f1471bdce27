/**
 * The exchange with a child, in every order of four actors over the real code: callers (ask, give up), the child (answers any request that it was sent, given up or
 * not, or writes something else), the clock (the next timer), and death (the child dies, another run begins). In words:
 *
 * - a request is settled once, at its deadline at the latest, and by its own answer if by an answer;
 * - what the child has been given is told to its caller as sent, and nothing else is: only what was not sent goes to the next run;
 * - the child has no more requests than it takes at once, but for those that were given up and whose time is over while it wrote;
 * - none waits while there is room, and more than may wait are refused at once;
 * - only a child that wrote nothing after a deadline is called unresponsive;
 * - in the end nothing is open, and no timer is left.
 *
 * Every state of so many callers is looked at once; two are the same where all that can be seen of them is the same.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Dialect, lineProtocol } from "./dialect.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import type { Message } from "./line.ts";
import { SubprocessError } from "./subprocess-error.ts";

const inLongTier = process.env.TESTS_TIER === "long";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

const unresponsiveMs = 15;
const deadlines = [10, 20, 10, 30];
const queue = 2;

type Move =
  | { readonly kind: "ask" | "say" | "pass" | "die" | "restart" }
  | { readonly kind: "cancel" | "answer"; readonly at: number };

interface Request {
  readonly mark: number;
  readonly due: number;
  readonly stop: AbortController;
  isCanceled: boolean;
  /** Whether the child was given it. */
  isSent: boolean;
  readonly outcomes: string[];
}

/** What the child has, in the order in which it came. */
interface Given {
  readonly id: number;
  readonly request: Request;
  /** The child has written since its deadline. */
  isAlive: boolean;
}

const check = (isRight: boolean, sentence: string): void => {
  if (!isRight) throw new Error(sentence);
};

/** All that was waiting for nothing but its turn has had it. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn += 1) await undefined;
};

class Play {
  readonly #dialect: Dialect;
  readonly requests: Request[] = [];
  given: Given[] = [];
  #exchange: Exchange;
  #isDead = false;
  #runs = 1;
  #said = 0;
  /** Writes of the child, and when the last one was. */
  #lastWrite = Number.NEGATIVE_INFINITY;
  #unresponsive = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.#exchange = this.#begin();
  }

  #begin(): Exchange {
    const exchange: Exchange = createExchange({
      name: "t",
      dialect: this.#dialect,
      queue,
      requestMs: 1_000,
      unresponsiveMs,
      unresponsive: (fault) => {
        const silentSince = Date.now() - unresponsiveMs;
        check(!this.#dialect.ids || this.#lastWrite <= silentSince, "a child that wrote was called unresponsive");
        this.#unresponsive += 1;
        this.#end(exchange, fault);
      },
      stderr: () => [],
      write: (line) => {
        const message: Message = JSON.parse(line);
        const request = this.requests.find(({ mark }) => mark === message.mark);
        if (typeof message.id !== "number" || request === undefined) return undefined;
        check(!request.isSent, "a request was sent twice");
        request.isSent = true;
        this.given.push({ id: message.id, request, isAlive: false });
        check(this.#places() <= this.#dialect.inFlight, "the child has more than it takes");
        return undefined;
      },
    });
    return exchange;
  }

  #end(exchange: Exchange, fault: Parameters<Exchange["fail"]>[0]): void {
    exchange.fail(fault);
    this.given = [];
    this.#isDead = true;
  }

  /** Those of the child's requests that keep their place (ADR 0069). */
  #places(): number {
    return this.given.filter(({ request: { due }, isAlive }) => {
      if (!this.#dialect.ids) return true;
      if (this.#dialect.onTimeout === "drop") return Date.now() < due;
      return !isAlive || Date.now() < due + unresponsiveMs;
    }).length;
  }

  moves(callers: number): readonly Move[] {
    const found: Move[] = [];
    if (this.requests.length < callers) found.push({ kind: "ask" });
    for (const [at, { outcomes, isCanceled }] of this.requests.entries())
      if (outcomes.length === 0 && !isCanceled) found.push({ kind: "cancel", at });
    const answerable = this.#dialect.ids ? this.given.length : Math.min(1, this.given.length);
    for (let at = 0; at < answerable; at += 1) found.push({ kind: "answer", at });
    if (!this.#isDead && this.given.length > 0 && this.#said < 2) found.push({ kind: "say" });
    if (vi.getTimerCount() > 0) found.push({ kind: "pass" });
    if (!this.#isDead && this.#runs < 2) found.push({ kind: "die" });
    if (this.#isDead && this.#runs < 2) found.push({ kind: "restart" });
    return found;
  }

  async apply(move: Move): Promise<void> {
    switch (move.kind) {
      case "ask":
        this.#ask();
        break;
      case "cancel": {
        const request = this.requests[move.at];
        if (request !== undefined) request.isCanceled = true;
        request?.stop.abort();
        break;
      }
      case "answer": {
        const [answered] = this.given.splice(move.at, 1);
        if (answered !== undefined) this.#hear({ id: answered.id, ok: true, echo: answered.request.mark });
        break;
      }
      case "say":
        this.#said += 1;
        this.#hear({ log: "busy" });
        break;
      case "pass":
        vi.advanceTimersToNextTimer();
        break;
      case "die":
        this.#end(this.#exchange, { kind: "exited", exit: { code: 1 }, while: "working", unfinished: 0 });
        break;
      case "restart":
        this.#isDead = false;
        this.#runs += 1;
        this.#exchange = this.#begin();
        break;
    }
    await settled();
    this.#judge();
  }

  #hear(message: Message): void {
    this.#lastWrite = Date.now();
    for (const each of this.given) each.isAlive ||= Date.now() >= each.request.due;
    this.#exchange.receive(message);
  }

  #ask(): void {
    const timeoutMs = deadlines[this.requests.length] ?? 10;
    const mark = this.requests.length;
    const due = Date.now() + timeoutMs;
    const request: Request = {
      mark,
      due,
      stop: new AbortController(),
      isCanceled: false,
      isSent: false,
      outcomes: [],
    };
    const waiting = this.#exchange.size - this.given.length;
    this.requests.push(request);
    this.#exchange.ask({ mark }, { timeoutMs, signal: request.stop.signal }).then(
      ({ echo }) => {
        check(echo === mark, "an answer went to another's caller");
        request.outcomes.push("answer");
      },
      (error: unknown) => {
        if (!(error instanceof SubprocessError)) throw error;
        check(error.sent === request.isSent, "a caller was told the wrong thing of what the child has");
        if (error.fault.kind === "full") check(waiting >= queue, "one was refused while there was room to wait");
        request.outcomes.push(`${error.fault.kind} ${error.sent}`);
      },
    );
  }

  #judge(): void {
    for (const { outcomes, due, isCanceled } of this.requests) {
      check(outcomes.length <= 1, "a request was settled twice");
      check(outcomes.length === 1 || (Date.now() < due && !isCanceled), "a caller was left without an end");
    }
    const waits = this.requests.some(({ isSent, outcomes }) => !isSent && outcomes.length === 0);
    check(!waits || this.#places() === this.#dialect.inFlight, "one waits while there is room");
  }

  /** No actor does anything more, but the clock. */
  async end(): Promise<void> {
    while (vi.getTimerCount() > 0) await this.apply({ kind: "pass" });
    check(
      this.requests.every(({ outcomes }) => outcomes.length === 1),
      "a caller was left without an end",
    );
    check(this.#exchange.size === 0, "something is open in the end");
  }

  /** All that can be seen of it, from now on. */
  get key(): string {
    const now = Date.now();
    const request = ({ due, isCanceled, isSent, outcomes }: Request) => [
      Math.max(due - now, -unresponsiveMs),
      isCanceled,
      isSent,
      outcomes,
    ];
    return JSON.stringify([
      this.requests.map(request),
      this.given.map((each) => [each.request.mark, each.isAlive]),
      [this.#isDead, this.#runs, this.#said, this.#unresponsive, this.#exchange.size, vi.getTimerCount()],
      Math.max(this.#lastWrite - now, -unresponsiveMs),
    ]);
  }
}

const played = async (dialect: Dialect, path: readonly Move[]): Promise<Play> => {
  vi.clearAllTimers();
  vi.setSystemTime(0);
  const play = new Play(dialect);
  for (const move of path) await play.apply(move);
  return play;
};

/** How many different states so many callers of one child can come to. */
const explore = async (dialect: Dialect, callers: number): Promise<number> => {
  const known = new Set<string>();
  const open: (readonly Move[])[] = [[]];
  for (const path of open) {
    try {
      const play = await played(dialect, path);
      const { key } = play;
      if (known.has(key)) continue;
      known.add(key);
      for (const move of play.moves(callers)) open.push([...path, move]);
      await play.end();
    } catch (cause) {
      throw new Error(path.map((move) => Object.values(move).join(" ")).join(", "), { cause });
    }
  }
  return known.size;
};

const line = { protocol: "t", versions: [1] };
const dialects: readonly (readonly [string, Dialect])[] = [
  ["one at a time, killed", lineProtocol({ ...line, inFlight: 1 })],
  ["two at once, killed", lineProtocol({ ...line, inFlight: 2 })],
  ["one at a time, dropped", lineProtocol({ ...line, inFlight: 1, onTimeout: "drop" })],
  [
    "without ids",
    {
      ids: false,
      inFlight: 1,
      onTimeout: "kill",
      handshake: () => ({ kind: "other" }),
      encode: (id, body) => ({ id, ...body }),
      answer: ({ log }) => ({ kind: log === undefined ? "reply" : "other" }),
    },
  ],
];

test.each(dialects)("%s", { timeout: 600_000 }, async (_, dialect) => {
  const states = await explore(dialect, inLongTier ? 3 : 2);
  expect(states).toBeGreaterThan(inLongTier ? 10_000 : 1_000);
});
