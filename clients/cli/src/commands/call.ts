/** `fairlead call`: one procedure by its full name, with its input as JSON. */
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { readInput } from "../command/input.ts";
import { withKernel } from "../kernel/connect.ts";
import { defineCallFlags, runCall } from "../procedure/run-call.ts";

const call: CommandModule = {
  usageHint: `give the input as JSON after -d, like -d '{"city":"Bergen"}' or -d @input.json`,
  define: (command) => {
    command
      .argument("<procedure>", "Full name, like weather.forecast")
      .option("-d, --data <json>", "Input: JSON, @file, or - for stdin");
    defineCallFlags(command).addHelpText(
      "after",
      '\nEach procedure is a command as well, with flags for its fields: `fairlead weather forecast --help`.\n\nExamples:\n  fairlead call weather.forecast -d \'{"city":"Bergen"}\'\n',
    );
  },

  run: async (context, { args, flags }) => {
    const name = args[0] ?? "";
    if (!/^[^.]+(?:\.[^.]+)?$/.test(name)) {
      throw new UsageError(
        `${JSON.stringify(name)} is not a procedure name`,
        "like weather.forecast; `fairlead ls` lists them",
      );
    }
    const input = await readInput(text(flags.data), { cwd: context.cwd, stdin: context.io.stdin });
    const needs = [name.split(".")[0] ?? name];
    await withKernel(context, (kernel) => runCall(context, kernel, { name, input, flags }), { needs });
    return 0;
  },
};

export default call;
