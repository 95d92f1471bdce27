/** `fairlead dev`: the kernel while its services are being written. What is saved runs. */
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { consoleFolder } from "../kernel/console-link.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import { parsePort, printAddresses, rethrowAsUsage } from "../kernel/serve.ts";
import { requireFolder } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const dev: CommandModule = {
  kernel: "runs",
  define: (command) => {
    command
      .option("--port <port>", "Port to listen on; 0 lets the system choose (default: 5099)")
      .option("--host <address>", "Address to bind; anything but loopback needs a token (default: 127.0.0.1)")
      .option("--no-types", "Do not check types in the background")
      .option("--generations <n>", "Replace the process after so many changes of code (default: 100)")
      .addHelpText(
        "after",
        "\nGenerates after each change of a contract, and restarts only the services whose files have changed: docs/dev.md.\n\nExamples:\n  fairlead dev\n  fairlead dev --port 8080 --no-types\n",
      );
  },

  run: async (context, { flags }) => {
    const { mostGenerations, runSession } = await import("../dev/dev-session.ts");
    const port = parsePort(text(flags.port));
    const host = text(flags.host);
    const settings = { ...(port !== undefined && { port }), ...(host !== undefined && { host }) };
    const own = await requireFolder(context, { command: "dev", local: context.local });
    const folder = consoleFolder();
    let offer: (() => void) | undefined;
    const open = async () => {
      const kernel = await openProjectKernel(context, {
        own,
        log: "configured",
        stays: true,
        code: "all",
        console: folder,
        flags: settings,
      });
      const addresses = await kernel.serve().catch(rethrowAsUsage);
      own.announce(addresses.http.replace(/\/api$/, ""));
      printAddresses(context, addresses);
      const { offerConsole } = await import("../console/offer-console.ts");
      offer = offerConsole(context, { url: addresses.console, folder });
      return { kernel, port: addresses.port, failed: untilFailed(kernel) };
    };
    const end = await runSession(context, {
      open,
      own,
      flags: settings,
      types: flags.types !== false,
      most: parseGenerations(text(flags.generations)) ?? mostGenerations,
    }).finally(() => offer?.());
    if (end.kind === "replace") {
      await context.io.flush();
      const { replaceProcess } = await import("../dev/replace-process.ts");
      replaceProcess(end.port);
    }
    if (end.kind === "over" && end.failure !== undefined) throw end.failure;
    return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
  },
};

const parseGenerations = (given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new UsageError(`--generations takes a whole number above 0, not ${JSON.stringify(given)}`);
};

export default dev;
