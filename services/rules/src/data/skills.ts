/** Which ability each of the eighteen skills uses. SRD 5.1 "Using Ability Scores: Skills"; SRD 5.2 "Playing the Game: Skill List". */
import type { Ability, Skill } from "@fairlead/contracts/rules";

export const skillAbility: Readonly<Record<Skill, Ability>> = {
  Acrobatics: "dexterity",
  "Animal Handling": "wisdom",
  Arcana: "intelligence",
  Athletics: "strength",
  Deception: "charisma",
  History: "intelligence",
  Insight: "wisdom",
  Intimidation: "charisma",
  Investigation: "intelligence",
  Medicine: "wisdom",
  Nature: "intelligence",
  Perception: "wisdom",
  Performance: "charisma",
  Persuasion: "charisma",
  Religion: "intelligence",
  "Sleight of Hand": "dexterity",
  Stealth: "dexterity",
  Survival: "wisdom",
};
