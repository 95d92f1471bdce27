/** `fairlead up`: runs the kernel until it is interrupted, and prints its addresses. */
import { flushCompileCache } from "node:module";
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import { requireFolder } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const up: CommandModule = {
  define: (command) => {
    command
      .option("--port <port>", "Port to listen on; 0 lets the system choose (default: 5099)")
      .option("--host <address>", "Address to bind; anything but loopback needs a token (default: 127.0.0.1)")
      .addHelpText("after", "\nExamples:\n  fairlead up\n  fairlead up --port 8080\n");
  },

  run: async (context, { flags }) => {
    const { io } = context;
    const port = parsePort(text(flags.port));
    const host = text(flags.host);
    const own = await requireFolder(context, { command: "up", local: context.local });
    const kernel = await openProjectKernel(context, {
      own,
      log: "configured",
      stays: true,
      code: "all",
      flags: { ...(port !== undefined && { port }), ...(host !== undefined && { host }) },
    });
    const failed = untilFailed(kernel);
    try {
      const { http, trpc, mcp, openapi, port: bound, admin } = await kernel.serve().catch(rethrowAsUsage);
      own.announce(http.replace(/\/api$/, ""));
      const addresses = { http, trpc, mcp, openapi };
      context.print({ ...addresses, admin, port: bound, pid: process.pid }, () =>
        Object.entries(addresses)
          .map(([name, url]) => `${context.paint("bold", titles[name] ?? name)} ${url}`)
          .join("\n"),
      );
      flushCompileCache();
      const failure = await Promise.race([untilAborted(io.signal), failed, kernel.stopRequested]);
      context.say("stopping");
      // Reported once the services have stopped and the state is closed.
      if (failure !== undefined) throw failure;
    } finally {
      await kernel.close();
    }
    return io.signal.aborted ? exitOfSignal(io.signal.reason) : 0;
  },
};

const parsePort = (given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(
    `--port takes a whole number from 0 to 65535, not ${JSON.stringify(given)}`,
    "0 lets the system choose",
  );
};

/** An address that needs a token, and an unreadable token file, are wrong usage. */
const rethrowAsUsage = async (error: unknown): Promise<never> => {
  const { isWireError } = await import("@fairlead/contracts");
  if (!isWireError(error) || error.code !== "failed_precondition" || error.issues === undefined) throw error;
  if (!error.issues.some(({ path }) => path === "host"))
    throw new UsageError(error.message, error.hint, { cause: error });
  const hint = "make a token with `fairlead token create`, set FAIRLEAD_TOKEN, or use --host 127.0.0.1";
  throw new UsageError(error.message, hint, { cause: error });
};

const titles: Readonly<Record<string, string>> = {
  http: "HTTP   ",
  trpc: "tRPC   ",
  mcp: "MCP    ",
  openapi: "OpenAPI",
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    // A listening server keeps the process alive meanwhile.
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

export default up;
