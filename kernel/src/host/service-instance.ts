/**
 * A service as dispatch sees it, over all its starts: its state as the supervisor reports it, and its handlers while it runs. They
 * are there from its start, or read when a call first needs one.
 *
 * Not here: starting and stopping it (`lifecycle.ts`, `start-service.ts`).
 */
import { type Contract, FairleadError, type Redactor } from "@fairlead/contracts";
import * as Context from "effect/Context";
import type { StateReporter } from "../call/ambient.ts";
import { type AnyHandler, findHandler } from "../service/handler.ts";
import type { Condition, StartedService, ToolDefinition } from "../service/started-service.ts";
import type { ChildState, ChildStatus } from "../supervision/child-state.ts";
import { unknownVersion } from "./manifest.ts";
import { withoutExit } from "./module.ts";

/** How much of a service's code is read when it starts: all of it, or what its start needs and the rest at the first call. */
export type CodeLoading = "all" | "needed";

type SelfReport<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** What a service says about itself: what it throws must not reach the others. */
const report = <T>(question: () => T): SelfReport<T> => {
  try {
    return { ok: true, value: question() };
  } catch (cause) {
    return { ok: false, why: cause instanceof Error ? cause.message : String(cause) };
  }
};

const broken = (member: string, why: string): Condition => ({
  state: "degraded",
  why: `the service's \`${member}\` throws: ${why}`,
  fix: "fix the service",
});

/** A start that waits for a service that is down may take long. */
const isPending = (state: ChildState): boolean =>
  state.tag === "Draining" || (state.tag === "Starting" && state.waitsFor?.error === undefined);

/** The children of a started service; none where it cannot list them. */
export const listChildren = (running: StartedService<Contract> | undefined): readonly ChildStatus[] => {
  const children = report(() => running?.children?.() ?? []);
  return children.ok ? children.value : [];
};

interface RelayedDefinition {
  readonly definition: ToolDefinition;
  /** Name of the procedure in its contract. */
  readonly through: string;
}

const nothing = Context.empty();
const ready: Condition = { state: "ready" };

export class ServiceInstance {
  readonly id: string;
  #contract: Contract;
  #state: ChildState;
  readonly #redactor: Redactor | undefined;
  #running: StartedService<Contract> | undefined;
  #handlers: ReadonlyMap<string, AnyHandler> | undefined;
  #reading: Promise<void> | undefined;
  #reportCrash: (cause: unknown) => void = () => undefined;
  #crashed = Promise.withResolvers<FairleadError>();
  #leaveRelay: (() => void) | undefined;
  /** Its host; what happens to its children is reported there. */
  reporter: StateReporter | undefined;
  /** Starts it; set while that is left to whoever needs it first. */
  #startNow: (() => void) | undefined;
  /** What its start is busy with, in words. */
  step = "its start";
  readonly #relayListeners = new Set<() => void>();
  /** What the members of its relay threw when they were last called. */
  readonly #relayProblems = new Map<"list" | "find", string>();
  #settled = Promise.withResolvers<void>();
  #hasSettled = false;
  #hasBrokenCode = false;
  readonly #earlierRestarts = new Map<string, number>();

  /** `now` is in milliseconds since the epoch. */
  /** The redactor is used for what it says about itself. */
  constructor(contract: Contract, now: number, redactor?: Redactor) {
    this.#redactor = redactor;
    this.id = contract.id;
    this.#contract = contract;
    this.#state = { tag: "Starting", since: now, life: 0 };
  }

  /** What it promises now. */
  get contract(): Contract {
    return this.#contract;
  }

  get state(): ChildState {
    return this.#state;
  }

  /** False while its module could not be loaded: nothing is known of its contract but the id. */
  get isLoaded(): boolean {
    const { version, procedures } = this.#contract;
    return version !== unknownVersion || Object.keys(procedures).length > 0;
  }

  /** Takes the contract of code that is to run at the next start, instead of what ran or could not be loaded. */
  adopt(contract: Contract): void {
    this.#contract = contract;
    this.#hasBrokenCode = false;
  }

  /** True when the run before ended because its code could not be read. */
  get hasBrokenCode(): boolean {
    return this.#hasBrokenCode;
  }

