/** `fairlead services events`: the events of a running kernel, without single calls and log lines. */

import type { CommandModule } from "../command/command.ts";
import { followEvents } from "../kernel/follow.ts";

/** How services and their subprocesses are. */
const usual = ["service.state", "child.state"];

const servicesEvents: CommandModule = {
  define: (command) => {
    command
      .argument("[service]", "Only what is about this one")
      .option("--type <type...>", "Event types", usual)
      .addHelpText(
        "after",
        "\nPrints what is kept, then what comes, until it is interrupted.\n\nExamples:\n  fairlead services events\n  fairlead services events weather --type call\n",
      );
  },

  run: (context, { args: [service], flags }) =>
    followEvents(context, {
      service,
      types: Array.isArray(flags.type) ? flags.type.map(String) : [...usual],
      line: ({ seq, at, type, service: about, data }) => `${seq} ${at} ${type} ${about} ${JSON.stringify(data)}`,
    }),
};

export default servicesEvents;
