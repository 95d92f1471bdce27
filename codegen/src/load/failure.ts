/** What to say when a contract's own code fails, or does not come to an end. Not here: noticing that it did (`loading-thread`). */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { faultPlace } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ContractFile } from "./find.ts";

/** Why the loading thread gave nothing back. `place` is where its code did that, as `path:line`, where it is known. */
export type LoadEnd =
  /** The contract's code called what ends the process, and with what. */
  | { readonly type: "exit"; readonly call: string; readonly end: string; readonly place?: string | undefined }
  | { readonly type: "timeout"; readonly milliseconds: number; readonly place?: string }
  | { readonly type: "stuck"; readonly place?: string }
  | { readonly type: "failed"; readonly message: string; readonly place?: string | undefined };

export const describeEnd = (contract: ContractFile, end: LoadEnd): Diagnostic => {
  const { message, fix } = endText(end);
  const place = "place" in end ? authorPlace(end.place, contract) : contract.source;
  const elsewhere = place === contract.source || lineIn(place, contract) !== undefined ? "" : `, at ${place}`;
  return atPlace(place, contract, { message: `${message}${elsewhere}`, fix });
};

export const describeLoadFailure = (contract: ContractFile, failure: unknown): Diagnostic => {
  const place = authorPlace(faultPlace(failure) ?? importPlace(failure), contract);
  return atPlace(place, contract, {
    message: `the file fails while it is imported: ${withoutRoot(firstLine(failure), contract)}`,
    fix: `fix ${place}; \`node\` runs it the same way`,
  });
};

/** For a file that came to nothing at all, not even to a word about it. */
export const describeSilence = ({ source }: ContractFile): Diagnostic =>
  diagnostic(
    "contract_empty",
    { source, where: "" },
    {
      message: "the file came to nothing when it was read",
      fix: "let it change nothing that others use, like Array.prototype or the messages of its thread; a contract only describes",
    },
  );

const atPlace = (place: string, contract: ContractFile, text: { message: string; fix: string }): Diagnostic => {
  const line = lineIn(place, contract);
  const found = diagnostic("contract_load_failed", { source: contract.source, where: "" }, text);
  return line === undefined ? found : { ...found, line };
};

/** The line of a place in the contract's own file. */
const lineIn = (place: string, { source }: ContractFile): number | undefined =>
  place.startsWith(`${source}:`) ? Number(place.slice(source.length + 1)) : undefined;

/** The author's file where a place is known; never a file of this package. */
const authorPlace = (place: string | undefined, contract: ContractFile): string =>
  place === undefined || place.startsWith(own) ? contract.source : withoutRoot(place, contract);

const own = fileURLToPath(new URL("..", import.meta.url));

/** Files by their paths from the project's root, as messages name them. */
const withoutRoot = (text: string, { source, file }: ContractFile): string => {
  const named = text.replaceAll(file, source);
  return file.endsWith(`/${source}`) ? named.replaceAll(file.slice(0, -source.length), "") : named;
};

const missing = /^Cannot find (?:module|package) '([^']+)' imported from (.+)$/;

/** Where a module is imported that is not there: Node names the importer alone. */
const importPlace = (failure: unknown): string | undefined => {
  const [, wanted, importer] = missing.exec(firstLine(failure)) ?? [];
  if (wanted === undefined || importer === undefined) return undefined;
  try {
    const lines = readFileSync(importer, "utf8").split("\n");
    const line = lines.findIndex((each) => each.includes(basename(wanted)));
    return line === -1 ? undefined : `${importer}:${line + 1}`;
  } catch {
    return undefined;
  }
};

/** For what has the shape of a contract and still cannot be read, like a schema that no version of Zod has made. */
export const describeUnreadable = ({ source }: ContractFile, id: string, failure: unknown): Diagnostic =>
  diagnostic(
    "contract_malformed",
    { source, where: id },
    {
      message: `the contract cannot be read: ${firstLine(failure)}`,
      fix: "make schemas with Zod, and procedures with query(), mutation() and subscription()",
    },
  );

const firstLine = (failure: unknown): string =>
  (failure instanceof Error ? failure.message : String(failure)).split("\n")[0] ?? "";

const endText = (end: LoadEnd): { readonly message: string; readonly fix: string } => {
  switch (end.type) {
    case "exit":
      return {
        message: `the file ends the process with ${end.end} while it is imported`,
        fix: `remove the call of ${end.call}; a contract only describes`,
      };
    case "timeout":
      return {
        message: `the file was still loading after ${end.milliseconds / 1_000} seconds`,
        fix: "move what takes long into the service, since a contract only describes; `gen.loadTimeoutMs` in the configuration gives it more time",
      };
    case "stuck":
      return {
        message: "the file never finishes loading: it awaits a promise that nothing settles",
        fix: "remove the top-level await",
      };
    case "failed":
      return {
        message: `the file fails after it was imported: ${end.message.split("\n")[0]}`,
        fix: "fix what it starts while it is imported; a contract only describes",
      };
  }
};
