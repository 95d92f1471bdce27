/**
 * `fairlead odds`: exact odds of an attack, a check or a save as a chart. Takes the input of `rules.odds`, or that of the tool
 * that would resolve it, whose dice do not matter then.
 */
import { createClient } from "@fairlead/client";
import type { Odds } from "@fairlead/contracts/rules";
import type { CommandModule } from "../command/command.ts";
import { UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { withKernel } from "../kernel/connect.ts";
import { oddsChart } from "../text/odds-chart.ts";

interface OddsService {
  readonly odds: { readonly input: unknown; readonly output: Odds; readonly errors: Record<never, never> };
}

const odds: CommandModule = {
  define: (command) => {
    command
      .argument("<input>", "JSON file of the game and the question, or - for stdin")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead odds examples/odds.json\n  fairlead odds examples/attack.json\n  fairlead odds - < examples/odds.json\n",
      );
  },

  run: async (context, { args }) => {
    const source = args[0] ?? "";
    const data = source === "-" || source.startsWith("@") || source.startsWith("{") ? source : `@${source}`;
    const input = questionOf(await readInput(data, { cwd: context.cwd, stdin: context.io.stdin }));
    return withKernel(context, async ({ transport, procedure }) => {
      const descriptor = { ...(await procedure("rules.odds")), kind: "query" } as const;
      const client = createClient<OddsService>({ id: "rules", procedures: { odds: descriptor } }, transport);
      const answer = await client.odds(input, {
        signal: context.io.signal,
        ...(context.timeoutMs !== undefined && { timeoutMs: context.timeoutMs }),
      });
      context.io.out(context.json ? JSON.stringify(answer) : oddsChart(answer));
      return 0;
    });
  },
};

/** A resolving tool's input as a question; what already is a question, or nothing of the kind, is left as it is. Pure. */
export const questionOf = (input: unknown): unknown => {
  if (typeof input !== "object" || input === null) {
    throw new UsageError("the input is no object", 'give { "game": …, "question": … }, like examples/odds.json');
  }
  if ("question" in input || !("game" in input) || !("intent" in input)) return input;
  const { game, intent } = input;
  const fields = typeof intent === "object" && intent !== null ? intent : {};
  const kind = "weapon" in fields ? "attack" : "skill" in fields ? "check" : "save";
  return { game, question: { kind, intent } };
};

export default odds;
