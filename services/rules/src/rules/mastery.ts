/**
 * Weapon masteries (5.2): what a hit, or a miss, with a mastered weapon does beside its damage. Answers with notes and changes;
 * a save that the target has to make is for the table to call.
 */
import type { Change, Game, Npc } from "@fairlead/contracts/rules";
import type { RuleId } from "../data/catalogue.ts";
import type { Mastery } from "../data/weapons.ts";
import { baseName, fold } from "../names.ts";
import { proficiencyBonus } from "./character.ts";
import type { Weapon } from "./weapon.ts";
import type { Wield } from "./wield.ts";

export interface MasteryEffect {
  readonly rule: RuleId;
  readonly note: string;
  readonly changes: readonly Change[];
}

/** The weapon's mastery, when the character has unlocked it for that weapon. */
export const masteryOf = ({ player, edition }: Game, weapon: Weapon): Mastery | undefined => {
  const { row } = weapon;
  if (edition !== "5.2" || row?.mastery === undefined) return undefined;
  const unlocked = player.weaponMasteries.some((name) => fold(baseName(name)) === fold(row.name));
  return unlocked ? row.mastery : undefined;
};

const bigger: ReadonlySet<Npc["size"]> = new Set(["huge", "gargantuan"]);

/** What a hit does. `dealt` is the damage that went through. */
export const onMasteryHit = (
  mastery: Mastery,
  { game, wield, target, dealt }: { game: Game; wield: Wield; target: Npc; dealt: number },
): MasteryEffect | undefined => {
  const { player } = game;
  const condition = (value: string, why: string): Change => ({
    who: target.name,
    field: "conditions",
    op: "add",
    value,
    why,
  });
  switch (mastery) {
    case "Cleave":
      if (wield.kind !== "melee" || game.scene.usedThisTurn.includes("Cleave")) return undefined;
      return {
        rule: "cleave",
        note: `Cleave: one more attack on a creature within 5 feet of ${target.name}, without the modifier to damage`,
        changes: [],
      };
    case "Push":
      if (bigger.has(target.size)) return undefined;
      return { rule: "push", note: `Push: ${target.name} can be pushed 10 feet straight away`, changes: [] };
    case "Sap":
      return {
        rule: "sap",
        note: `Sap: ${target.name} has disadvantage on its next attack roll`,
        changes: [condition("Sapped", "disadvantage on its next attack roll before your next turn")],
      };
    case "Slow":
      if (dealt === 0) return undefined;
      return {
        rule: "slow",
        note: `Slow: the speed of ${target.name} is reduced by 10 feet`,
        changes: [condition("Slowed", "speed -10 feet until the start of your next turn")],
      };
    case "Topple": {
      const dc = 8 + wield.modifier + proficiencyBonus(player.level);
      return {
        rule: "topple",
        note: `Topple: ${target.name} makes a Constitution save, DC ${dc}, or falls prone`,
        changes: [],
      };
    }
    case "Vex":
      if (dealt === 0) return undefined;
      return {
        rule: "vex",
        note: `Vex: advantage on the next attack roll against ${target.name}`,
        changes: [
          {
            who: player.name,
            field: "effects",
            op: "add",
            value: `Vex: ${target.name}`,
            why: "advantage on the next attack roll against it before the end of your next turn",
          },
        ],
      };
    case "Graze":
    case "Nick":
      return undefined;
    default:
      return mastery satisfies never;
  }
};
