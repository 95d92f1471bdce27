/**
 * The state machine of a run: what becomes of it by what happens. Pure and total: an event that does not fit the state is refused, and says
 * why.
 *
 * ```
 * queued -> running -> done | failed
 *   ^         |  ^
 *   |      waiting        cancelled: from all of these
 *   +-- retry, resume, answer after a restart
 * ```
 *
 * Not here: when these events happen (`runner.ts`), and storing (`journal.ts`).
 */
import type { WireError } from "@fairlead/contracts";
import type { Progress } from "../call/call.ts";
import {
  findAnswer,
  mostLineLength,
  mostLines,
  type Run,
  type RunAnswer,
  type RunQuestion,
  type RunState,
} from "./run.ts";

export type RunEvent =
  /** An attempt begins. */
  | { readonly type: "begin" }
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "log"; readonly text: string }
  | { readonly type: "ask"; readonly question: RunQuestion }
  | { readonly type: "answer"; readonly question: string; readonly answer: RunAnswer }
  | { readonly type: "succeed"; readonly output: unknown }
  /** The attempt failed; `due` is when the next one may begin, where there is to be one. */
  | { readonly type: "fail"; readonly error: WireError; readonly due?: number }
  | { readonly type: "cancel" }
  /** The kernel ended in the middle. `error`: why it fails, where its procedure is not to be resumed. */
  | { readonly type: "interrupt"; readonly error?: WireError }
  | { readonly type: "resume" };

/** Why an event changes nothing: the run has ended, has not, waits for no such question, or has that answer. */
export type RunRefusal = "over" | "not_over" | "not_asked" | "answered" | "not_running";

/** The run after the event, or why there is none. `now` in milliseconds since the epoch. */
export const decide = (run: Run, event: RunEvent, now: number): Run | RunRefusal => {
  const change = transition(run, event, now);
  if (typeof change === "string") return change;
  // The clock on the wall may be set back; the times of one run are not.
  return { ...run, ...change, version: run.version + 1, updatedAt: Math.max(run.updatedAt, now) };
};

type RunChange = Partial<Pick<Run, "state" | "attempt" | "attemptsBefore" | "progress" | "log" | "answers">>;

const transition = (run: Run, event: RunEvent, now: number): RunChange | RunRefusal => {
  const { state } = run;
  switch (event.type) {
    case "begin":
      return state.tag === "queued" ? { state: { tag: "running" }, attempt: run.attempt + 1 } : notRunning(state);
    case "progress":
      return isActive(state) ? { progress: event.progress } : notRunning(state);
    case "log":
      return isActive(state) ? { log: withLine(run, event.text, now) } : notRunning(state);
    case "ask":
      if (state.tag !== "running") return notRunning(state);
      return {
        state: { tag: "waiting", question: event.question, attached: true },
        answers: withoutOther(run.answers, event.question),
      };
    case "answer":
      return answer(run, event);
    case "succeed":
      return isActive(state) ? { state: { tag: "done", output: event.output } } : notRunning(state);
    case "fail":
      if (!isActive(state)) return notRunning(state);
      return {
        state: event.due === undefined ? { tag: "failed", error: event.error } : { tag: "queued", due: event.due },
      };
    case "cancel":
      return isOpen(state) ? { state: { tag: "cancelled" } } : "over";
    case "interrupt":
      return interrupt(state, event.error);
    case "resume":
      if (state.tag !== "failed" && state.tag !== "cancelled") return "not_over";
      return {
        state: { tag: "queued", due: 0 },
        attemptsBefore: run.attempt,
        log: withLine(run, "resumed", now),
        answers: withoutDeclinedForms(run.answers),
      };
  }
};

const answer = (
  { state, answers }: Run,
  { question, answer: given }: Extract<RunEvent, { type: "answer" }>,
): RunChange | RunRefusal => {
  if (Object.hasOwn(answers, question)) return "answered";
  if (!isOpen(state)) return "over";
  if (state.tag !== "waiting" || state.question.id !== question) return "not_asked";
  return {
    state: state.attached ? { tag: "running" } : { tag: "queued", due: 0 },
    answers: { ...answers, [question]: { ...given, message: state.question.message, kind: state.question.kind } },
  };
};

/** A form that was declined ended its attempt: who resumes the run is asked again. A no is an answer, and stays. */
const withoutDeclinedForms = (answers: Run["answers"]): Run["answers"] =>
  Object.fromEntries(Object.entries(answers).filter(([, { action, kind }]) => action === "accept" || kind !== "form"));

/** The answer to other words is none to these. */
const withoutOther = (answers: Run["answers"], question: RunQuestion): Run["answers"] => {
  if (findAnswer(answers, question) !== undefined) return answers;
  const { [question.id]: _, ...others } = answers;
  return others;
};

const interrupt = (state: RunState, error: WireError | undefined): RunChange | RunRefusal => {
  if (!isOpen(state)) return "over";
  if (state.tag === "queued") return state.due === 0 ? "not_running" : { state: { tag: "queued", due: 0 } };
  if (error !== undefined) return { state: { tag: "failed", error } };
  return { state: state.tag === "waiting" ? { ...state, attached: false } : { tag: "queued", due: 0 } };
};

const withLine = ({ log }: Run, text: string, at: number): Run["log"] =>
  [...log, { at, text: text.slice(0, mostLineLength) }].slice(-mostLines);

const isOpen = ({ tag }: RunState): boolean => tag === "queued" || tag === "running" || tag === "waiting";

/** True while an attempt is at work, waiting for an answer included. */
const isActive = (state: RunState): boolean => state.tag === "running" || (state.tag === "waiting" && state.attached);

const notRunning = (state: RunState): RunRefusal => (isOpen(state) ? "not_running" : "over");
