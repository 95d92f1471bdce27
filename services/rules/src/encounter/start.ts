/** How an encounter begins: ids for everybody, and initiative. Creatures of one kind share a roll, as the SRD has it; ties go to the higher Dexterity. */
import type { Fighter, Game, Player, Scene, StartEncounterInput } from "@fairlead/contracts/rules";
import { type Creature, type CreatureStats, characterStats, npcStats } from "../creatures/creature.ts";
import type { FindMonster } from "../creatures/monster.ts";
import type { Dice } from "../dice/source.ts";
import { rollInitiative } from "../resolve/initiative.ts";
import { Refusal } from "../result/refusal.ts";
import { isSheet } from "../sheet/entrant.ts";
import { fold } from "../sheet/names.ts";
import { type EncounterState, freshBudget } from "./state.ts";

type Entrant = Pick<Creature, "id" | "side" | "spent"> & Partial<Pick<Creature, "deathSaves">> & CreatureStats;

interface StartContext {
  readonly findMonster: FindMonster;
  readonly scene: Scene;
  /** The party of an earlier fight that goes on: as it is, initiative aside. */
  readonly survivors?: readonly Creature[] | undefined;
}

/** Refuses with `no_party`, `unknown_monster` or `bad_foe`. */
export const startEncounter = (
  { edition, party, foes, rulings }: StartEncounterInput,
  dice: Dice,
  { findMonster, scene, survivors = [] }: StartContext,
): EncounterState => {
  if (party.length + survivors.length === 0)
    throw new Refusal("no_party", "a fight needs somebody in `party`", undefined);
  const rules = { edition, rulings, scene };
  const entrants = withIds([
    ...survivors,
    ...party.map((one) => ({
      side: "party" as const,
      ...(typeof one === "string" ? findMonster(one, edition) : characterStats(atFullHealth(one), rules)),
    })),
    ...foes.map((one, index) => ({
      side: "foes" as const,
      ...(typeof one === "string"
        ? findMonster(one, edition)
        : isSheet(one)
          ? characterStats(atFullHealth(one), rules)
          : npcStats(one, `foes[${index}]`)),
    })),
  ]);
  const creatures = withInitiative(entrants, rules, dice);
  return {
    edition,
    rulings,
    creatures,
    round: 1,
    turn: 0,
    budget: freshBudget,
    timers: [],
    question: undefined,
    over: false,
  };
};

/** Hit points that a sheet leaves out are all there. */
const atFullHealth = (sheet: Fighter): Player => ({ ...sheet, currentHP: sheet.currentHP ?? sheet.maxHP });

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "") || "creature";

/** "aria" for a name that is there once, else "goblin-1", "goblin-2"; a number that is another creature's id is passed over. */
const withIds = (entrants: readonly Omit<Entrant, "id">[]): readonly Entrant[] => {
  const twins = Map.groupBy(entrants, ({ sheet }) => slug(sheet.name));
  const taken = new Set([...twins].filter(([, same]) => same.length === 1).map(([name]) => name));
  return entrants.map((entrant) => {
    const name = slug(entrant.sheet.name);
    if (twins.get(name)?.length === 1) return { ...entrant, id: name };
    let number = 1;
    while (taken.has(`${name}-${number}`)) number += 1;
    const id = `${name}-${number}`;
    taken.add(id);
    return { ...entrant, id };
  });
};

const withInitiative = (
  entrants: readonly Entrant[],
  rules: Pick<Game, "edition" | "rulings" | "scene">,
  dice: Dice,
): readonly Creature[] => {
  const totals = new Map<string, number>();
  const roll = (entrant: Entrant): number => {
    const group = entrant.kind === "monster" ? `${entrant.side} ${fold(entrant.sheet.name)}` : entrant.id;
    const before = totals.get(group);
    if (before !== undefined) return before;
    const { total } = rollInitiative({ ...rules, player: entrant.sheet, npcs: [] }, { surprised: false }, dice);
    const sum = total + (entrant.initiativeBonus ?? 0);
    totals.set(group, sum);
    return sum;
  };
  return entrants
    .map((entrant) => ({
      ...entrant,
      initiative: roll(entrant),
      deathSaves: entrant.deathSaves ?? { successes: 0, failures: 0 },
      reaction: true,
    }))
    .sort((a, b) => b.initiative - a.initiative || b.sheet.stats.dexterity - a.sheet.stats.dexterity);
};
