/**
 * Whose a question is that an upstream pushes without saying so: a process of the session era has one pipe for all calls. It belongs to
 * the caller all of whose calls are open, and only if nothing of another client may still be worked on: a call that was given up may ask
 * later, and an upstream may answer a call whose question still waits. What may be of several clients is refused at once, and the tools that were open
 * then are not called by different clients at the same time any more. Pure but for waiting; not here: asking.
 */

/** A call under way at an upstream. */
export interface OpenCall {
  readonly tool: string;
  /** The client that makes it; calls without one are each of a client of its own. */
  readonly client: string | undefined;
}

interface WaitingCall<C> {
  readonly call: C;
  readonly begin: () => void;
}

/** The call that a question belongs to, or why that cannot be found out. */
type QuestionOwner<C> = { readonly call: C } | { readonly unknown: string };

/** Of calls without a client, or of several clients: no open call is of the same. */
const several = Symbol("several");

export class QuestionOwners<C extends OpenCall> {
  readonly #open = new Set<C>();
  readonly #queue: WaitingCall<C>[] = [];
  /** Tools that have asked. */
  readonly #asking = new Set<string>();
  /** Tools that were open when a question came which may have been of either. */
  readonly #apart = new Map<string, Set<string>>();
  /** The client of calls that were given up, and are not answered. */
  #abandoned: string | typeof several | undefined;

  /** Resolves when the call may be sent; it is open then. Rejects with the signal's reason. */
  async enter(call: C, signal: AbortSignal): Promise<void> {
    if (this.#mayBegin(call, this.#queue)) {
      this.#open.add(call);
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { call, begin: resolve };
    const leave = (): void => {
      const at = this.#queue.indexOf(waiting);
      if (at >= 0) this.#queue.splice(at, 1);
      reject(signal.reason);
      this.#beginWaiting();
    };
    this.#queue.push(waiting);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    await promise.finally(() => signal.removeEventListener("abort", leave));
  }

  /** @param answered whether the upstream has answered it; otherwise it may still ask */
  leave(call: C, answered: boolean): void {
    this.#open.delete(call);
    if (!answered) {
      const isFirst = this.#abandoned === undefined || this.#abandoned === call.client;
      this.#abandoned = isFirst && call.client !== undefined ? call.client : several;
    }
    this.#beginWaiting();
  }

  /** The upstream has answered all that it was sent, what was given up as well. */
  allAnswered(): void {
    this.#abandoned = undefined;
  }

  /** The call that a question belongs to which comes now. */
  find(): QuestionOwner<C> {
    const [call, ...rest] = this.#open;
    if (call === undefined) return { unknown: "it is not known whose call it belongs to: none is open" };
    if (!rest.every((one) => isSameClient(call, one))) {
      this.#keepApart();
      return { unknown: "it is not known whose call it belongs to: several clients have open ones" };
    }
    if (this.#abandoned !== undefined && this.#abandoned !== call.client) {
      const next = "reconnecting the upstream ends that call";
      return { unknown: `it may belong to a call that another client gave up and that is not answered; ${next}` };
    }
    this.#asking.add(call.tool);
    return { call };
  }

  /** The open calls, where all are of one client and nothing of another may be worked on: what comes now is of that client. */
  get certain(): readonly C[] {
    const [first, ...rest] = this.#open;
    if (first === undefined || !rest.every((one) => isSameClient(first, one))) return [];
    return this.#abandoned === undefined || this.#abandoned === first.client ? [first, ...rest] : [];
  }

  #keepApart(): void {
    for (const one of this.#open) {
      const apart = this.#apart.get(one.tool) ?? new Set();
      for (const other of this.#open) if (!isSameClient(one, other)) apart.add(other.tool);
      this.#apart.set(one.tool, apart);
    }
  }

  /** Each that may, in their order: one does not pass another that it is kept apart from. */
  #beginWaiting(): void {
    const ahead: WaitingCall<C>[] = [];
    for (const next of this.#queue.splice(0)) {
      if (!this.#mayBegin(next.call, ahead)) {
        ahead.push(next);
        continue;
      }
      this.#open.add(next.call);
      next.begin();
    }
    this.#queue.push(...ahead);
  }

  #mayBegin(call: C, ahead: readonly WaitingCall<C>[]): boolean {
    for (const other of this.#open) if (this.#areApart(call, other)) return false;
    return !ahead.some((waiting) => this.#areApart(call, waiting.call));
  }

  #areApart(a: C, b: C): boolean {
    if (isSameClient(a, b)) return false;
    return (this.#asking.has(a.tool) && this.#asking.has(b.tool)) || this.#apart.get(a.tool)?.has(b.tool) === true;
  }
}

const isSameClient = (a: OpenCall, b: OpenCall): boolean =>
  a === b || (a.client !== undefined && a.client === b.client);
