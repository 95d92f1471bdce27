/** `fairlead services restart`: stops a service of a running kernel and starts it again. */
import { isReason } from "@fairlead/client";
import type { CommandModule } from "../command/command.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";
import { notFoundError } from "../kernel/not-found.ts";

const servicesRestart: CommandModule = {
  define: (command) => {
    command
      .argument("<service>", "Its id, like weather")
      .addHelpText("after", "\nExamples:\n  fairlead services restart weather\n");
  },

  run: (context, { args: [service = ""] }) =>
    withRunningKernel(context, async (client) => {
      try {
        const answer = await client.restart({ service });
        context.print(answer, () => `${service} is restarting`);
      } catch (error) {
        if (isReason(error, client.restart, "unknown_service"))
          throw notFoundError("service", service, error.data.known);
        throw error;
      }
      return 0;
    }),
};

export default servicesRestart;
