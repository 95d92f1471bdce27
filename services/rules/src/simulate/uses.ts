/** What the caller of a simulation wants creatures to use, checked by name before anything is played. Not here: when it is used (`tactics.ts`). */
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { noScene } from "../encounter/scene.ts";
import { type EncounterState, gameFor } from "../encounter/state.ts";
import { listing, Refusal } from "../result/refusal.ts";
import { lookUp } from "../sheet/lookup.ts";
import { baseName, fold, matchName, type NamedValue, sameName } from "../sheet/names.ts";
import { castableNames } from "../sheet/spell-name.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";

type Actor = EncounterState["creatures"][number];

/** Weapon or spell by id of a creature. */
export type ChosenAttacks = ReadonlyMap<string, string>;

const mostKnown = 40;

/** Refuses with `unknown_creature`, `unknown_weapon` or `ambiguous_name`. A name that several creatures have is all of them; an id comes before a name. */
export const findChosenAttacks = (state: EncounterState, uses: Readonly<Record<string, string>>): ChosenAttacks => {
  const chosen = new Map<string, string>();
  const byId = new Set<string>();
  for (const [who, weapon] of Object.entries(uses)) {
    const named = state.creatures.filter(({ id }) => sameName(id, who));
    const meant = named.length > 0 ? named : state.creatures.filter(({ sheet }) => sameName(sheet.name, who));
    if (meant.length === 0) throw unknownCreature(state, who);
    for (const actor of meant) {
      checkWeapon(state, actor, weapon);
      if (named.length > 0) byId.add(actor.id);
      else if (byId.has(actor.id)) continue;
      chosen.set(actor.id, weapon);
    }
  }
  return chosen;
};

const unknownCreature = ({ creatures }: EncounterState, who: string): Refusal<"unknown_creature"> => {
  const known = [...new Set(creatures.flatMap(({ id, sheet }) => [sheet.name, id]))];
  const nearest = didYouMean(who, known);
  const question = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  const message = `\`uses\` names ${who}, and no creature of the fight has that name or id${question}; known: ${listing(known)}`;
  return new Refusal("unknown_creature", message, { name: who, known: known.slice(0, mostKnown) });
};

/** Spells of one name that differ by what is in brackets are one. */
const checkWeapon = (state: EncounterState, actor: Actor, written: string): void => {
  const game = gameFor(state, actor, noScene);
  const spells = [...castableNames(game), ...(actor.effects ?? []).map(({ name }) => name)];
  const atHand: readonly NamedValue<string>[] = [
    ...weaponsAtHand(game).map(({ name, aliases = [] }) => ({ name, aliases, value: name })),
    ...spells.map((name) => ({ name, value: name })),
  ];
  const sought = matchName(written, atHand).kind === "none" ? baseName(written) : written;
  const match = matchName(sought, atHand);
  if (match.kind === "several" && new Set(match.found.map(({ name }) => fold(baseName(name)))).size === 1) return;
  lookUp(sought, atHand, {
    what: "weapon",
    reason: "unknown_weapon",
    several: `\`uses\`: ${actor.sheet.name} has several that ${written} could be`,
    none: `\`uses\`: ${actor.sheet.name} has no weapon or spell ${written}`,
    written,
  });
};
