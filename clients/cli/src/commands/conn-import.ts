/** `fairlead conn import`: writes a contract of an upstream's tools, so that they are typed for every client. */
import type { CommandModule } from "../command/command.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { askConnections, noConnection } from "../kernel/connections-client.ts";

const connImport: CommandModule = {
  define: (command) => {
    command
      .argument("<name>", "Name of the connection, which must be up")
      .option("--as <id>", "Id of the contract; the name's letters and digits when left out")
      .addHelpText(
        "after",
        "\nThe service that is written calls the connection by its name at every start, so that it has to be in the configuration or the startup script by then.\n\nExamples:\n  fairlead conn import holler && fairlead gen\n  fairlead conn import my-server --as tools\n",
      );
  },

  run: (context, { args: [name = ""], flags }) =>
    askConnections(context, async (client) => {
      const status = await client.status({ name });
      if (status === null) {
        const known = await client.list();
        throw noConnection(
          name,
          known.map((each) => each.name),
        );
      }
      if (status.tools === 0 && status.state !== "connected") {
        const message = `${name} is ${status.state}: ${status.error ?? "its tools are not known yet"}`;
        const hint = `wait for it with \`fairlead conn status ${name} --watch\``;
        throw new CommandError({ code: "failed_precondition", exit: 5 }, { message, hint });
      }
      const { tools } = await client.tools({ connection: name });
      const { importTools } = await import("@fairlead/codegen");
      const id = typeof flags.as === "string" ? flags.as : name.toLowerCase().replace(/[^a-z0-9]/g, "");
      const result = await importTools({ ...(await genOptions(context)), id, connection: name, tools });
      if (!result.ok) {
        const { message, fix } = result;
        if (/exists already/.test(message))
          throw new CommandError({ code: "already_exists", exit: 8 }, { message, hint: fix });
        throw new UsageError(message, fix);
      }
      const { written, left } = result;
      const next = [
        ...(status.configured ? [] : [`name ${name} in the configuration or startup script`]),
        ...result.next,
      ];
      context.print({ written, next, left }, () =>
        [
          ...written.map((path) => `wrote  ${path}`),
          ...left.map(({ tool, why }) => `left out  ${tool}: ${why}`),
          ...next.map((step) => `next: ${step}`),
        ].join("\n"),
      );
      return 0;
    }),
};

export default connImport;
