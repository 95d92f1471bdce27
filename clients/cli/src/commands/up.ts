/** `fairlead up`: runs the kernel until it is interrupted, and prints its addresses. */
import { flushCompileCache } from "node:module";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { consoleFolder } from "../kernel/console-link.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import {
  parsePort,
  parseServers,
  parseWorkers,
  printAddresses,
  rethrowAsUsage,
  untilAborted,
} from "../kernel/serve.ts";
import { requireFolder } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const up: CommandModule = {
  kernel: "runs",
  define: (command) => {
    command
      .option("--port <port>", "Port to listen on; 0 lets the system choose (default: 5099)")
      .option("--host <address>", "Address to bind; anything but loopback needs a token (default: 127.0.0.1)")
      .option(
        "--workers <count>",
        "Processes for what may run beside the kernel: a number, or auto for one a core (default: none)",
      )
      .option(
        "--shared-port",
        "Have as many further processes answer at the port what may run anywhere; with --workers",
      )
      .option(
        "--nats <servers>",
        "NATS servers over which workers take what may run elsewhere (default: as configured)",
      )
      .addHelpText("after", "\nExamples:\n  fairlead up\n  fairlead up --port 8080\n  fairlead up --workers auto\n");
  },

  run: async (context, { flags }) => {
    const { io } = context;
    const port = parsePort(text(flags.port));
    const host = text(flags.host);
    const workers = parseWorkers(text(flags.workers));
    const nats = parseServers(text(flags.nats));
    const folder = consoleFolder();
    const own = await requireFolder(context, { command: "up", local: context.local });
    const kernel = await openProjectKernel(context, {
      own,
      log: "configured",
      stays: true,
      listens: true,
      console: folder,
      code: "all",
      flags: {
        ...(port !== undefined && { port }),
        ...(host !== undefined && { host }),
        ...(workers !== undefined && { workers }),
        ...(flags.sharedPort === true && { sharedPort: true }),
        ...(nats.servers !== undefined && { nats }),
      },
    }).catch(rethrowAsUsage);
    const failed = untilFailed(kernel);
    let offer: (() => void) | undefined;
    try {
      const addresses = await kernel.serve().catch(rethrowAsUsage);
      own.announce(addresses.http.replace(/\/api$/, ""));
      printAddresses(context, addresses);
      const { offerConsole } = await import("../console/offer-console.ts");
      offer = offerConsole(context, { url: addresses.console, folder });
      sayIfEmpty(context, kernel.manifest.services.length);
      flushCompileCache();
      const failure = await Promise.race([untilAborted(io.signal), failed, kernel.stopRequested]);
      context.say("stopping");
      // Reported once the services have stopped and the state is closed.
      if (failure !== undefined) throw failure;
    } finally {
      offer?.();
      await kernel.close();
    }
    return io.signal.aborted ? exitOfSignal(io.signal.reason) : 0;
  },
};

/** A kernel without services answers only for itself, which is hardly what was wanted. */
const sayIfEmpty = (context: Context, services: number): void => {
  if (services > 0) return;
  const path = context.configPath();
  context.say(
    path === undefined
      ? `no service runs here, since this is not a project
next: \`fairlead init my-app\` makes one, with a service
next: in a project, \`npm install @fairlead/service-rules\` and \`gen: { include: ["@fairlead/service-rules"] }\` in fairlead.config.ts add one that ships`
      : `no service runs here
next: \`fairlead new <id>\` makes one; \`manifest: "./gen/manifest.ts"\` in ${path} names what \`fairlead gen\` has made`,
  );
};

export default up;
