/**
 * `fairlead mcp serve --stdio`: the tools for an MCP client that starts its server itself. Nothing but protocol goes to stdout.
 */
import { flushCompileCache } from "node:module";
import type { CommandModule } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import type { RelayKernel } from "../owner/attached.ts";
import { type OwnFolder, settleOwnership } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const mcpServe: CommandModule = {
  kernel: "runs",
  define: (command) => {
    command
      .argument("[services...]", "Offer these only; all of them otherwise. One alone introduces itself")
      .option("--stdio", "Speak on stdin and stdout")
      .option(
        "--profile <name>",
        "Offer the tools of this profile of the configuration; `full` lists every tool, in full",
      )
      .option("--read-only", "Offer only tools that say they change nothing")
      .option("--search", "List five tools that find and call the others, for clients that cannot search")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead mcp serve --stdio\n  fairlead mcp serve weather --stdio\n  fairlead mcp serve weather notes --stdio --read-only\n",
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
    if (args.length > 0) await (await import("../kernel/known-services.ts")).refuseUnknownServices(context, args);
    const choice = formatChoice(flags);
    const settled = await settleOwnership(context, { command: "mcp serve", local: context.local });
    if (settled.kind === "attach") {
      const { serveAttached } = await import("../owner/attached.ts");
      await serveAttached(context, settled, { services: args, choice, open: (own) => openRelayed(context, own, args) });
      return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
    }
    const kernel = await openServing(context, settled, args);
    const { untilFailed } = await openKernelCode();
    const failed = untilFailed(kernel);
    try {
      const server = await kernel.serveStdio(args, choice);
      flushCompileCache();
      const failure = await Promise.race([server.done, failed]);
      if (failure !== undefined) throw failure;
    } finally {
      await kernel.close();
    }
    return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
  },
};

/** The choice of tools as the query of an MCP address has it. */
const formatChoice = ({ profile, readOnly, search }: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams({
    ...(typeof profile === "string" && { profile }),
    ...(readOnly === true && { "read-only": "1" }),
    ...(search === true && { mode: "search" }),
  }).toString();

/** Read only where this process owns the folder. */
const openKernelCode = () => import("../kernel/open-kernel.ts");

/** The owner of the project's folder can run all services, since others attach to it, and starts those that it offers; one without a socket has no others. */
const openServing = async (context: Context, own: OwnFolder, services: readonly string[]) => {
  const { openProjectKernel } = await openKernelCode();
  const offered = services.length === 0 ? undefined : services;
  const only = own.key !== undefined || offered === undefined ? {} : { only: offered };
  return openProjectKernel(context, { own, flags: only, starts: offered, log: "warnings", stays: true });
};

const openRelayed = async (context: Context, own: OwnFolder, services: readonly string[]): Promise<RelayKernel> => {
  const kernel = await openServing(context, own, services);
  const { untilFailed } = await openKernelCode();
  return { ownerSocket: kernel.ownerSocket, close: kernel.close, fatal: untilFailed(kernel) };
};

export default mcpServe;
