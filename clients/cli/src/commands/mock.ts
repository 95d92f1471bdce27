/** `fairlead mock`: a kernel whose services answer from their contracts alone, on throw-away state. */
import { pathToFileURL } from "node:url";
import type { Contract } from "@fairlead/contracts";
import type { CommandModule } from "../command/command.ts";
import { type Context, text } from "../command/context.ts";
import { CommandError, UsageError } from "../command/failure.ts";
import { openProjectKernel, untilFailed } from "../kernel/open-kernel.ts";
import { parsePort, printAddresses, rethrowAsUsage, untilAborted } from "../kernel/serve.ts";
import { parseCount, parseFailures, parseLatency } from "../mock/switches.ts";
import { requireFolder } from "../owner/ownership.ts";
import { exitOfSignal } from "../terminal/io.ts";

const usualSeed = 1;
const usualEveryMs = 1_000;

const mock: CommandModule = {
  kernel: "runs",
  define: (command) => {
    command
      .argument("[services...]", "Services to answer for (default: all of the project)")
      .option("--port <port>", "Port to listen on; 0 lets the system choose (default: 5099)")
      .option("--host <address>", "Address to bind; anything but loopback needs a token (default: 127.0.0.1)")
      .option("--seed <number>", `What all values follow from: the same seed, the same answers (default: ${usualSeed})`)
      .option("--latency <ms>", "How long each answer takes: milliseconds, or a range like 50..250 (default: none)")
      .option(
        "--fail <what...>",
        "The share of calls that fail (0.1), or a procedure and its error: notes.add=too_long, notes.add=unavailable@0.5",
      )
      .option("--items <count>", "Items after which a stream ends (default: never)")
      .option("--every <ms>", `Milliseconds between the items of a stream (default: ${usualEveryMs})`)
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead mock\n  fairlead mock notes --seed 7 --latency 50..250\n  fairlead mock --fail 0.1 --fail notes.add=unavailable@0.5\n",
      );
  },

  run: async (context, { args, flags }) => {
    const port = parsePort(text(flags.port));
    const host = text(flags.host);
    const latency = parseLatency(text(flags.latency));
    const seed = parseCount("--seed", text(flags.seed), 0) ?? usualSeed;
    const items = parseCount("--items", text(flags.items), 0);
    const everyMs = parseCount("--every", text(flags.every), 0) ?? usualEveryMs;
    const contracts = await readContracts(context, args);
    const { mockedService, unanswered } = await import("../mock/mocked-service.ts");
    const known = new Map(
      contracts.flatMap(({ id, procedures }) =>
        Object.entries(procedures).map(([name, { errors = {} }]) => [`${id}.${name}`, Object.keys(errors)] as const),
      ),
    );
    const failures = parseFailures(Array.isArray(flags.fail) ? flags.fail.map(String) : [], known);
    const options = { seed, latency, items, everyMs, failures };
    const kernel = await openProjectKernel(context, {
      own: await requireFolder(context, { command: "up", local: true }),
      log: "configured",
      stays: true,
      listens: true,
      services: contracts.map((contract) => mockedService(contract, options)),
      flags: { ...(port !== undefined && { port }), ...(host !== undefined && { host }) },
    }).catch(rethrowAsUsage);
    const failed = untilFailed(kernel);
    try {
      printAddresses(context, await kernel.serve().catch(rethrowAsUsage));
      context.say(
        `${known.size} procedures of ${contracts.map(({ id }) => id).join(", ")} answer from their contracts, seed ${seed}`,
      );
      const left = await unanswered(contracts, seed);
      if (left.length > 0) context.say(`no value could be made for: ${left.join(", ")}`);
      const failure = await Promise.race([untilAborted(context.io.signal), failed, kernel.stopRequested]);
      if (failure !== undefined) throw failure;
    } finally {
      await kernel.close();
    }
    return context.io.signal.aborted ? exitOfSignal(context.io.signal.reason) : 0;
  },
};

/** The contracts of the project's services. Their modules are read and never started. */
const readContracts = async (context: Context, wanted: readonly string[]): Promise<readonly Contract[]> => {
  const [{ loadManifest, serviceFile }, { isContract }, { root, value }] = await Promise.all([
    import("@fairlead/kernel/manifest"),
    import("@fairlead/contracts"),
    context.configFile(),
  ]);
  const named = context.io.env.FAIRLEAD_MANIFEST ?? value.manifest;
  const manifest = await loadManifest(typeof named === "string" ? named : undefined, pathToFileURL(`${root}/`).href);
  const ids = manifest.services.map(({ id }) => id);
  const unknown = wanted.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new UsageError(
      `there is no service ${unknown}`,
      ids.length === 0 ? "run `fairlead new`" : `there are ${ids.join(", ")}`,
    );
  const entries = manifest.services.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  if (entries.length === 0)
    throw new UsageError(
      "there is no contract to answer from",
      "make one with `fairlead new <id>`, then run `fairlead gen`",
    );
  return Promise.all(
    entries.map(async (entry) => {
      const file = serviceFile(entry, manifest);
      const module: { readonly default?: { readonly contract?: unknown } } =
        file === undefined ? {} : await import(pathToFileURL(file).href);
      const contract = module.default?.contract;
      if (isContract(contract)) return contract;
      throw new CommandError(
        { code: "failed_precondition", exit: 8 },
        { message: `the module of ${entry.id} could not be read as a service`, hint: "run `fairlead gen`" },
      );
    }),
  );
};

export default mock;
