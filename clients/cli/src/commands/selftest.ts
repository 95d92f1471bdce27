/** `fairlead selftest`: tries kernels of this project on throw-away folders, and reports. Exit 9 when something failed. */
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { formatReport } from "../selftest/report.ts";
import { runSelftest } from "../selftest/run.ts";

const selftest: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .option("--quick", "A tenth of everything: about a minute")
      .option("--seed <number>", "The same requests as in an earlier run")
      .option("--report <file>", "Write the page into this file as well")
      .option("--corpus <folder>", "Where seeds that failed are kept (default: selftest-corpus)")
      .addHelpText("after", "\nExamples:\n  fairlead selftest --quick\n  fairlead selftest --report selftest.md\n");
  },

  run: async (context, { flags }) => {
    const run = await runSelftest({
      project: context.cwd,
      env: context.io.env,
      seed: parseSeed(text(flags.seed)),
      quick: flags.quick === true,
      corpus: resolve(context.cwd, text(flags.corpus) ?? "selftest-corpus"),
      onStage: ({ name, ok, figures }) => context.say(`${ok ? "ok    " : "FAILED"} ${name}: ${figures}`),
    });
    const page = formatReport(run);
    const file = text(flags.report);
    if (file !== undefined) writeFileSync(resolve(context.cwd, file), page);
    const failed = run.results.filter(({ ok }) => !ok);
    context.print({ ok: failed.length === 0, ...run }, () => page.trimEnd());
    if (failed.length === 0) return 0;
    throw new CommandError(
      { code: "findings", exit: 9 },
      {
        message: `the self-test failed: ${failed.map(({ name }) => name).join(", ")}`,
        hint: `\`fairlead selftest --seed ${run.seed}\` runs it again with the same requests`,
      },
    );
  },
};

const parseSeed = (given: string | undefined): number => {
  if (given === undefined) return randomInt(2 ** 31);
  const seed = Number(given);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new UsageError(`--seed ${given} is not a seed`, "give the number that an earlier run printed");
};

export default selftest;
