/**
 * `fairlead mcp serve --stdio`: the tools for an MCP client that starts its server itself. Nothing but protocol goes to stdout.
 */
import { flushCompileCache } from "node:module";
import type { CommandModule } from "../command/command.ts";
import { UsageError } from "../command/failure.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import { sharedFolder } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const mcpServe: CommandModule = {
  define: (command) => {
    command
      .argument("[service]", "Only this service's tools; all of them otherwise")
      .option("--stdio", "Speak on stdin and stdout")
      .addHelpText("after", "\nExamples:\n  fairlead mcp serve --stdio\n  fairlead mcp serve weather --stdio\n");
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
    const own = await sharedFolder(context);
    const kernel = await openProjectKernel(context, { own, log: "warnings", stays: true });
    const failed = untilFailed(kernel);
    try {
      const server = await kernel.serveStdio(args[0]);
      flushCompileCache();
      const failure = await Promise.race([server.done, failed]);
      if (failure !== undefined) throw failure;
    } finally {
      await kernel.close();
    }
    return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
  },
};

export default mcpServe;
