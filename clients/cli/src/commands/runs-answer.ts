/** `fairlead runs answer`: answers the question that a run waits for; the first answer counts. */
import type { CommandModule } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { promptAnswer, type RunAnswer } from "../run/answer-prompt.ts";
import { withNamedRun } from "../run/named-run.ts";
import { isOver, type RunView, stepText } from "../run/run-text.ts";

const runsAnswer: CommandModule = {
  usageHint: `answer with --yes, --no, or a form as JSON after -d, like -d '{"folder":"attic"}'`,
  define: (command) => {
    command
      .argument("<id>", "Its id, as `fairlead runs ls --state waiting` lists it, or the beginning of it")
      .option("--yes", "Yes")
      .option("--no", "No; a form is declined")
      .option("-d, --data <json>", "The filled form: JSON, @file, or - for stdin")
      .addHelpText("after", "\nAt a terminal the question is asked where none of these is given.\n");
  },

  run: async (context, { args: [named = ""], flags }) => {
    const given = await answerIn(context, flags);
    const run = await withNamedRun(context, named, async (client, id) => {
      const found = await client.getRun({ id });
      const { question } = found;
      if (question === null) throw notWaiting(found);
      const answer = given ?? (await promptAnswer(question, terminal(context)));
      return client.answerRun({ id, question: question.id, ...answer });
    });
    context.print({ run }, () => `${run.id}: ${stepText(run)}`);
    return 0;
  },
};

const answerIn = async (
  { cwd, io }: Context,
  flags: Readonly<Record<string, unknown>>,
): Promise<RunAnswer | undefined> => {
  const data = text(flags.data);
  if ([flags.yes === true, flags.no === true, data !== undefined].filter(Boolean).length > 1)
    throw new UsageError("--yes, --no and -d do not go together", "leave two of them out");
  if (flags.yes === true) return { action: "accept" };
  if (flags.no === true) return { action: "decline" };
  if (data === undefined) return undefined;
  const content = await readInput(data, { cwd, stdin: io.stdin });
  if (typeof content !== "object" || content === null || Array.isArray(content))
    throw new UsageError("-d takes the form as a JSON object", `like -d '{"folder":"attic"}'`);
  return { action: "accept", content: content as NonNullable<RunAnswer["content"]> };
};

const terminal = ({ io }: Context): NonNullable<Context["io"]["prompt"]> => {
  if (io.prompt !== undefined) return io.prompt;
  throw new UsageError("there is no terminal to ask at", "answer with --yes, --no or -d");
};

/** It has ended, which is too late for any answer; or it does not ask now. */
const notWaiting = ({ id, state }: RunView): CommandError => {
  const hint = `see \`fairlead runs show ${id}\``;
  return isOver(state)
    ? new CommandError(
        { code: "aborted", exit: 8, reason: "over" },
        { message: `the run ${id} has ended already: it is ${state}`, hint },
      )
    : new CommandError(
        { code: "failed_precondition", exit: 5, reason: "not_asked" },
        { message: `the run ${id} waits for no answer: it is ${state}`, hint },
      );
};

export default runsAnswer;
