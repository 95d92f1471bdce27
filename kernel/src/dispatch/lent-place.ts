/**
 * The place of a run's call in its procedure's bulkhead: others have it while the run waits for an answer, which may be for days.
 *
 * Not here: the places of runs (`runs/places.ts`), and calls that are no run, whose callers wait for them.
 */
import { FairleadError } from "@fairlead/contracts";
import type { ActiveCall } from "./active-call.ts";
import { runEffect } from "./run.ts";

export class LentPlace {
  readonly #call: ActiveCall;
  /** Questions that are open: a handler may ask two at once. */
  #questions = 0;
  #state: "held" | "lent" | "left" = "held";

  constructor(call: ActiveCall) {
    this.#call = call;
  }

  /** Asks without the place, and has it again before the answer is handed on. */
  async during<T>(asked: () => Promise<T>): Promise<T> {
    this.#questions += 1;
    if (this.#state === "held") this.#give("lent");
    try {
      return await asked();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0 && this.#state === "lent") await this.#regain();
    }
  }

  leave(): void {
    if (this.#state === "held") this.#give("left");
    this.#state = "left";
  }

  #give(state: "lent" | "left"): void {
    this.#state = state;
    this.#call.target.admission.release();
  }

  /** Where too many wait for a place, or the call has ended, it goes on without: it was admitted once, and other runs of it are bounded by `concurrency`. */
  async #regain(): Promise<void> {
    const { target, request, scope } = this.#call;
    const place = target.admission.acquire(request.principal, target.priority, scope.due);
    if (place instanceof FairleadError) return;
    if (place !== undefined && !(await this.#wait(place))) return;
    if (this.#state === "lent") this.#state = "held";
    // It has left meanwhile, or another answer was quicker.
    else target.admission.release();
  }

  async #wait(place: Parameters<typeof runEffect>[0]): Promise<boolean> {
    try {
      await runEffect(place, this.#call);
      return true;
    } catch {
      return false;
    }
  }
}
