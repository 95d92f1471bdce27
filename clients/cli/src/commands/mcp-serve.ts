/**
 * `fairlead mcp serve --stdio`: the tools for an MCP client that starts its server itself. Nothing but protocol goes to stdout.
 */
import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import type { CommandModule } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import { sharedFolder } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const mcpServe: CommandModule = {
  define: (command) => {
    command
      .argument("[services...]", "Start and offer these only; all of them otherwise. One alone introduces itself")
      .option("--stdio", "Speak on stdin and stdout")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead mcp serve --stdio\n  fairlead mcp serve weather --stdio\n  fairlead mcp serve weather notes --stdio\n",
      );
  },

  run: async (context, { args, flags }) => {
    if (flags.stdio !== true) {
      throw new UsageError(
        "`fairlead mcp serve` needs --stdio",
        "for MCP over HTTP run `fairlead up`, which serves it at /mcp",
      );
    }
    if (flags.url !== undefined) {
      throw new UsageError(
        "--url does not go with --stdio",
        "give MCP clients the address of the running kernel, with /mcp",
      );
    }
    await refuseUnknown(context, args);
    const own = await sharedFolder(context);
    const only = args.length === 0 ? {} : { only: args };
    const kernel = await openProjectKernel(context, { own, flags: only, log: "warnings", stays: true });
    const failed = untilFailed(kernel);
    try {
      const server = await kernel.serveStdio(args.length === 1 ? args[0] : undefined);
      flushCompileCache();
      const failure = await Promise.race([server.done, failed]);
      if (failure !== undefined) throw failure;
    } finally {
      await kernel.close();
    }
    return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
  },
};

/** Before anything starts. Without arguments all services are served. */
const refuseUnknown = async (context: Context, services: readonly string[]): Promise<void> => {
  if (services.length === 0) return;
  const { loadManifest } = await import("@fairlead/kernel/manifest");
  const { root, value } = await context.configFile();
  const path = context.io.env.FAIRLEAD_MANIFEST ?? value.manifest;
  const manifest = await loadManifest(typeof path === "string" ? path : undefined, pathToFileURL(`${root}/`).href);
  const known = ["kernel", ...manifest.services.map(({ id }) => id)];
  const unknown = services.find((id) => !known.includes(id));
  if (unknown !== undefined) throw (await import("../kernel/not-found.ts")).notFoundError("service", unknown, known);
};

export default mcpServe;
