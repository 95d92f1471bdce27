/** Follows a run to its end, and says what it does; at a terminal its questions are asked there. */
import { type Client, ClientError } from "@fairlead/client";
import type { KernelTypes } from "@fairlead/client/kernel";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { exitOfSignal } from "../terminal/io.ts";
import { promptAnswer } from "./answer-prompt.ts";
import { isOver, type RunView, stepText } from "./run-text.ts";

type RunClient = Client<KernelTypes>;

/** Resolves with the exit code, once the run has ended or the command is interrupted. */
export const followRun = async (context: Context, client: RunClient, id: string): Promise<number> => {
  const { io, json } = context;
  const said: { step: string; log: RunView["log"] } = { step: "", log: [] };
  const answered = new Set<string>();
  try {
    for await (const run of client.watchRun({ id }, { signal: io.signal })) {
      if (json) io.out(JSON.stringify(run));
      else sayChanges(context, run, said);
      if (run.state === "waiting") await answerHere(context, client, { run, answered });
      if (isOver(run.state)) return finish(run, context);
    }
  } catch (error) {
    if (!io.signal.aborted && !isPromptEnd(error)) throw error;
    return exitOfSignal(io.signal.reason);
  }
  if (io.signal.aborted) return exitOfSignal(io.signal.reason);
  throw new CommandError(
    { code: "unavailable", exit: 4 },
    { message: `the kernel ended before the run ${id} did`, hint: `run \`fairlead runs watch ${id}\` again` },
  );
};

/** Ctrl-C at the prompt is not a signal of the process: the terminal's reader takes it. */
const isPromptEnd = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** What is new since it was shown last. */
const sayChanges = (context: Context, run: RunView, said: { step: string; log: RunView["log"] }): void => {
  for (const { text } of newLines(said.log, run.log)) context.say(text);
  said.log = run.log;
  const step = stepText(run);
  if (step !== said.step) context.say(step);
  said.step = step;
};

/** The kept log is bounded: its first lines may have gone. Times are not unique, and the clock may be set. */
const newLines = (shown: RunView["log"], log: RunView["log"]): RunView["log"] => {
  const isSame = (from: number): boolean =>
    shown.slice(from).every(({ at, text }, index) => log[index]?.at === at && log[index]?.text === text);
  const gone = shown.findIndex((_, from) => isSame(from));
  return log.slice(gone === -1 ? 0 : shown.length - gone);
};

interface WaitingRun {
  readonly run: RunView;
  /** Questions that were answered from here. */
  readonly answered: Set<string>;
}

const answerHere = async (context: Context, client: RunClient, { run, answered }: WaitingRun): Promise<void> => {
  const { question, id } = run;
  const { prompt } = context.io;
  if (question === null || answered.has(question.id)) return;
  if (context.noInput) throw unanswered(id, question.message);
  if (prompt === undefined || context.json) {
    context.say(`answer with \`fairlead runs answer ${id}\``);
    return;
  }
  for (let isOpen = true; isOpen; ) {
    const answer = await promptAnswer(question, prompt);
    const refusal = await client.answerRun({ id, question: question.id, ...answer }).then(() => undefined, toRefusal);
    isOpen = refusal?.code === "invalid_argument";
    if (refusal !== undefined) context.say(refusal.message);
  }
  answered.add(question.id);
};

/** Whoever wants no questions would wait for an answer that may never come. The run waits on. */
const unanswered = (id: string, question: string): CommandError =>
  new CommandError(
    { code: "failed_precondition", exit: 5 },
    {
      message: `the run ${id} waits for an answer, and --no-input asks for none: ${question}`,
      hint: `answer with \`fairlead runs answer ${id}\`, then watch it again`,
    },
  );

/** Refusals that are shown, and that the command goes on from: an answer that does not fit, or one that comes too late. */
const toRefusal = (error: unknown): ClientError => {
  if (!(error instanceof ClientError)) throw error;
  const isLate = ["answered", "over", "not_asked"].includes(error.reason ?? "");
  if (isLate || error.code === "invalid_argument") return error;
  throw error;
};

const finish = (run: RunView, { io, json }: Context): number => {
  if (run.state === "done") {
    if (!json) io.out(JSON.stringify(run.output, undefined, io.tty.out ? 2 : undefined));
    return 0;
  }
  const { message = "it was cancelled", hint } = run.error ?? {};
  throw new CommandError(
    { code: "aborted", exit: 1 },
    {
      message: `the run ${run.id} is ${run.state}: ${message}`,
      hint: hint ?? `run \`fairlead runs resume ${run.id}\``,
    },
  );
};
