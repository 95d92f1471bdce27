/**
 * A session of `fairlead dev`: after each change of a file it generates what follows from the contracts, checks the types in the background, and
 * lets the kernel load the services that the file belongs to. What cannot be done while a process runs is done by one that takes its place.
 *
 * Not here: how code is replaced (the kernel's `reload`), and what is generated (codegen's `watch`).
 */
import { isDeepStrictEqual } from "node:util";
import { watch } from "@fairlead/codegen";
import { isWireError } from "@fairlead/contracts";
import { followModules, type Kernel, readConfig } from "@fairlead/kernel";
import { loadConfigFile } from "../command/config-file.ts";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { wrongConfig } from "../kernel/open-kernel.ts";
import type { OwnFolder } from "../owner/ownership.ts";
import { DevKernel } from "./dev-kernel.ts";
import { watchInstalls } from "./installed-packages.ts";
import { ownFiles } from "./own-files.ts";
import { makeReport } from "./report.ts";
import { makeTypeCheck } from "./type-check.ts";

interface DevOptions {
  /** Opens the kernel, lets it listen and prints where. Closing it lets go of the folder. */
  readonly open: () => Promise<OpenedKernel>;
  readonly own: OwnFolder;
  /** Settings that flags of the command give. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly types: boolean;
  /** Generations after which the process is replaced. */
  readonly most: number;
}

interface OpenedKernel {
  readonly kernel: Kernel;
  readonly port: number;
  /** Resolves with what it cannot go on from. */
  readonly failed: Promise<unknown>;
}

/** Why it ended: interrupted, the kernel's own end, or because another process has to take its place on that port. */
type DevEnd =
  | { readonly kind: "over"; readonly failure: unknown }
  | { readonly kind: "replace"; readonly port: number };

/** Node keeps every generation of a module in memory. */
export const mostGenerations = 100;

export const runSession = async (context: Context, { open, own, flags, types, most }: DevOptions): Promise<DevEnd> => {
  const report = makeReport(context);
  const { path: configPath, root, value: configured } = await context.configFile();
  const options = await genOptions(context);
  const modules = await followModules(ownFiles());
  const typeCheck = types ? makeTypeCheck({ root, cache: own.folder }, report) : undefined;
  const stop = new AbortController();
  const { promise: end, resolve: finish } = Promise.withResolvers<DevEnd>();
  let dev: DevKernel | undefined;
  /** Whether the configuration was saved since the kernel took it, and could not be used then. */
  let configBehind = false;
  let port = 0;

  const replaceProcess = (because: string): void => {
    report({ event: "replacing_process", because });
    finish({ kind: "replace", port });
  };

  const update = async (kernel: DevKernel): Promise<void> => {
    const began = performance.now();
    const outcome = await kernel.update();
    if (outcome.kind === "other-services") return replaceProcess(`the services are now ${outcome.ids.join(", ")}`);
    if (outcome.kind === "nothing") return;
    const { generation } = kernel;
    const milliseconds = Math.round(performance.now() - began);
    report({ event: "reloaded", generation, services: outcome.services, milliseconds });
    const isBehind = outcome.services.some(({ error }) => error !== undefined);
    if (generation >= most && !isBehind) replaceProcess(`${generation} generations of code are in memory`);
  };

  const onGenerated: Parameters<typeof watch>[1] = async (result, { changed, milliseconds }) => {
    if (stop.signal.aborted) return;
    typeCheck?.check();
    const files = [...result.written, ...result.removed];
    dev?.note(changed, files.length > 0);
    configBehind ||= configPath !== undefined && changed.includes(configPath);
    if (!result.ok) return report({ event: "contracts_refused", diagnostics: result.diagnostics });
    if (files.length > 0) report({ event: "generated", files, milliseconds });
    if (configBehind && configPath !== undefined) {
      const saved = await readSavedConfig(context, configPath, (file) => dev?.checkConfig(file, flags));
      if (saved.refused !== undefined) report({ event: "configuration_refused", message: saved.refused });
      else if (!isDeepStrictEqual(saved.value, configured)) return replaceProcess("the configuration has changed");
      else configBehind = false;
    }
    if (dev !== undefined) return update(dev);
    const opened = await open();
    port = opened.port;
    dev = new DevKernel(opened.kernel, modules);
    opened.failed.then((failure) => finish({ kind: "over", failure }));
    opened.kernel.stopRequested.then(() => finish({ kind: "over", failure: undefined }));
  };

  watchInstalls(modules, (name) => replaceProcess(`the package ${name} has been installed`), stop.signal);
  const files = (): Iterable<string> => [...(dev?.files() ?? []), ...(configPath === undefined ? [] : [configPath])];
  const watching = watch(options, onGenerated, stop.signal, { files });
  watching.catch((failure: unknown) => finish({ kind: "over", failure }));
  const interrupted = (): void => finish({ kind: "over", failure: undefined });
  context.io.signal.addEventListener("abort", interrupted, { once: true });
  if (context.io.signal.aborted) interrupted();
  const result = await end;
  if (result.kind === "over") report({ event: "stopping" });
  stop.abort();
  await Promise.all([typeCheck?.stop(), watching.catch(() => undefined)]);
  if (dev === undefined) letGo(own);
  else await dev.kernel.close();
  return result;
};

const letGo = (own: OwnFolder): void => {
  own.end();
  own.release();
};

const toProblem = (error: unknown): Pick<CommandError, "message" | "issues"> =>
  error instanceof CommandError
    ? error
    : { message: error instanceof Error ? error.message : String(error), issues: [] };

/** The configuration as it is now, or why it cannot be used. */
type SavedConfig = { readonly value: unknown; readonly refused?: never } | { readonly refused: string };

const readSavedConfig = async (
  { cwd, io }: Context,
  path: string,
  check: (file: unknown) => Promise<void> | undefined,
): Promise<SavedConfig> => {
  try {
    const { value } = await loadConfigFile(cwd, { value: path, by: "--config" }, Date.now());
    readConfig({ file: value, env: io.env });
    await check(value);
    return { value };
  } catch (error) {
    const { message, issues } = isWireError(error) ? wrongConfig(error, path, io.env) : toProblem(error);
    const fields = issues.map(({ path: field, expected, fix }) => `${field}: expected ${expected}; ${fix}`);
    return { refused: [message, ...fields].join("; ") };
  }
};
