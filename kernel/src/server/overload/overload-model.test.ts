/** The real queue in a model of the event loop with virtual time: one connection is accepted in each turn, what is readable is read, then the immediates run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arrivals } from "./delay.ts";
import { Turns } from "./turns.ts";

const inLongTier = process.env.TESTS_TIER === "long";

interface Client {
  readonly principal: string;
  /** Milliseconds of the loop that its handler takes. */
  readonly costMs: number;
  /** Called with its answer. */
  readonly answered: (answer: Answer) => void;
}

interface Answer {
  readonly principal: string;
  readonly sentAt: number;
  readonly ms: number;
  readonly isRefused: boolean;
}

interface SentRequest extends Client {
  readonly at: number;
}

const lagMs = 200;
const [readMs, refuseMs] = [0.03, 0.03];

interface LoopOptions {
  /** Connections that clients have at most; they keep them. */
  readonly mostConnections?: number;
  /** Each request comes on a connection of its own. */
  readonly isFresh?: boolean;
  /** Milliseconds that it takes to accept a connection. */
  readonly acceptMs?: number;
}

/** Connections that the system holds; a client whose connection finds no room there gives up. */
const backlog = 4_096;

class LoopModel {
  now = 0;
  /** Requests that found no room outside. */
  turnedAway = 0;
  readonly answers: Answer[] = [];
  #immediates: (() => void)[] = [];
  readonly #options: Required<LoopOptions>;
  #connections = 0;
  /** What finds no connection that is free. */
  readonly #unsent: SentRequest[] = [];
  /** On connections that are not accepted yet. */
  readonly #outside: SentRequest[] = [];
  #readable: SentRequest[] = [];
  readonly #timers: { readonly at: number; readonly run: () => void }[] = [];
  #resting = 0;
  readonly #arrivals = new Arrivals({
    immediate: (work) => void this.#immediates.push(work),
    onBacklog: () => this.#turns.begin(),
  });
  readonly #turns = new Turns({
    leastWaitMs: 15,
    limitMs: lagMs + 100,
    growthMs: 2.5 * lagMs,
    now: () => this.now,
    onOverload: () => undefined,
    nextTurn: (work) => this.#arrivals.afterAll(work),
  });

  constructor({ mostConnections = 2_000, isFresh = false, acceptMs = 0.05 }: LoopOptions = {}) {
    this.#options = { mostConnections, isFresh, acceptMs };
  }

  /** On a connection that rests where there is one, else on a new one. */
  send(client: Client): void {
    const request = { ...client, at: this.now };
    const { isFresh, mostConnections } = this.#options;
    if (isFresh) {
      if (this.#outside.length < backlog) this.#outside.push(request);
      else this.turnedAway += 1;
    } else if (this.#resting > 0) {
      this.#resting -= 1;
      this.#readable.push(request);
    } else if (this.#connections < mostConnections) {
      this.#connections += 1;
      this.#outside.push(request);
    } else this.#unsent.push(request);
  }

  at(at: number, run: () => void): void {
    const last = this.#timers.at(-1);
    if (last === undefined || last.at <= at) {
      this.#timers.push({ at, run });
      return;
    }
    const index = this.#timers.findIndex((timer) => timer.at > at);
    this.#timers.splice(index === -1 ? this.#timers.length : index, 0, { at, run });
  }

  /** Runs until nothing is left to do. */
  run(): void {
    this.#turns.ticked = 0;
    let late = 0;
    while (this.#step()) {
      if (this.now - this.#turns.ticked < 100) continue;
      late = this.now - this.#turns.ticked > lagMs + 100 ? late + 1 : 0;
      this.#turns.ticked = this.now;
      if (late >= 2) this.#turns.begin();
    }
  }

  /** One turn of the loop; false when there is none. */
  #step(): boolean {
    const isIdle = this.#outside.length + this.#readable.length + this.#immediates.length === 0;
    if (isIdle) {
      const [next] = this.#timers;
      if (next === undefined) return false;
      this.now = Math.max(this.now, next.at);
      this.#turns.ticked = this.now;
    }
    this.#pass(0);
    const readable = this.#readable;
    this.#readable = [];
    const accepted = this.#outside.shift();
    if (accepted !== undefined) {
      this.#arrivals.add();
      this.#readable.push(accepted);
      this.#pass(this.#options.acceptMs);
    }
    for (const request of readable) this.#read(request);
    const immediates = this.#immediates;
    this.#immediates = [];
    for (const work of immediates) work();
    return true;
  }

  /** Time goes on, and clients send meanwhile. */
  #pass(ms: number): void {
    const end = this.now + ms;
    for (let next = this.#timers[0]; next !== undefined && next.at <= end; next = this.#timers[0]) {
      this.#timers.shift();
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = end;
  }

  #read(request: SentRequest): void {
    this.#pass(readMs);
    if (this.#turns.isQueueing) this.#turns.endWhenCalm();
    else if (this.now - this.#turns.ticked > this.#turns.limitMs) this.#turns.begin();
    const run = (): void => this.#answer(request, request.costMs, false);
    if (!this.#turns.isQueueing) run();
    else
      this.#turns.add({
        principal: request.principal,
        bytes: 0,
        run,
        refuse: () => this.#answer(request, refuseMs, true),
      });
  }

  #answer(request: SentRequest, costMs: number, isRefused: boolean): void {
    this.#pass(costMs);
    const answer = { principal: request.principal, sentAt: request.at, ms: this.now - request.at, isRefused };
    const next = this.#unsent.shift();
    if (next === undefined) this.#resting += 1;
    else this.#readable.push(next);
    this.answers.push(answer);
    request.answered(answer);
  }
}

