/** The people of the examples. */
import type { RollResult } from "./result.ts";

export const aria = {
  name: "Aria",
  characterClass: "Rogue",
  level: 5,
  currentHP: 33,
  maxHP: 33,
  armorClass: 15,
  stats: { strength: 10, dexterity: 18, constitution: 12, intelligence: 13, wisdom: 12, charisma: 14 },
  savingThrowProficiencies: ["dexterity", "intelligence"],
  skillProficiencies: ["Acrobatics", "Perception", "Sleight of Hand", "Stealth"],
  weaponProficiencies: ["Simple Weapons", "Hand Crossbow", "Longsword", "Rapier", "Shortsword"],
  features: [
    { name: "Sneak Attack", level: 1 },
    { name: "Expertise", level: 1, chosenOption: "Stealth, Perception" },
    { name: "Uncanny Dodge", level: 5 },
  ],
  inventory: ["Rapier", "Shortbow", "Dagger"],
};

export const goblin = { id: "goblin-1", name: "Goblin", ac: 15, currentHp: 7, maxHp: 7, xpValue: 50, engaged: true };

export const bo = {
  name: "Bo",
  characterClass: "Fighter",
  level: 1,
  stats: { strength: 16 },
  skillProficiencies: ["Athletics"],
};

/** What `resolveSkillCheck` answered when Bo rolled an 11 at the table. */
export const boClimbs: RollResult = {
  checkType: "Athletics Check",
  components: "STR +3, Prof +2 = +5",
  dieResult: 11,
  totalModifier: "+5",
  total: 16,
  success: true,
  notes: "16 against DC 15: the check succeeds",
  dcOrAc: "15",
  edition: "5.2",
  raw: "CHECK: Athletics Check\nCOMPONENTS: STR +3, Prof +2 = +5\nROLL: 11 + 5 = 16\nDC/AC: 15\nRESULT: SUCCESS\nDAMAGE: N/A\nNOTES: 16 against DC 15: the check succeeds",
  dice: {
    source: "values",
    madeBy: "caller",
    draws: [{ sides: 20, value: 11, purpose: "ability check", stream: "ability check" }],
    unused: 0,
  },
  rules: [
    {
      number: "totalModifier",
      effect: "+3",
      rule: "ability-modifier",
      source: "SRD 5.2, Playing the Game: Ability Modifiers",
      why: "Athletics uses strength",
    },
    {
      number: "totalModifier",
      effect: "+2",
      rule: "proficiency-bonus",
      source: "SRD 5.2, Playing the Game: Proficiency",
      why: "proficient in Athletics",
    },
    {
      number: "dcOrAc",
      effect: "15",
      rule: "difficulty-class",
      source: "SRD 5.2, Playing the Game: Difficulty Class",
      why: "set by the caller",
    },
    {
      number: "success",
      effect: "success",
      rule: "d20-test",
      source: "SRD 5.2, Playing the Game: D20 Tests",
      why: "16 reaches 15",
    },
  ],
  claims: [],
  changes: [],
};
