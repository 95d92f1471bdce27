/** A spell of the SRD as data: what it is and what it does to a creature, without its text. The rows are in `gen/`, written by `import/`. */
import type { Ability } from "@fairlead/contracts/rules";

/** What of a spell rolls or changes a number. */
type SpellDoing = "attack" | "save" | "damage" | "healing" | "condition";

export interface SpellRow {
  readonly name: string;
  /** 0 for a cantrip. */
  readonly level: number;
  readonly school: string;
  readonly concentration: boolean;
  /** It is over when it is cast. */
  readonly instant: boolean;
  /** Ability of the save that it forces. */
  readonly save?: Ability;
  /** Empty for what no die and no number decides. */
  readonly does: readonly SpellDoing[];
}
