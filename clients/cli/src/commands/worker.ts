/** `fairlead worker`: runs the project's services for the kernels of its fleet, over NATS, until it is interrupted. It does not listen. */
import { hostname } from "node:os";
import { join } from "node:path";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import { parsePlace, parseServers, rethrowAsUsage, untilAborted } from "../kernel/serve.ts";
import { requireFolder } from "../owner/ownership.ts";
import { statePlace } from "../owner/place.ts";
import { exitOfSignal } from "../terminal/io.ts";

const worker: CommandModule = {
  kernel: "runs",
  define: (command) => {
    command
      .option("--nats <servers>", "Addresses of NATS servers with commas between them (default: as configured)")
      .option("--place <place>", "Take the keyed calls of this place, as place/places: 1/3 (default: none)")
      .option("--describe", "Print procedures, subjects and JSON Schemas for a worker in another language, and end")
      .option("--name <name>", "Name of this worker and of its state folder (default: this machine's)")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead worker --nats nats://127.0.0.1:4222\n  fairlead worker --place 1/2\n  fairlead worker --name second\n",
      );
  },

  run: async (context, { flags }) => {
    const servers = parseServers(text(flags.nats));
    const place = parsePlace(text(flags.place));
    const name = text(flags.name) ?? nameHere(place?.place);
    const isOnlyDescribed = flags.describe === true;
    const terms = { command: "up", local: isOnlyDescribed || context.local } as const;
    const own = await requireFolder(await beside(context, name), terms);
    const kernel = await openProjectKernel(context, {
      own,
      log: isOnlyDescribed ? "warnings" : "configured",
      stays: true,
      isWorker: true,
      code: "all",
      flags: { nats: { name, ...servers, ...place } },
    }).catch(rethrowAsUsage);
    const failed = untilFailed(kernel);
    try {
      if (isOnlyDescribed) {
        const { lost: _, ...described } = await kernel.offer("describe");
        context.print({ ...described }, () => JSON.stringify(described, undefined, 2));
        return 0;
      }
      const { lost, ...offer } = await kernel.offer();
      context.print({ ...offer, pid: process.pid }, () =>
        [
          `worker ${offer.name} takes calls of ${offer.procedures.length} procedures`,
          ...offer.procedures.map((procedure) => `  ${procedure.name}`),
        ].join("\n"),
      );
      const failure = await Promise.race([untilAborted(context.io.signal), failed, kernel.stopRequested, lost]);
      context.say("stopping");
      if (failure !== undefined) throw failure;
    } finally {
      await kernel.close();
    }
    return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
  },
};

const nameHere = (place: number | undefined): string => {
  const machine =
    hostname()
      .replaceAll(/[^A-Za-z0-9_-]/g, "-")
      .slice(0, 50) || "worker";
  return place === undefined ? machine : `${machine}-${place}`;
};

/** A worker has a state folder of its own below the project's, so that it can run beside the kernel that calls it. */
const beside = async (context: Context, name: string): Promise<Context> => {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(name))
    throw new UsageError(`--name takes letters, digits, - and _, not ${JSON.stringify(name)}`, "like `second`");
  const { folder } = await statePlace(context);
  const env = { ...context.io.env, FAIRLEAD_STATE_DIR: join(folder, "nats", name) };
  return { ...context, io: { ...context.io, env } };
};

export default worker;
