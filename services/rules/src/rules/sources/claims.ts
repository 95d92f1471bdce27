/**
 * From claimed sources to damage: every claim gets a verdict, and what applies by itself is added without one.
 */
import type { Change, Claim, Game } from "@fairlead/contracts/rules";
import { feature } from "../../sheet/character.ts";
import { lookUp } from "../../sheet/lookup.ts";
import type { NamedValue } from "../../sheet/names.ts";
import { applySpending } from "../../sheet/spending.ts";
import type { DamageSpec } from "../damage.ts";
import type { Rider } from "../rider.ts";
import { divineStrike, improvedDivineSmite } from "./divine-damage.ts";
import { brutalStrike, colossusSlayer, dueling, frenzy, powerAttack, rage, sneakAttack } from "./martial.ts";
import { searingSmite, shiningSmite } from "./smite-spells.ts";
import { divineSmite, eldritchSmite, paladinsSmite } from "./smites.ts";
import { type ClaimedAttack, type DamageSource, deny } from "./source.ts";
import { divineFavor, hex, huntersMark } from "./spells.ts";
import { type StrikeClaim, type StrikeEffect, strikes, verifyStrikes } from "./strikes.ts";

/** Known by name, so that a claim gets an answer; its text is in neither SRD. */
const dreadAmbusher: DamageSource = {
  name: "Dread Ambusher",
  optional: true,
  verify: () => deny("Dread Ambusher is not in the SRD"),
};

/** In the order of the breakdown. */
const sources: readonly DamageSource[] = [
  sneakAttack,
  divineSmite,
  paladinsSmite,
  searingSmite,
  shiningSmite,
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

/** Names that a claim of this character's can have; an effect that comes with a feature, only with that feature. */
export const claimNames = ({ player }: Pick<Game, "player">): readonly string[] => [
  ...sources.map(({ name }) => name),
  ...strikes.filter((strike) => feature(player, strike.feature) !== undefined).map(({ name }) => name),
];

/** A claim as it was written, and what it means: a source of damage, or an effect that comes with one. */
type ParsedClaim =
  | { readonly written: string; readonly source: DamageSource; readonly slot: number | undefined }
  | StrikeClaim;

type ClaimMeaning = { readonly source: DamageSource } | { readonly strike: StrikeEffect };

const meanings: readonly NamedValue<ClaimMeaning>[] = [
  ...sources.map((source) => ({ name: source.name, aliases: source.aliases ?? [], value: { source } })),
  ...strikes.map((strike) => ({ name: strike.name, aliases: strike.aliases, value: { strike } })),
];

/** "Divine Smite (level 2)", "divine smite 2nd": the name, and the slot level when there is one. */
const splitClaim = (written: string): { readonly name: string; readonly slot: number | undefined } => {
  const text = written.trim();
  const level = /(?<![\s(])[\s(]+(?:level )?([1-9])(?:st|nd|rd|th)?(?: level)?\)?$/i.exec(text);
  return level === null
    ? { name: written, slot: undefined }
    : { name: text.slice(0, level.index), slot: Number(level[1]) };
};

/** Finds what each claim means; refuses with `unknown_damage_source` or `ambiguous_name`. */
export const parseClaims = (written: readonly string[]): readonly ParsedClaim[] => written.map(parseClaim);

const parseClaim = (written: string): ParsedClaim => {
  const { name, slot } = splitClaim(written);
  const meaning = lookUp(name, meanings, {
    what: "damage source",
    reason: "unknown_damage_source",
    several: "a claimed damage source could be several",
    none: "a claimed damage source is none that the rules know",
    written,
  });
  return { written, slot, ...meaning };
};

export const isClaimed = (claimed: readonly ParsedClaim[], source: DamageSource): boolean =>
  claimed.some((claim) => "source" in claim && claim.source === source);

interface VerifiedClaims {
  readonly specs: readonly DamageSpec[];
  readonly onHit: readonly Change[];
  /** Made by the roll itself, hit or miss. */
  readonly onRoll: readonly Change[];
  /** What a hit does in addition to its damage. */
  readonly riders: readonly Rider[];
  readonly verdicts: readonly Claim[];
}

/** Verifies every claim once, after what those before it spend, and tries what needs no claim. A source claimed twice counts once. */
export const verifyClaims = (blow: ClaimedAttack, claimed: readonly ParsedClaim[]): VerifiedClaims => {
  const specs: DamageSpec[] = [];
  const onHit: Change[] = [];
  const onRoll: Change[] = [];
  const verdicts = new Map<ParsedClaim, Claim>();
  let { game } = blow;
  for (const source of sources) {
    const [first, ...again] = claimed.flatMap((claim) => ("source" in claim && claim.source === source ? [claim] : []));
    if (first === undefined && source.optional) continue;
    const verdict = source.verify({ ...blow, game, slot: first?.slot, claimed: first !== undefined });
    if (verdict.granted) {
      const { onHit: later = [], onRoll: now = [] } = verdict;
      specs.push(...verdict.specs);
      onHit.push(...later);
      onRoll.push(...now);
      game = applySpending(game, [...now, ...later]);
    }
    if (first !== undefined) {
      verdicts.set(first, { source: first.written, granted: verdict.granted, why: verdict.why });
    }
    for (const claim of again) {
      verdicts.set(claim, { source: claim.written, granted: false, why: `${source.name} was claimed twice` });
    }
  }
  const asked = claimed.flatMap((claim) => ("strike" in claim ? [claim] : []));
  const carried = verifyStrikes(blow, asked, specs);
  const judged = (claim: ParsedClaim): Claim | undefined => verdicts.get(claim) ?? carried.verdicts.get(claim);
  return {
    specs: carried.specs,
    riders: carried.riders,
    onHit,
    onRoll,
    verdicts: claimed.flatMap((claim) => judged(claim) ?? []),
  };
};
