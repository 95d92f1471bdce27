/** Looks up a name that must mean one value; a refusal lists the candidates when there are several, and the known names when there is none. */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { listing, Refusal, type Refusals } from "../result/refusal.ts";
import { matchName, type NamedValue } from "./names.ts";

/** What kind of value is looked up, and the words of a refusal. */
interface NameQuery<T> {
  readonly what: Refusals["ambiguous_name"]["what"];
  /** The refusal when nothing matches. */
  readonly reason: "unknown_weapon" | "unknown_target" | "unknown_spell" | "unknown_damage_source";
  /** Messages: when several match and when none does; a list of names follows. */
  readonly several: string;
  readonly none: string;
  /** How a candidate is written in a list; its name when left out. */
  readonly shown?: (value: T) => string;
  /** The name as the caller wrote it, where a part of it was looked for. */
  readonly written?: string;
}

const mostCandidates = 20;
const mostKnown = 40;

/** Refuses with `ambiguous_name`, or with the reason for no match. */
export const lookUp = <T>(wanted: string, all: readonly NamedValue<T>[], sought: NameQuery<T>): T => {
  const name = sought.written ?? wanted;
  const written = (named: NamedValue<T>): string => sought.shown?.(named.value) ?? named.name;
  const found = matchName(wanted, all);
  switch (found.kind) {
    case "one":
      return found.found.value;
    case "several": {
      const candidates = found.found.map(written);
      throw new Refusal("ambiguous_name", `${sought.several}: ${listing(candidates)}`, {
        what: sought.what,
        name,
        candidates: candidates.slice(0, mostCandidates),
      });
    }
    case "none": {
      const known = all.map(written);
      const nearest = didYouMean(
        name,
        all.map((named) => named.name),
      );
      const question = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      const message = `${sought.none}${question}; known: ${listing(known)}`;
      throw new Refusal(sought.reason, message, { name, known: known.slice(0, mostKnown) });
    }
  }
};
