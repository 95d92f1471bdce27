/**
 * A task of the eval: what somebody asks, in words that are not the names of tools, and how it is known whether a model did it.
 *
 * Not here: the tasks (`tasks/`), and how a run is judged (`score.ts`).
 */

/** What a model hands to a tool. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A call that a right run makes, and that succeeds. */
export interface ExpectedCall {
  /** The tool; of several, any. */
  readonly tool: string | readonly string[];
  /** What its arguments hold, each as JSON; a model may send more. */
  readonly where?: Readonly<Record<string, RegExp>>;
}

/** One call of the scripted model. */
export interface Step {
  readonly tool: string;
  /** Given what the calls before it answered, each parsed where it is JSON. */
  readonly input: Arguments | ((answers: readonly unknown[]) => Arguments);
  /** What it would search for where tools are searched; what was asked, when left out. */
  readonly seek?: string;
}

export type TaskGroup = "rules" | "inspector" | "pob" | "loop" | "kernel" | "other";

export interface EvalTask {
  readonly id: string;
  readonly group: TaskGroup;
  readonly ask: string;
  /** Each is made and succeeds, in this order. */
  readonly expect: readonly ExpectedCall[];
  /** Tools that must not be called here, beside all that destroy and are not expected. */
  readonly forbid?: readonly string[];
  /** What the last words of the model hold. */
  readonly answer: readonly RegExp[];
  /** How the scripted model does it. */
  readonly script: readonly Step[];
  /** A program without which this cannot be done. */
  readonly needs?: "luajit";
}

/** A task that one call does. */
export const single = (
  group: TaskGroup,
  id: string,
  task: Omit<EvalTask, "group" | "id" | "expect" | "script"> &
    Partial<Pick<EvalTask, "expect">> & { readonly call: Step; readonly where?: ExpectedCall["where"] },
): EvalTask => {
  const { call, where, ...rest } = task;
  return {
    group,
    id,
    expect: [{ tool: call.tool, ...(where !== undefined && { where }) }],
    ...rest,
    script: [call],
  };
};

/** A field of an earlier answer. */
export const field = (answers: readonly unknown[], at: number, name: string): unknown => {
  const answer = answers[at];
  return typeof answer === "object" && answer !== null
    ? Object.entries(answer).find(([key]) => key === name)?.[1]
    : undefined;
};
