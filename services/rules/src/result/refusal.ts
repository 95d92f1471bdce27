/**
 * A call that cannot be resolved as it was sent: one of the contract's declared errors, thrown by pure code and turned into a wire
 * error by the service. Not for actions that the rules forbid; those are answers.
 */
import type { DeclaredErrors } from "@fairlead/contracts";
import type rules from "@fairlead/contracts/rules";

type RulesProcedures = (typeof rules)["procedures"];

/** Declared errors of all procedures: reason to data. */
export type Refusals = DeclaredErrors<RulesProcedures["attack"]> &
  Pick<
    DeclaredErrors<RulesProcedures["startEncounter"]>,
    "unknown_monster" | "bad_foe" | "no_party" | "other_edition"
  > &
  Pick<DeclaredErrors<RulesProcedures["simulateEncounter"]>, "unknown_creature"> &
  Pick<DeclaredErrors<RulesProcedures["rest"]>, "encounter_not_over" | "party_is_dying" | "no_hit_dice"> &
  Pick<DeclaredErrors<RulesProcedures["undoAction"]>, "nothing_to_undo"> &
  Pick<DeclaredErrors<RulesProcedures["diceOdds"]>, "too_many_outcomes" | "unsolved_dice"> &
  Pick<DeclaredErrors<RulesProcedures["roll"]>, "bad_notation">;

export class Refusal<R extends keyof Refusals> extends Error {
  override readonly name = "Refusal";
  readonly reason: R;
  readonly data: Refusals[R];

  constructor(reason: R, message: string, data: Refusals[R]) {
    super(message);
    this.reason = reason;
    this.data = data;
  }
}

/** Any refusal; `reason` is the discriminant. */
type AnyRefusal = { readonly [R in keyof Refusals]: Refusal<R> }[keyof Refusals];

/** A named boundary: the constructor takes a reason with its own data, so the two belong together. */
export const isRefusal = (thrown: unknown): thrown is AnyRefusal => thrown instanceof Refusal;

const mostListed = 8;

/** Names for a message: the first few, and how many more there are. Long names are cut. */
export const listing = (names: readonly string[]): string => {
  if (names.length === 0) return "there are none";
  const shown = names.slice(0, mostListed).map((name) => (name.length > 40 ? `${name.slice(0, 39)}…` : name));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
};
