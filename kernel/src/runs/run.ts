/**
 * One run as data: what was started, where it is, what it said and what it was answered. Pure: `decide.ts` changes it.
 *
 * Not here: its input, which only its attempts need and the store keeps apart.
 */
import type { WireError } from "@fairlead/contracts";
import type { Principal, Progress } from "../call/call.ts";

/** What a run waits for. */
export interface RunQuestion {
  /** Unique in the run, and the same in each attempt: its name, and how often that was asked before. */
  readonly id: string;
  readonly name: string;
  readonly kind: "form" | "confirm";
  readonly message: string;
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** In MCP's words. `content` is the filled form on the wire side. */
export interface RunAnswer {
  readonly action: "accept" | "decline";
  readonly content?: Readonly<Record<string, unknown>>;
}

/** An answer, and the words of the question that it was for: a later attempt may ask something else in its place. */
interface StoredAnswer extends RunAnswer {
  readonly message?: string;
  readonly kind?: RunQuestion["kind"];
}

/** The answer that a run has to a question in these words. */
export const findAnswer = (answers: Run["answers"], { id, message }: RunQuestion): RunAnswer | undefined => {
  if (!Object.hasOwn(answers, id)) return undefined;
  const { message: asked, kind: _, ...answer } = answers[id] ?? { action: "decline" };
  return asked === undefined || asked === message ? answer : undefined;
};

/**
 * Where a run is. `due`: not before this time on the forward clock, 0 for at once. `attached`: its handler is there and waits; without it
 * (the kernel was restarted meanwhile) an answer queues the run again.
 */
export type RunState =
  | { readonly tag: "queued"; readonly due: number }
  | { readonly tag: "running" }
  | { readonly tag: "waiting"; readonly question: RunQuestion; readonly attached: boolean }
  | { readonly tag: "done"; readonly output: unknown }
  | { readonly tag: "failed"; readonly error: WireError }
  | { readonly tag: "cancelled" };

export type RunStateTag = RunState["tag"];

/** One line of a run's log; `at` in milliseconds since the epoch. */
interface RunLine {
  readonly at: number;
  readonly text: string;
}

export interface Run {
  readonly id: string;
  /** Full name. */
  readonly procedure: string;
  /** Whose rights its attempts have: those of its start. */
  readonly principal: Principal;
  /** Unique for principal and procedure. */
  readonly key?: string;
  /** Grows with each change; a write names the one that it replaces. */
  readonly version: number;
  /** Attempts begun, over all resumptions: handlers guard by it what must not happen twice. */
  readonly attempt: number;
  /** Those of them that were before the latest resumption; they do not count for the limit of attempts. */
  readonly attemptsBefore?: number;
  readonly state: RunState;
  readonly progress?: Progress;
  readonly log: readonly RunLine[];
  /** By id of the question. */
  readonly answers: Readonly<Record<string, StoredAnswer>>;
  /** Milliseconds since the epoch, for people; ages are counted on the forward clock, by the store. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Lines that are kept, and characters of each. */
export const mostLines = 200;
export const mostLineLength = 1_000;

/** What is kept of a progress report; `undefined` where there is no number in it. A handler in JavaScript may give anything. */
export const readProgress = ({ progress, total, message }: Progress): Progress | undefined =>
  Number.isFinite(progress)
    ? {
        progress,
        ...(Number.isFinite(total) && { total }),
        ...(typeof message === "string" && { message: message.slice(0, mostLineLength) }),
      }
    : undefined;

/** True for a run that nothing but `resume` changes any more. */
export const isOver = ({ state: { tag } }: Pick<Run, "state">): boolean =>
  tag === "done" || tag === "failed" || tag === "cancelled";

/** What a run begins with. */
interface RunStart extends Pick<Run, "id" | "procedure" | "principal" | "key"> {
  readonly now: number;
}

export const newRun = ({ now, ...start }: RunStart): Run => ({
  ...start,
  version: 1,
  attempt: 0,
  state: { tag: "queued", due: 0 },
  log: [],
  answers: {},
  createdAt: now,
  updatedAt: now,
});
