/** `fairlead console`: a link that lets one browser into the console of a running kernel. */
import type { CommandModule } from "../command/command.ts";
import { createConsoleLink } from "../kernel/console-link.ts";

const command: CommandModule = {
  define: (command) => {
    command.addHelpText(
      "after",
      "\nThe link works once, for five minutes, with the rights of whoever made it: the owner of the kernel's process, or the token\nof --token-file. A kernel without tokens needs no link.\n\nExamples:\n  fairlead console\n  fairlead console --url http://127.0.0.1:5099 --token-file token.txt\n",
    );
  },

  run: async (context) => {
    const { url, expiresAt } = await createConsoleLink(context);
    context.print({ url, expiresAt }, () => url);
    return 0;
  },
};

export default command;
