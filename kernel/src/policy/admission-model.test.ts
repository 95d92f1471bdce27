/** How long admitted calls take under overload: the real queue in virtual time, 64 places and calls that wait for 20 ms each. */
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { localPrincipal } from "../call/call.ts";
// What an admission imports once a call waits, here before time begins: a model's milliseconds do not wait for a file.
import "./adaptive-limit.ts";
import { type Admission, makeAdmission } from "./admission.ts";
import "./surplus.ts";

const [places, callMs] = [64, 20];
/** Calls a millisecond. */
const capacity = places / callMs;

/** Until what a promise has settled has gone on, and what an import gave is there. */
const turn = (): Promise<void> => new Promise(setImmediate);

interface Result {
  /** Milliseconds of each call that was served, least first. */
  readonly served: readonly number[];
  readonly refused: number;
}

interface Arrival {
  readonly at: number;
  /** Called when it has been answered or refused, so many milliseconds from its arrival. */
  readonly onEnd?: (now: number) => void;
}

class Model {
  #now = 0;
  readonly #admission: Admission;
  readonly #arrivals: Arrival[] = [];
  #ends: { readonly at: number; readonly run: () => void }[] = [];
  readonly #served: number[] = [];
  #refused = 0;

  constructor() {
    const clock = { now: () => this.#now, elapsed: () => this.#now, tickWhile: () => undefined };
    this.#admission = makeAdmission("x.y", { concurrency: places, queue: 256, clock });
  }

  /** To be added in order, also while it runs. */
  add(arrival: Arrival): void {
    this.#arrivals.push(arrival);
  }

  async run(): Promise<Result> {
    while (this.#arrivals.length + this.#ends.length + this.#admission.waiting > 0) {
      this.#now = Math.min(this.#arrivals[0]?.at ?? Number.POSITIVE_INFINITY, ...this.#ends.map(({ at }) => at));
      const due = this.#ends.filter(({ at }) => at <= this.#now);
      this.#ends = this.#ends.filter(({ at }) => at > this.#now);
      for (const { run } of due) run();
      // Who waited goes on before the next one comes.
      await turn();
      while ((this.#arrivals[0]?.at ?? Number.POSITIVE_INFINITY) <= this.#now) await this.#arrive();
    }
    return { served: this.#served.toSorted((a, b) => a - b), refused: this.#refused };
  }

  async #arrive(): Promise<void> {
    const arrival = this.#arrivals.shift();
    if (arrival === undefined) return;
    const place = this.#admission.acquire(localPrincipal, "normal", Number.POSITIVE_INFINITY);
    if (place === undefined) this.#begin(arrival);
    else if (!Effect.isEffect(place)) this.#refuse(arrival);
    else {
      void Effect.runPromiseExit(place).then(({ _tag }) =>
        _tag === "Success" ? this.#begin(arrival) : this.#refuse(arrival),
      );
      await turn();
    }
  }

  #begin({ at, onEnd }: Arrival): void {
    const run = (): void => {
      this.#served.push(this.#now - at);
      this.#admission.release();
      onEnd?.(this.#now);
    };
    this.#ends.push({ at: this.#now + callMs, run });
  }

  #refuse({ onEnd }: Arrival): void {
    this.#refused += 1;
    onEnd?.(this.#now);
  }
}

/** At a fixed rate for two seconds, whatever becomes of those before. */
const openLoop = (times: number): Promise<Result> => {
  const model = new Model();
  for (let at = 0; at < 2_000; at += 1 / (capacity * times)) model.add({ at });
  return model.run();
};

it.each([2, 4, 10])(
  "at %i times the capacity, nine tenths of it are served, and all but those of the first moment in twice their time",
  async (times) => {
    const { served } = await openLoop(times);
    expect(served.length).toBeGreaterThan(0.9 * capacity * 2_000);
    // Until it is known that it is no burst, the queue fills.
    const late = served.filter((ms) => ms > 2 * callMs + 5);
    expect(late.length).toBeLessThan(capacity * 75);
    expect(served.at(-1)).toBeLessThan(100);
  },
);

it("serves a burst to its end, also one that comes in small parts", async () => {
  for (const spreadMs of [0, 60]) {
    const model = new Model();
    for (let each = 0; each < places + 256; each += 1) model.add({ at: (each * spreadMs) / (places + 256) });
    expect(await model.run()).toMatchObject({ served: { length: places + 256 }, refused: 0 });
  }
});

it("refuses no caller who waits for each answer, where few more come than there are places", async () => {
  const model = new Model();
  let left = 3_000;
  const call = (at: number): void => {
    if (left === 0) return;
    left -= 1;
    model.add({ at, onEnd: call });
  };
  for (let caller = 0; caller < places + 40; caller += 1) call(0);
  expect(await model.run()).toMatchObject({ refused: 0 });
});
