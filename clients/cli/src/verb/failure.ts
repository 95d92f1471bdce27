/** A verb's own words for what went wrong: a named item that does not exist, or a failure that the contract has put into words. */
import { ClientError } from "@fairlead/client";
import type { VerbFailure, VerbNotFound, VerbStep } from "@fairlead/contracts";
import { allHold, fillText, itemsAt, itemsOutside, type Scope, showValue, valueAt } from "@fairlead/contracts/view";
import { CommandError } from "../command/failure.ts";
import { isRecord } from "../text/record.ts";
import { nearest, suggestHint } from "../text/suggest.ts";

/** Calls a procedure that takes no input. */
export type ListCall = (call: string) => Promise<unknown>;

/** The error for a name that does not exist. `scope.value` is the error's data where it has the names. */
export const verbNotFound = async (scope: Scope, failure: VerbNotFound, list: ListCall): Promise<CommandError> => {
  const { noun, name, known, see } = failure;
  const typed = showValue(valueAt(scope, name));
  const found =
    typeof known === "string"
      ? itemsAt(scope, known)
      : listItems(await list(known.call)).map((value) => valueAt({ ...scope, value }, known.each));
  const hint = suggestHint([nearest(typed, found.map(showValue))], `run \`fairlead ${see}\` for the list`);
  return new CommandError(
    { code: "not_found", exit: 6 },
    { message: `there is no ${noun} ${JSON.stringify(typed)}`, hint },
  );
};

const listItems = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const verbError = async (scope: Scope, { code, message, hint }: VerbFailure, original = ""): Promise<CommandError> => {
  const { codes } = await import("@fairlead/contracts");
  const text = message === undefined ? undefined : fillText(scope, message);
  return new CommandError({ code, exit: codes[code].exit }, { message: text ?? original, hint: fillText(scope, hint) });
};

/** A declared error in the verb's words; any other as it is. */
export const toVerbError = async (
  error: unknown,
  { errors }: VerbStep,
  { scope, list }: { readonly scope: Scope; readonly list: ListCall },
): Promise<unknown> => {
  if (!(error instanceof ClientError) || error.reason === undefined) return error;
  const words = errors !== undefined && Object.hasOwn(errors, error.reason) ? errors[error.reason] : undefined;
  if (words === undefined) return error;
  const inData = { ...scope, value: isRecord(error.data) ? error.data : {} };
  return "noun" in words ? verbNotFound(inData, words, list) : verbError(inData, words, error.message);
};

/** The failure that a result is refused with; `undefined` for one that is taken. */
export const refusal = async ({ refuse = [] }: VerbStep, scope: Scope): Promise<CommandError | undefined> => {
  const found = refuse.find(({ when }) => allHold(scope, when));
  if (found === undefined) return undefined;
  const outside = found.when.flatMap((condition) =>
    "some" in condition ? itemsOutside(scope, condition.some, condition.outside) : [],
  );
  return verbError({ ...scope, variables: { ...scope.variables, outside } }, found);
};
