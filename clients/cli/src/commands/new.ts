/** `fairlead new`: a contract and a service that work, to be changed. Overwrites nothing. */

import type { CommandModule } from "../command/command.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { sayIfLoaded } from "../owner/loaded-notice.ts";

const create: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .argument("<id>", "Id of the contract and its service: lower-case letters and digits, like weather")
      .addHelpText("after", "\nExamples:\n  fairlead new weather && fairlead gen\n");
  },

  run: async (context, { args }) => {
    const { scaffold } = await import("@fairlead/codegen");
    const { path, value } = await context.configFile();
    const namesManifest = (value.manifest ?? context.io.env.FAIRLEAD_MANIFEST) !== undefined;
    const settings = path === undefined ? {} : { settings: { path, namesManifest } };
    const result = await scaffold({ ...(await genOptions(context)), ...settings, id: args[0] ?? "" });
    if (result.ok) {
      const { created, next } = result;
      context.print({ created, next }, () =>
        [...created.map((path) => `created  ${path}`), ...next.map((step) => `next: ${step}`)].join("\n"),
      );
      await sayIfLoaded(context);
      return 0;
    }
    const { message, fix } = result;
    if (/exists already/.test(message))
      throw new CommandError({ code: "already_exists", exit: 8 }, { message, hint: fix });
    throw new UsageError(message, fix);
  },
};

export default create;