interface Load {
  readonly principal?: string;
  readonly costMs?: number;
  readonly perSecond: number;
  readonly from?: number;
  readonly seconds: number;
}

/** Sends at a fixed rate, whatever becomes of those before. */
const openLoop = (model: LoopModel, { principal = "a", costMs = 5, perSecond, from = 0, seconds }: Load): void => {
  const send = (): void => model.send({ principal, costMs, answered: () => undefined });
  for (let count = 0; count < perSecond * seconds; count += 1) model.at(from + (count * 1_000) / perSecond, send);
};

interface Lanes {
  readonly lanes: number;
  readonly costMs: number;
  readonly calls: number;
}

/** Each lane sends the next when it has its answer. */
const closedLoop = (model: LoopModel, { lanes, costMs, calls }: Lanes): void => {
  let left = calls;
  const next = (): void => {
    if (left === 0) return;
    left -= 1;
    model.send({ principal: "a", costMs, answered: next });
  };
  model.at(0, () => {
    for (let lane = 0; lane < lanes; lane += 1) next();
  });
};

/** Nothing else runs for so long. */
const pause = (model: LoopModel, at: number, ms: number): void =>
  model.at(at, () => model.send({ principal: "the machine", costMs: ms, answered: () => undefined }));

const refusedOf = ({ answers }: LoopModel): number => answers.filter(({ isRefused }) => isRefused).length;

describe("under overload", () => {
  it.each([2, 4, 10])(
    "at %i times the capacity nine tenths of the time go into answers, and none of them is old",
    (times) => {
      const model = new LoopModel();
      openLoop(model, { perSecond: times * 200, seconds: 6 });
      model.run();
      // The first second is what it takes to know.
      const served = model.answers.filter(({ isRefused, sentAt }) => !isRefused && sentAt >= 1_000 && sentAt < 6_000);
      expect(served.length).toBeGreaterThanOrEqual(0.9 * 200 * 5 * (times === 10 ? 0.95 : 1));
      const waits = served.map(({ ms }) => ms).toSorted((a, b) => a - b);
      expect(waits[Math.floor(waits.length * 0.99)]).toBeLessThan(32);
    },
  );

  it("a polite caller is served beside a greedy one", () => {
    const model = new LoopModel();
    openLoop(model, { principal: "greedy", perSecond: 800, seconds: 6 });
    openLoop(model, { principal: "polite", perSecond: 10, from: 1_000, seconds: 5 });
    model.run();
    const polite = model.answers.filter(({ principal }) => principal === "polite");
    expect(polite).toHaveLength(50);
    expect(polite.filter(({ isRefused }) => isRefused)).toEqual([]);
  });

  it.each(
    [
      { perSecond: 2_000, acceptMs: 0.2, mostMs: 100, least: 60 },
      { perSecond: 4_000, acceptMs: 0.1, mostMs: 150, least: 60 },
      // More than can be accepted: the rest waits where nothing can be refused, in all 4,096 of them.
      { perSecond: 8_000, acceptMs: 0.1, mostMs: 1_200, least: 60 },
    ].filter((_, at) => inLongTier || at % 3 === 0),
  )(
    "is seen where $perSecond connections a second are new and $acceptMs ms each to accept: who is served has not waited for longer than $mostMs ms",
    ({ perSecond, acceptMs, mostMs, least }) => {
      const model = new LoopModel({ isFresh: true, acceptMs });
      openLoop(model, { perSecond, seconds: 4 });
      model.run();
      // What the system holds is let in before it is no burst.
      const served = model.answers.filter(({ isRefused, sentAt }) => !isRefused && sentAt >= 2_000 && sentAt < 4_000);
      expect(Math.max(...served.map(({ ms }) => ms))).toBeLessThan(mostMs);
      expect(served.length).toBeGreaterThan(least * 2);
      // Whoever came before that was seen has not waited for long either.
      expect(Math.max(...model.answers.map(({ ms }) => ms))).toBeLessThan(2_000);
    },
  );

  it("129 callers of a slow procedure who try again a second after a refusal take nothing from what is served", () => {
    const model = new LoopModel();
    const answered = (answer: Answer): void => {
      const next = (): void => model.send({ principal: "a", costMs: 20, answered });
      if (model.now >= 20_000) return;
      if (answer.isRefused) model.at(model.now + 1_000, next);
      else next();
    };
    model.at(0, () => {
      for (let lane = 0; lane < 129; lane += 1) model.send({ principal: "a", costMs: 20, answered });
    });
    model.run();
    const served = model.answers.filter(({ isRefused }) => !isRefused);
    expect(served.length).toBeGreaterThan((0.95 * 20_000) / 20);
  });

  it("nothing is refused any more two seconds after its end", () => {
    const model = new LoopModel();
    openLoop(model, { perSecond: 2_000, seconds: 3 });
    openLoop(model, { perSecond: 100, from: 3_000, seconds: 5 });
    model.run();
    const later = model.answers.filter(({ sentAt }) => sentAt >= 5_000);
    expect(later).toHaveLength(300);
    expect(later.filter(({ isRefused }) => isRefused)).toEqual([]);
  });
});

