/**
 * Code of a service that cannot be run as it is: what to say of it, and where to fix it.
 *
 * Not here: loading it (`registry.ts`) and starting it (`lifecycle.ts`).
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, extname, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { FairleadError, faultPlace } from "@fairlead/contracts";
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import * as z from "zod";
import type { Service } from "../service/service.ts";
import { type ServiceEntry, unknownVersion } from "./manifest.ts";
import { servicesImporter } from "./module.ts";

/** `what` could not be read, like "the service rules"; `otherwise` is the advice where the fault is in no file of the project's. */
export const brokenCode = (what: string, cause: unknown, otherwise: string): FairleadError => {
  const place = faultPlace(cause);
  const why = cause instanceof Error ? cause.message : String(cause);
  const unresolved = importHint(why);
  const hint = unresolved ?? (place === undefined ? otherwise : `fix ${place}; \`node\` runs it the same way`);
  const error = new FairleadError(
    { code: "failed_precondition", message: `${what} could not be loaded: ${why}`, hint },
    { cause },
  );
  return unresolved === undefined ? error : withoutStack(error);
};

/** Why the module of a service cannot be used. */
export const unloadable = ({ id, module }: ServiceEntry, cause: unknown): FairleadError =>
  cause instanceof FairleadError
    ? cause
    : brokenCode(
        `the service ${id} in ${module}`,
        cause,
        `install it with \`npm install\`, or run \`fairlead gen\`; ${startAgain}`,
      );

/** An import that does not end. */
export const endless = ({ id, module }: ServiceEntry, timeoutMs: number): FairleadError =>
  withoutStack(
    new FairleadError({
      code: "failed_precondition",
      message: `the service ${id} in ${module} could not be loaded: its import did not end within ${timeoutMs} ms`,
      hint: `look at what ${module} awaits at its top, or what it imports does; then \`fairlead services restart ${id}\``,
    }),
  );

/** Node remembers for as long as the process lives that a package is missing. */
const startAgain = "then start the kernel again, which `fairlead dev` does by itself";

/** What to do about an import that finds nothing, where a file of the project's own has it. `why`: what Node says. */
const importHint = (why: string): string | undefined => {
  const [, kind, wanted = "", importer = ""] =
    /^Cannot find (module|package) '([^']+)' imported from (.+)$/.exec(why) ?? [];
  if (kind === undefined || importer === fileURLToPath(servicesImporter)) return undefined;
  if (kind === "package" && !isAbsolute(wanted)) {
    return `install it with \`npm install ${wanted}\`, or correct the import in ${placeIn(importer, wanted)}; ${startAgain}`;
  }
  const alike = didYouMean(basename(wanted), namesIn(dirname(wanted)));
  const place = placeIn(importer, basename(wanted, extname(wanted)));
  return `correct the import in ${place}${alike === undefined ? "" : `: did you mean ${alike}?`}`;
};

/** Handlers that do not match their contract. */
interface Mismatch extends FairleadError {
  /** Procedures without a handler, and handlers without a procedure. */
  readonly names: { readonly missing: readonly string[]; readonly excess: readonly string[] };
}

/** The same error with the place of the first wrong handler, where the service's own file has it. */
export const mismatched = (error: Mismatch, module: string | undefined): FairleadError => {
  const { missing, excess } = error.names;
  const file = module?.startsWith("file:") === true ? fileURLToPath(module.split("?")[0] ?? module) : undefined;
  const [wrong] = excess;
  const place = file === undefined ? "the service" : wrong === undefined ? file : placeIn(file, wrong);
  const meant = wrong === undefined ? undefined : (didYouMean(wrong, missing) ?? onlyOne(missing, excess));
  const hint =
    wrong === undefined
      ? `add ${missing.length === 1 ? "the handler" : "the handlers"} to ${place}, or take the procedure out of the contract`
      : meant === undefined
        ? `take \`${wrong}\` out of ${place}, or add it to the contract`
        : `rename \`${wrong}\` to \`${meant}\` in ${place}`;
  return withoutStack(new FairleadError({ ...error.toJSON(), hint }));
};

/** A procedure without a handler and a handler without a procedure are meant for each other. */
const onlyOne = (missing: readonly string[], excess: readonly string[]): string | undefined =>
  missing.length === 1 && excess.length === 1 ? missing[0] : undefined;

/** Its place is in what it says; the stack is that of the kernel. */
const withoutStack = (error: FairleadError): FairleadError => {
  Object.defineProperty(error, "stack", { value: undefined });
  return error;
};

/** `file:line` of the first line that has a word; the file where it cannot be found. */
const placeIn = (file: string, word: string): string => {
  const at = readLines(file).findIndex((line) => line.split(/[^\w@$-]+/).includes(word) || line.includes(`/${word}`));
  return at === -1 ? file : `${file}:${at + 1}`;
};

const readLines = (file: string): readonly string[] => {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Stands for a service whose module could not be loaded: its start fails with the reason, its contract is not known. */
export const unloadedService = (id: string, error: FairleadError): Service => ({
  contract: { id, version: unknownVersion, summary: "It could not be loaded.", procedures: {} },
  // Whatever its settings are, they are not what is wrong.
  config: z.looseObject({}),
  start: () => {
    throw error;
  },
});
