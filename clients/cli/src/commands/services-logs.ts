/** `fairlead services logs`: the log lines of a running kernel, of one service or of all. */

import type { CommandModule } from "../command/command.ts";
import { followEvents } from "../kernel/follow.ts";

const whatIsLogged =
  "calls that change something or fail are logged; with `log.level: debug` every call is, and `fairlead services events --type call` shows all";

const servicesLogs: CommandModule = {
  define: (command) => {
    command
      .argument("[service]", "Only this one's; `kernel` for the kernel's own")
      .addHelpText(
        "after",
        `\nPrints what is kept, then what comes, until it is interrupted. ${whatIsLogged}\n\nExamples:\n  fairlead services logs weather\n`,
      );
  },

  run: (context, { args: [service] }) => {
    context.say(whatIsLogged);
    return followEvents(context, {
      service,
      types: ["log"],
      line: ({ at, service: about, data: { level, message, at: _, ...fields } }) => {
        const more = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
        return `${at} ${String(level).padEnd(5)} ${about}: ${String(message)}${more}`;
      },
    });
  },
};

export default servicesLogs;