  /** True while waiting for it is worth it: it is starting, or being restarted. */
  get isPending(): boolean {
    return isPending(this.#state);
  }

  /** What it waits for while it is starting, in words: other services, or a step of its own start. */
  get waitsFor(): string | undefined {
    if (this.#state.tag !== "Starting") return undefined;
    const { waitsFor } = this.#state;
    if (waitsFor === undefined) return this.step;
    return `the ${waitsFor.ids.length === 1 ? "service" : "services"} ${waitsFor.ids.join(", ")}`;
  }

  /** True once its first start has come to an end, however that went. */
  get hasSettled(): boolean {
    return this.#hasSettled;
  }

  /** Resolves once it is no longer pending, however that ended. Starts it where that was left for its first use. */
  settled(): Promise<void> {
    this.startDeferred();
    return this.#settled.promise;
  }

  /** True while nothing has needed it yet. */
  get isDeferred(): boolean {
    return this.#startNow !== undefined;
  }

  /** Leaves its start to whoever needs it first. */
  defer(start: () => void): void {
    this.#startNow = start;
    this.step = "its first use";
  }

  /** Starts it, where that was left for its first use. */
  startDeferred(): void {
    const start = this.#startNow;
    this.#startNow = undefined;
    start?.();
  }

  /** What its start returned; `undefined` while it has not started or has stopped. */
  get running(): StartedService<Contract> | undefined {
    return this.#running;
  }

  /** False until its handlers have been read. */
  get hasHandlers(): boolean {
    return this.#handlers !== undefined;
  }

  /** Resolves when the run that began last cannot go on: its handlers are broken, or its code failed where nothing caught it. */
  get crashed(): Promise<FairleadError> {
    return this.#crashed.promise;
  }

  /** Ends the run, for its supervisor to start it again. */
  crash(cause: unknown): void {
    this.#reportCrash(cause);
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#crashed.resolve(
      cause instanceof FairleadError
        ? cause
        : new FairleadError({ code: "internal", message: `${this.id} failed: ${why}` }, { cause }),
    );
  }

  /** A start begins. `reportCrash` gets what nothing caught, also while the run is stopping. */
  begin(reportCrash: (cause: unknown) => void): void {
    this.#reportCrash = reportCrash;
    this.#crashed = Promise.withResolvers();
    this.#hasBrokenCode = false;
    this.step = "its start";
  }

  /** The handler of a procedure; `undefined` unless its handlers have been read and its resources are there, as they are while it drains. */
  handler(procedure: string): AnyHandler | undefined {
    const { tag } = this.#state;
    return tag === "Ready" || tag === "Draining" ? this.#handlers?.get(procedure) : undefined;
  }

  /** What its handlers' Effects find in their context in addition to their call. */
  get context(): Context.Context<never> {
    return this.#running?.context ?? nothing;
  }

  /** Reads the handlers, once for all who wait. Rejects with a `FairleadError` (`failed_precondition`) when the code is broken. */
  readHandlers(): Promise<void> {
    this.#reading ??= this.#read(this.#running?.handlers);
    return this.#reading;
  }

  get condition(): Condition {
    const condition = this.#condition();
    return this.#redactor?.json(condition) ?? condition;
  }

  /** A text of its own without what its settings keep secret. */
  redact(text: string): string {
    return this.#redactor?.text(text) ?? text;
  }

  #condition(): Condition {
    const { tag } = this.#state;
    if (tag === "Failed" || tag === "Backoff") {
      const { message, hint } = this.#state.error;
      return { state: "degraded", why: message, fix: hint ?? `run \`fairlead services logs ${this.id}\`` };
    }
    if (tag === "Starting" && this.#state.waitsFor?.error !== undefined) {
      const { message, hint } = this.#state.waitsFor.error;
      return { state: "degraded", why: message, fix: hint ?? `run \`fairlead services logs ${this.id}\`` };
    }
    const off = report(() => this.#running?.off?.() ?? {});
    if (!off.ok) return broken("off", off.why);
    const condition = report(() => this.#running?.condition?.() ?? ready);
    if (!condition.ok) return broken("condition", condition.why);
    if (condition.value.state !== "ready") return condition.value;
    for (const [member, why] of this.#relayProblems) return broken(`relay.${member}`, why);
    const children = report(() => this.#running?.children?.());
    return children.ok ? condition.value : broken("children", children.why);
  }

  /** Why a procedure is switched off, if it is. A service that cannot say has none switched off. */
  off(procedure: string): string | undefined {
    const running = this.#running;
    if (running?.off === undefined) return undefined;
    const off = report(() => running.off?.() ?? {});
    return off.ok ? off.value[procedure] : undefined;
  }

  /** The tools it relays; none where it cannot list them. */
  relayedTools(): readonly ToolDefinition[] {
    const relay = this.#running?.relay;
    if (relay === undefined) return [];
    return this.#askRelay("list", () => relay.list().filter(({ name }) => typeof name === "string")) ?? [];
  }

  /** The tool of that name that it relays, and the procedure that takes its calls. */
  findRelayedTool(name: string): RelayedDefinition | undefined {
    const relay = this.#running?.relay;
    if (relay === undefined) return undefined;
    const definition = this.#askRelay("find", () => relay.find(name));
    return definition && { definition, through: relay.through };
  }

  #askRelay<T>(member: "list" | "find", question: () => T): T | undefined {
    const answer = report(question);
    if (answer.ok) this.#relayProblems.delete(member);
    else this.#relayProblems.set(member, answer.why);
    return answer.ok ? answer.value : undefined;
  }

  /** Takes what a start returned. Throws when its handlers do not match the contract. */
  attach(running: StartedService<Contract>): void {
    this.#handlers = typeof running.handlers === "function" ? undefined : this.#checked(running.handlers);
    this.#reading = undefined;
    this.#change(running);
  }

  /** Restarts of a child in runs of the service that are over. */
  earlierRestarts(child: string): number {
    return this.#earlierRestarts.get(child) ?? 0;
  }

  /** Drops what the last start returned. */
  detach(): void {
    for (const { id, restarts } of listChildren(this.#running))
      this.#earlierRestarts.set(id, this.earlierRestarts(id) + restarts);
    this.#handlers = undefined;
    this.#change(undefined);
  }

  /** Calls back when the tools it relays have changed, over all its starts. */
  onRelayChange(listener: () => void): () => void {
    this.#relayListeners.add(listener);
    return () => void this.#relayListeners.delete(listener);
  }

  /** Its code could not be read: the next start loads it again. */
  noteBrokenCode(): void {
    this.#hasBrokenCode = true;
  }

  /** Follows the supervisor. */
  follow(state: ChildState): void {
    this.#startNow = undefined;
    if (isPending(state) && !this.isPending) this.#settled = Promise.withResolvers();
    this.#state = this.#redactor?.json(state) ?? state;
    if (isPending(state)) return;
    this.#hasSettled = true;
    this.#settled.resolve();
  }

  async #read(handlers: StartedService<Contract>["handlers"] | undefined): Promise<void> {
    if (typeof handlers !== "function") return;
    const { resolve } = this.#crashed;
    try {
      const read = this.#checked(await withoutExit(handlers));
      if (this.#running?.handlers === handlers) this.#handlers = read;
    } catch (cause) {
      const { brokenCode } = await import("./broken-code.ts");
      this.noteBrokenCode();
      const error =
        cause instanceof FairleadError ? cause : brokenCode(`the service ${this.id}`, cause, "install it again");
      if (this.#state.tag === "Ready") this.#reportCrash(error);
      resolve(error);
      throw error;
    }
  }

  #checked(handlers: object): ReadonlyMap<string, AnyHandler> {
    checkHandlers(this.contract, handlers);
    return new Map(
      Object.entries(this.contract.procedures).flatMap(([name, { renamedTo }]) => {
        const handler = findHandler(handlers, renamedTo ?? name);
        return handler === undefined ? [] : [[name, handler] as const];
      }),
    );
  }

  #change(running: StartedService<Contract> | undefined): void {
    const relays = this.#running?.relay !== undefined || running?.relay !== undefined;
    report(() => this.#leaveRelay?.());
    this.#relayProblems.clear();
    this.#running = running;
    this.#leaveRelay = running?.relay?.onChange(() => this.#relayChanged());
    if (relays) this.#relayChanged();
  }

  #relayChanged(): void {
    for (const listener of this.#relayListeners) listener();
  }
}

/** Handlers that do not match their contract. */
export class HandlerMismatch extends FairleadError {
  /** Procedures without a handler, and handlers without a procedure. */
  readonly #names: { readonly missing: readonly string[]; readonly excess: readonly string[] };

  constructor(service: string, names: { readonly missing: readonly string[]; readonly excess: readonly string[] }) {
    const { missing, excess } = names;
    const words = [
      ...(missing.length > 0 ? [`has no handler for ${missing.join(", ")}`] : []),
      ...(excess.length > 0 ? [`has handlers its contract does not know: ${excess.join(", ")}`] : []),
    ];
    const message = `the service ${service} ${words.join(" and ")}`;
    super({ code: "failed_precondition", message, hint: "make contract and service agree" });
    this.#names = names;
  }

  get names() {
    return this.#names;
  }
}

/** Whether handlers match their contract, before any of them runs. Throws a `failed_precondition` that names what does not match. */
const checkHandlers = (contract: Contract, handlers: object): void => {
  const names = Object.entries(contract.procedures).flatMap(([name, { renamedTo }]) =>
    renamedTo === undefined ? [name] : [],
  );
  const missing = names.filter((name) => findHandler(handlers, name) === undefined);
  const excess = Object.keys(handlers).filter((name) => !names.includes(name));
  if (missing.length === 0 && excess.length === 0) return;
  throw new HandlerMismatch(contract.id, { missing, excess });
};
