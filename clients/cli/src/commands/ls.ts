/** `fairlead ls`: what a kernel offers, procedure by procedure. */

import type { CommandModule } from "../command/command.ts";
import { describeService, withKernelClient } from "../kernel/kernel-client.ts";
import { table } from "../terminal/table.ts";

const ls: CommandModule = {
  define: (command) => {
    command
      .argument("[service]", "Only this service")
      .addHelpText("after", "\nExamples:\n  fairlead ls\n  fairlead ls weather --json\n");
  },

  run: async (context, { args }) => {
    const services = await withKernelClient(context, async (client) => {
      const ids = args[0] === undefined ? (await client.services()).services.map(({ id }) => id) : [args[0]];
      return Promise.all(ids.map((id) => describeService(client, id)));
    });
    const document = services.map(({ service, procedures }) => ({
      ...service,
      procedures: procedures.map(({ name, kind, retry, access, summary }) => ({ name, kind, retry, access, summary })),
    }));
    const rows = document
      .flatMap(({ procedures }) => procedures)
      .map(({ name, kind, retry, summary }) => [name, kind, retry, summary]);
    context.print({ services: document }, () => table([["PROCEDURE", "KIND", "RETRY", "SUMMARY"], ...rows]));
    return 0;
  },
};

export default ls;
