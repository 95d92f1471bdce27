/**
 * Whose a question is that an upstream pushes without saying so: a process of the session era has one pipe for all calls. It belongs to
 * the caller all of whose calls are open; where there are several callers, it waits until the calls of one alone are left, and new ones
 * of others wait meanwhile. Where all calls wait for their questions at once, it cannot be found out: all of these are refused, and the
 * tools that have asked are called by one caller at a time from then on. Pure but for waiting; not here: asking.
 */

/** A call under way at an upstream. */
export interface OpenCall {
  readonly tool: string;
  /** The client that makes it; calls without one are each of a client of its own. */
  readonly client: string | undefined;
}

interface WaitingQuestion<C> {
  /** Calls that it may belong to. */
  readonly candidates: Set<C>;
  readonly resolve: (owner: C | undefined) => void;
}

interface WaitingCall<C> {
  readonly call: C;
  readonly begin: () => void;
}

export class QuestionOwners<C extends OpenCall> {
  readonly #open = new Set<C>();
  readonly #questions = new Set<WaitingQuestion<C>>();
  readonly #queue: WaitingCall<C>[] = [];
  /** Tools that have asked. */
  readonly #asking = new Set<string>();

  /** Resolves when the call may be sent; it is open then. Rejects with the signal's reason. */
  async enter(call: C, signal: AbortSignal): Promise<void> {
    if (this.#queue.length === 0 && this.#mayBegin(call)) {
      this.#open.add(call);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { call, begin: resolve };
    const leave = (): void => {
      const at = this.#queue.indexOf(waiting);
      if (at >= 0) this.#queue.splice(at, 1);
      reject(signal.reason);
      this.#beginNext();
    };
    this.#queue.push(waiting);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** @param answered whether the upstream has answered it; otherwise a question that waits may be its own, and is refused */
  leave(call: C, answered: boolean): void {
    this.#open.delete(call);
    for (const question of this.#questions) {
      if (question.candidates.delete(call) && !answered) this.#end(question, undefined);
    }
    this.#settle();
    this.#beginNext();
  }

  /** The call that a question belongs to which comes now; nothing where that cannot be found out. */
  async find(): Promise<C | undefined> {
    const owner = await new Promise<C | undefined>((resolve) => {
      this.#questions.add({ candidates: new Set(this.#open), resolve });
      this.#settle();
    });
    if (owner !== undefined) this.#asking.add(owner.tool);
    return owner;
  }

  #settle(): void {
    for (const question of this.#questions) {
      const [first, ...rest] = question.candidates;
      if (first !== undefined && !rest.every((one) => isSameClient(first, one))) continue;
      this.#end(question, first);
    }
    if (this.#questions.size > 0 && this.#questions.size >= this.#open.size) {
      for (const { tool } of this.#open) this.#asking.add(tool);
      for (const question of this.#questions) this.#end(question, undefined);
    }
  }

  #end(question: WaitingQuestion<C>, owner: C | undefined): void {
    this.#questions.delete(question);
    question.resolve(owner);
  }

  #beginNext(): void {
    for (;;) {
      const [next] = this.#queue;
      if (next === undefined || !this.#mayBegin(next.call)) return;
      this.#queue.shift();
      this.#open.add(next.call);
      next.begin();
    }
  }

  #mayBegin(call: C): boolean {
    for (const other of this.#open) {
      if (isSameClient(call, other)) continue;
      if (this.#questions.size > 0 || (this.#asking.has(call.tool) && this.#asking.has(other.tool))) return false;
    }
    return true;
  }
}

const isSameClient = (a: OpenCall, b: OpenCall): boolean =>
  a === b || (a.client !== undefined && a.client === b.client);