describe("nothing is refused", () => {
  const costMs = fc.double({ min: 0.05, max: 200, noNaN: true });

  it("of up to 128 callers who wait for each answer, however slow the machine is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 128 }), costMs, (lanes, each) => {
        const model = new LoopModel();
        closedLoop(model, { lanes, costMs: each, calls: 2_000 });
        model.run();
        expect([model.answers.length, refusedOf(model)]).toEqual([2_000, 0]);
      }),
      { numRuns: 40 },
    );
  });

  it("of more of them where each waits less than a quarter of a second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (lanes) => {
        const model = new LoopModel();
        closedLoop(model, { lanes, costMs: 100 / lanes, calls: 8 * lanes });
        model.run();
        expect([model.answers.length, refusedOf(model)]).toEqual([8 * lanes, 0]);
      }),
      { numRuns: 20 },
    );
  });

  it("of a burst of new connections, as many as the system holds", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: backlog }), costMs, fc.boolean(), (lanes, each, isFresh) => {
        const model = new LoopModel({ isFresh, mostConnections: backlog });
        closedLoop(model, { lanes, costMs: each, calls: lanes });
        model.run();
        expect([model.answers.length, refusedOf(model)]).toEqual([lanes, 0]);
      }),
      { numRuns: 20 },
    );
  });

  it("at half of the capacity where each request has a connection of its own, with a pause every second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 300 }), (ms) => {
        const model = new LoopModel({ isFresh: true, acceptMs: 0.1 });
        openLoop(model, { perSecond: 1_500, costMs: 0.2, seconds: 8 });
        for (let second = 1; second < 8; second += 1) pause(model, second * 1_000, ms);
        model.run();
        expect([model.turnedAway, refusedOf(model)]).toEqual([0, 0]);
      }),
      { numRuns: 10 },
    );
  });

  it("for a pause of the process, or one of a second every few", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 8_000 }), fc.integer({ min: 0, max: 3_000 }), (ms, at) => {
        const model = new LoopModel();
        openLoop(model, { perSecond: 100, seconds: 10 });
        pause(model, at, ms);
        for (let second = 15; second < 30; second += 5) pause(model, second * 1_000, 1_000);
        openLoop(model, { perSecond: 100, from: 15_000, seconds: 15 });
        model.run();
        expect(refusedOf(model)).toBe(0);
      }),
      { numRuns: 20 },
    );
  });

  it("while fewer than 64 requests wait, however long the queue has grown", () => {
    const model = new LoopModel();
    openLoop(model, { perSecond: 210, seconds: 5 });
    model.run();
    expect(refusedOf(model)).toBe(0);
  });
});
