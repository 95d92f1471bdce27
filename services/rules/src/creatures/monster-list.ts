/** Monsters of the SRD for people who look for one, and a creature by value: as a game has its targets, and as a game has who acts. Not here: their rows and numbers (`monster.ts`). */
import {
  type CreatureSources,
  game,
  type MonsterList,
  type MonsterSearch,
  type Npc,
  type Player,
} from "@fairlead/contracts/rules";
import type { MonsterRow } from "../data/monster-row.ts";
import { fold } from "../sheet/names.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import { asTarget, type CreatureStats, characterStats } from "./creature.ts";
import { findMonster, monsterRows } from "./monster.ts";

/** All words of the text are in the name or the type; names that begin with the text come first. */
export const searchMonsters = ({ edition, text, limit }: MonsterSearch): MonsterList => {
  const wanted = fold(text);
  const words = wanted.split(" ").filter((word) => word !== "");
  const rows = monsterRows[edition].filter(({ name, type }) => {
    const known = `${fold(name)} ${fold(type)}`;
    return words.every((word) => known.includes(word));
  });
  const begins = ({ name }: MonsterRow): number => (fold(name).startsWith(wanted) ? 0 : 1);
  const found = rows.toSorted((a, b) => begins(a) - begins(b) || (a.name < b.name ? -1 : 1)).slice(0, limit);
  return {
    found: found.map(({ name, cr, type, size, ac, hp, attacks = [] }) => ({
      name,
      challenge: challengeText(cr),
      creatureType: type,
      size,
      ac,
      hp,
      attacks: attacks.map((attack) => attack.name),
    })),
    total: rows.length,
  };
};

/** Below 1 there are 1/8, 1/4 and 1/2. */
export const challengeText = (cr: number): string => (cr > 0 && cr < 1 ? `1/${1 / cr}` : String(cr));

interface CreatureByValue {
  readonly name: string;
  readonly ac: number;
  readonly maxHp: number;
  readonly npc: Npc;
  readonly player: Player;
  readonly attacks: string[];
  readonly leftOut: string[];
}

const plain = game.parse({ player: { name: "Nobody", characterClass: "None", level: 1 } });

/** Refuses with `unknown_monster`. */
export const creatureByValue = (
  of: CreatureSources["of"][number],
  edition: CreatureSources["edition"],
): CreatureByValue => {
  const stats =
    typeof of === "string"
      ? findMonster(of, edition)
      : characterStats({ ...of, currentHP: of.currentHP ?? of.maxHP }, { ...plain, edition });
  const { sheet: player } = stats;
  const npc = asTarget({
    ...stats,
    id: "",
    side: "foes",
    initiative: 0,
    deathSaves: { successes: 0, failures: 0 },
    reaction: true,
  });
  return {
    name: player.name,
    ac: npc.ac,
    maxHp: player.maxHP,
    npc,
    player,
    attacks: weaponsAtHand({ player, edition }).map(({ name }) => name),
    leftOut: leftOut(stats),
  };
};

/** What only a fight that is kept follows. */
const leftOut = ({ nonmagical, effects = [], legendary }: CreatureStats): string[] => [
  ...(nonmagical === undefined
    ? []
    : [
        `its ${nonmagical.defence} to bludgeoning, piercing and slashing damage of attacks that are not magical${
          nonmagical.unless === undefined ? "" : ` or ${nonmagical.unless}`
        }`,
      ]),
  ...(effects.length === 0 ? [] : [`what makes others save: ${effects.map((effect) => effect.name).join(", ")}`]),
  ...(legendary === undefined ? [] : ["its legendary actions and resistances"]),
];
