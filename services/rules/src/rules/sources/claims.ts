/**
 * From claimed sources to damage: every claim gets a verdict, and what applies by itself is added without one.
 */
import type { Change, Claim } from "@fairlead/contracts/rules";
import { match } from "../../names.ts";
import { listing, Refusal } from "../../refusal.ts";
import type { DamageSpec } from "../damage.ts";
import { brutalStrike, colossusSlayer, dueling, frenzy, powerAttack, rage, sneakAttack } from "./martial.ts";
import { divineSmite, divineStrike, eldritchSmite, improvedDivineSmite } from "./smites.ts";
import { type Blow, denied, type Source } from "./source.ts";
import { divineFavor, hex, huntersMark } from "./spells.ts";

/** Known by name, so that a claim gets an answer; its text is in neither SRD. */
const dreadAmbusher: Source = {
  name: "Dread Ambusher",
  optional: true,
  verify: () => denied("Dread Ambusher is not in the SRD"),
};

/** In the order of the breakdown. */
const sources: readonly Source[] = [
  sneakAttack,
  divineSmite,
  improvedDivineSmite,
  divineStrike,
  eldritchSmite,
  brutalStrike,
  frenzy,
  rage,
  dueling,
  colossusSlayer,
  huntersMark,
  hex,
  divineFavor,
  powerAttack,
  dreadAmbusher,
];

/** Names that a claim can have. */
export const sourceNames: readonly string[] = sources.map(({ name }) => name);

interface Claimed {
  /** As it was written. */
  readonly written: string;
  readonly source: Source;
  readonly slot: number | undefined;
}

/** "Divine Smite (level 2)", "divine smite 2nd": the name, and the slot level when there is one. */
const readClaim = (written: string): { readonly name: string; readonly slot: number | undefined } => {
  const text = written.trim();
  const level = /(?<![\s(])[\s(]+(?:level )?([1-9])(?:st|nd|rd|th)?(?: level)?\)?$/i.exec(text);
  return level === null
    ? { name: written, slot: undefined }
    : { name: text.slice(0, level.index), slot: Number(level[1]) };
};

/** Finds what each claim means; refuses with `unknown_damage_source` or `ambiguous_name`. */
export const readClaims = (written: readonly string[]): readonly Claimed[] => written.map(findSource);

const findSource = (text: string): Claimed => {
  const { name, slot } = readClaim(text);
  const found = match(
    name,
    sources.map((source) => ({ name: source.name, aliases: source.aliases ?? [], value: source })),
  );
  switch (found.kind) {
    case "one":
      return { written: text, source: found.found.value, slot };
    case "several": {
      const candidates = found.found.map((candidate) => candidate.name);
      const message = `a claimed damage source could be several: ${listing(candidates)}`;
      throw new Refusal("ambiguous_name", message, { what: "damage source", name: text, candidates });
    }
    case "none": {
      const message = "a claimed damage source is none that the rules know";
      throw new Refusal("unknown_damage_source", message, { name: text, known: [...sourceNames] });
    }
  }
};

export const claims = (claimed: readonly Claimed[], source: Source): boolean =>
  claimed.some((claim) => claim.source === source);

export interface Granted {
  readonly specs: readonly DamageSpec[];
  readonly onHit: readonly Change[];
  readonly verdicts: readonly Claim[];
}

/** Verifies every claim once, and tries what needs no claim. A source claimed twice counts once. */
export const grant = (blow: Omit<Blow, "slot">, claimed: readonly Claimed[]): Granted => {
  const specs: DamageSpec[] = [];
  const onHit: Change[] = [];
  const verdicts = new Map<Claimed, Claim>();
  for (const source of sources) {
    const [first, ...again] = claimed.filter((claim) => claim.source === source);
    if (first === undefined && source.optional) continue;
    const verdict = source.verify({ ...blow, slot: first?.slot });
    if (verdict.granted) {
      specs.push(...verdict.specs);
      onHit.push(...(verdict.onHit ?? []));
    }
    if (first !== undefined) {
      verdicts.set(first, { source: first.written, granted: verdict.granted, why: verdict.why });
    }
    for (const claim of again) {
      verdicts.set(claim, { source: claim.written, granted: false, why: `${source.name} was claimed twice` });
    }
  }
  return { specs, onHit, verdicts: claimed.flatMap((claim) => verdicts.get(claim) ?? []) };
};
