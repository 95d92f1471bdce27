/** What to say when a contract's own code fails, or does not come to an end. Not here: noticing that it did (`loading-thread`). */
import { fileURLToPath } from "node:url";
import { faultPlace } from "@fairlead/contracts";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ContractFile } from "./find.ts";

/** Why the loading thread gave nothing back. */
export type LoadEnd =
  /** The contract's code called `process.exit`. */
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "timeout"; readonly milliseconds: number }
  | { readonly type: "stuck" }
  | { readonly type: "failed"; readonly message: string };

export const describeEnd = ({ source }: ContractFile, end: LoadEnd): Diagnostic =>
  diagnostic("contract_load_failed", { source, where: "" }, endText(end));

export const describeLoadFailure = ({ source, file, builtIn }: ContractFile, failure: unknown): Diagnostic =>
  diagnostic(
    "contract_load_failed",
    { source, where: "" },
    {
      message: `the file fails while it is imported: ${firstLine(failure).replaceAll(file, source)}`,
      fix: `fix ${authorPlace(failure, { source, file, builtIn })}; \`node\` runs it the same way`,
    },
  );

/** The author's file where the stack names one; never a file of this package. */
const authorPlace = (failure: unknown, { source, file }: ContractFile): string => {
  const place = faultPlace(failure);
  return place === undefined || place.startsWith(own) ? source : place.replaceAll(file, source);
};

const own = fileURLToPath(new URL("..", import.meta.url));

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
        message: `the file ends the process with code ${end.code} while it is imported`,
        fix: "remove the call of process.exit(); a contract only describes",
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
