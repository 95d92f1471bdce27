/** `fairlead doctor`: checks this machine and this project, one row a check. Exit 9 when a check failed. */

import type { CommandModule } from "../command/command.ts";
import { CommandError } from "../command/failure.ts";
import { runChecks } from "../doctor/checks.ts";
import { table } from "../terminal/table.ts";

const doctor: CommandModule = {
  define: (command) => {
    command.addHelpText("after", "\nExamples:\n  fairlead doctor\n");
  },

  run: async (context) => {
    const rows = await runChecks(context);
    const failed = rows.filter(({ result }) => result === "failed");
    context.print({ ok: failed.length === 0, rows }, () =>
      table([
        ["CHECK", "RESULT", "FOUND", "FIX"],
        ...rows.map(({ check, result, detail, fix }) => [check, result, detail, fix]),
      ]),
    );
    if (failed.length === 0) return 0;
    const message = failed.length === 1 ? "one check failed" : `${failed.length} checks failed`;
    throw new CommandError({ code: "findings", exit: 9 }, { message, hint: "run what the column FIX says" });
  },
};

export default doctor;
