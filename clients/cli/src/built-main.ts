/**
 * The entry of a built project, `node dist/`: `fairlead up` with the configuration and the services that were bundled with it. The project's root is
 * the folder around `dist`, so that the state is where `fairlead up` has it.
 *
 * Not here: building (`build/build-project.ts`), which bundles this file with the rest.
 */
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import type { CommandModule } from "./command/command.ts";
import { parseCommandLine } from "./command/command-line.ts";
import { type ConfigFile, loadConfigFile } from "./command/config-file.ts";
import type { Context } from "./command/context.ts";
import { report } from "./command/failure.ts";
import { runCommand } from "./command/program.ts";
import up from "./commands/up.ts";
import { processIo } from "./terminal/io.ts";

interface BuiltProject {
  /** The folder of what was built. */
  readonly folder: string;
  /** Name of the configuration file in the project, and of the one in the folder. */
  readonly config: { readonly source: string; readonly built: string };
  /** Path of the manifest, from the folder. */
  readonly manifest: string;
}

/** Runs until it is interrupted, and ends the process. */
export const startBuilt = async (project: BuiltProject): Promise<void> => {
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  const io = processIo();
  const words = process.argv.slice(2);
  const load = async () => ({ default: command(project) });
  const row = { name: "up", summary: "Start the kernel with its services", load };
  const code = await runCommand(row, words, io).catch((error) => report(error, parseCommandLine(words), io));
  await io.flush();
  process.exit(code);
};

const command = (project: BuiltProject): CommandModule => ({
  ...up,
  usageHint: "run `node dist/ --help`",
  run: (context, given) => up.run(builtContext(context, project), given),
});

const builtContext = (context: Context, { folder, config, manifest }: BuiltProject): Context => {
  const root = dirname(folder);
  const source = join(root, config.source);
  let loaded: Promise<ConfigFile> | undefined;
  const load = async (): Promise<ConfigFile> => {
    const { value } = await loadConfigFile(folder, { value: join(folder, config.built), by: "the build" });
    return { path: source, root, value: { ...value, manifest: join(folder, manifest) } };
  };
  return {
    ...context,
    configFile: () => {
      loaded ??= load();
      return loaded;
    },
    // Also where only the build is there: the folder around it is the project all the same.
    configPath: () => source,
  };
};
