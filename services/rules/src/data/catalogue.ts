/**
 * Every rule the service applies: its stable id, and its section in each document. Section names only; no rule text.
 * `undefined` where an edition does not have the rule.
 */
import type { Edition } from "./weapons.ts";

type Place = readonly [in51: string | undefined, in52: string | undefined];

const inBoth = (section: string): Place => [section, section];
const only51 = (section: string): Place => [section, undefined];
const only52 = (section: string): Place => [undefined, section];

const places = {
  // the d20
  "ability-modifier": ["Using Ability Scores: Ability Scores and Modifiers", "Playing the Game: Ability Modifiers"],
  "proficiency-bonus": ["Using Ability Scores: Proficiency Bonus", "Playing the Game: Proficiency"],
  "d20-test": ["Using Ability Scores", "Playing the Game: D20 Tests"],
  "advantage-and-disadvantage": [
    "Using Ability Scores: Advantage and Disadvantage",
    "Playing the Game: Advantage/Disadvantage",
  ],
  "natural-20": ["Combat: Rolling 1 or 20", "Playing the Game: Rolling 20 or 1"],
  "natural-1": ["Combat: Rolling 1 or 20", "Playing the Game: Rolling 20 or 1"],
  "table-ruling": inBoth("ruling of the table"),
  "house-rule": inBoth("ruling of the table, in `rulings.houseRules`"),
  "armor-class": ["Combat: Attack Rolls", "Playing the Game: Attack Rolls"],
  "difficulty-class": ["Using Ability Scores: Ability Checks", "Playing the Game: Difficulty Class"],
  exhaustion: ["Appendix: Conditions, Exhaustion", "Rules Glossary: Exhaustion"],
  "halfling-luck": ["Races: Halfling, Lucky", "Character Origins: Halfling, Luck"],
  "elven-accuracy": inBoth("not in the SRD; switched on by `rulings.elvenAccuracy`"),
  // attacks
  "weapon-ability": ["Combat: Modifiers to the Roll", "Playing the Game: Attack Rolls, Ability Modifier"],
  finesse: ["Equipment: Weapon Properties", "Equipment: Properties, Finesse"],
  thrown: ["Equipment: Weapon Properties", "Equipment: Properties, Thrown"],
  versatile: ["Equipment: Weapon Properties", "Equipment: Properties, Versatile"],
  heavy: ["Equipment: Weapon Properties", "Equipment: Properties, Heavy"],
  "two-weapon-fighting": ["Combat: Two-Weapon Fighting", "Equipment: Properties, Light; Mastery Properties, Nick"],
  net: only51("Equipment: Special Weapons, Net"),
  reach: ["Equipment: Weapon Properties", "Equipment: Properties, Reach"],
  loading: ["Equipment: Weapon Properties", "Equipment: Properties, Loading"],
  "two-handed": ["Equipment: Weapon Properties", "Equipment: Properties, Two-Handed"],
  lance: ["Equipment: Special Weapons, Lance", "Equipment: Weapon Tables, Lance"],
  range: ["Combat: Range", "Playing the Game: Range"],
  "ranged-in-close-combat": [
    "Combat: Ranged Attacks in Close Combat",
    "Playing the Game: Ranged Attacks in Close Combat",
  ],
  cover: ["Combat: Cover", "Playing the Game: Cover"],
  unseen: ["Combat: Unseen Attackers and Targets", "Playing the Game: Unseen Attackers and Targets"],
  condition: ["Appendix: Conditions", "Rules Glossary: Condition"],
  "shield-spell": ["Spell descriptions: Shield", "Spell Descriptions: Shield"],
  counterspell: ["Spell descriptions: Counterspell", "Spell Descriptions: Counterspell"],
  "uncanny-dodge": ["Rogue: Uncanny Dodge", "Rogue: Uncanny Dodge"],
  dodge: ["Combat: Dodge", "Rules Glossary: Dodge"],
  "magic-weapon": ["Magic Items: Weapon, +1, +2, or +3", "Magic Items: Weapon, +1, +2, or +3"],
  "unarmed-strike": ["Combat: Melee Attacks", "Rules Glossary: Unarmed Strike"],
  "weapon-damage": ["Equipment: Weapons Table", "Equipment: Weapon Tables"],
  "damage-roll": ["Combat: Damage Rolls", "Playing the Game: Damage Rolls"],
  "critical-hit": ["Combat: Critical Hits", "Playing the Game: Critical Hits"],
  "spell-attack": ["Spellcasting: Spell Attack Rolls", "Spells: Effects, Attack Rolls"],
  "spell-save-dc": ["Spellcasting: Saving Throws", "Spells: Effects, Saving Throws"],
  "cantrip-scaling": ["Spell descriptions", "Spell Descriptions: Cantrip Upgrade"],
  "spell-damage": ["Spell descriptions", "Spell Descriptions"],
  "spell-effect": ["Spell descriptions", "Spell Descriptions"],
  "polearm-master": inBoth("not in the SRD; switched on by `rulings.polearmMaster`"),
  "power-attack": inBoth("not in the SRD; switched on by `rulings.powerAttack`"),
  // features
  "sneak-attack": ["Rogue: Sneak Attack", "Rogue: Sneak Attack"],
  "divine-smite": ["Paladin: Divine Smite", "Spell Descriptions: Divine Smite"],
  "smite-spell": only52("Spell Descriptions: Searing Smite, Shining Smite"),
  "improved-divine-smite": ["Paladin: Improved Divine Smite", "Paladin: Radiant Strikes"],
  "eldritch-smite": [
    "not in the SRD; switched on by `rulings.eldritchSmiteBefore52`",
    "Warlock: Eldritch Invocation Options, Eldritch Smite",
  ],
  rage: ["Barbarian: Rage", "Barbarian: Rage"],
  "reckless-attack": ["Barbarian: Reckless Attack", "Barbarian: Reckless Attack"],
  "brutal-critical": only51("Barbarian: Brutal Critical"),
  "brutal-strike": only52("Barbarian: Brutal Strike"),
  "cunning-strike": only52("Rogue: Cunning Strike"),
  frenzy: only52("Barbarian: Path of the Berserker, Frenzy"),
  "divine-strike": ["Cleric: Life Domain, Divine Strike", "Cleric: Blessed Strikes, Divine Strike"],
  "martial-arts": ["Monk: Martial Arts", "Monk: Martial Arts"],
  "improved-critical": ["Fighter: Champion, Improved Critical", "Fighter: Champion, Improved Critical"],
  "superior-critical": ["Fighter: Champion, Superior Critical", "Fighter: Champion, Superior Critical"],
  "colossus-slayer": ["Ranger: Hunter, Hunter's Prey", "Ranger: Hunter, Hunter's Prey"],
  archery: ["Fighter: Fighting Style, Archery", "Feats: Archery"],
  dueling: only51("Fighter: Fighting Style, Dueling"),
  "great-weapon-fighting": ["Fighter: Fighting Style, Great Weapon Fighting", "Feats: Great Weapon Fighting"],
  "two-weapon-style": ["Fighter: Fighting Style, Two-Weapon Fighting", "Feats: Two-Weapon Fighting"],
  "savage-attacks": only51("Races: Half-Orc, Savage Attacks"),
  "savage-attacker": only52("Feats: Savage Attacker"),
  "agonizing-blast": [
    "Warlock: Eldritch Invocations, Agonizing Blast",
    "Warlock: Eldritch Invocation Options, Agonizing Blast",
  ],
  expertise: ["Rogue: Expertise", "Rules Glossary: Expertise"],
  "jack-of-all-trades": ["Bard: Jack of All Trades", "Bard: Jack of All Trades"],
  "remarkable-athlete": ["Fighter: Champion, Remarkable Athlete", "Fighter: Champion, Remarkable Athlete"],
  "reliable-talent": ["Rogue: Reliable Talent", "Rogue: Reliable Talent"],
  "danger-sense": ["Barbarian: Danger Sense", "Barbarian: Danger Sense"],
  "magic-resistance": ["Races: Gnome, Gnome Cunning", "Character Origins: Gnome, Gnomish Cunning"],
  "aura-of-protection": ["Paladin: Aura of Protection", "Paladin: Aura of Protection"],
  "bardic-inspiration": ["Bard: Bardic Inspiration", "Bard: Bardic Inspiration"],
  "extra-attack": ["Class features: Extra Attack", "Class features: Extra Attack"],
  "unarmored-defense": ["Barbarian and Monk: Unarmored Defense", "Barbarian and Monk: Unarmored Defense"],
  armor: ["Equipment: Armor", "Equipment: Armor"],
  "armor-training": ["Equipment: Armor Proficiency", "Equipment: Armor Training"],
  "spell-slots": ["Class tables: Spell Slots", "Class tables: Spell Slots"],
  "passive-check": ["Using Ability Scores: Passive Checks", "Rules Glossary: Passive Perception"],
  // spells
  bless: ["Spell descriptions: Bless", "Spell Descriptions: Bless"],
  bane: ["Spell descriptions: Bane", "Spell Descriptions: Bane"],
  guidance: ["Spell descriptions: Guidance", "Spell Descriptions: Guidance"],
  "resistance-cantrip": ["Spell descriptions: Resistance", "Spell Descriptions: Resistance"],
  "hunters-mark": ["Spell descriptions: Hunter's Mark", "Spell Descriptions: Hunter's Mark"],
  hex: ["not in the SRD; switched on by `rulings.hexBefore52`", "Spell Descriptions: Hex"],
  "divine-favor": ["Spell descriptions: Divine Favor", "Spell Descriptions: Divine Favor"],
  "spell-at-work": ["Spell descriptions", "Spell Descriptions"],
  // what the language of effects says
  "class-feature": ["Class features", "Classes: Class Features"],
  "species-trait": ["Races", "Character Origins: Species"],
  "magic-item": ["Magic Items A-Z", "Magic Items A-Z"],
  // damage taken
  resistance: ["Combat: Damage Resistance and Vulnerability", "Playing the Game: Resistance and Vulnerability"],
  vulnerability: ["Combat: Damage Resistance and Vulnerability", "Playing the Game: Resistance and Vulnerability"],
  immunity: ["Monsters: Vulnerabilities, Resistances, and Immunities", "Playing the Game: Immunity"],
  "no-negative-damage": ["Combat: Damage Rolls", "Playing the Game: Damage Rolls"],
  contest: only51("Using Ability Scores: Contests"),
  grapple: ["Combat: Grappling", "Rules Glossary: Unarmed Strike"],
  "creature-trait": ["Monsters: Special Traits", "Monsters: Traits"],
  "feral-instinct": ["Barbarian: Feral Instinct", "Barbarian: Feral Instinct"],
  alert: only52("Feats: Alert"),
  initiative: ["Combat: Initiative", "Playing the Game: Initiative"],
  "group-check": only51("Using Ability Scores: Group Checks"),
  falling: ["The Environment: Falling", "Rules Glossary: Falling"],
  "save-for-half": ["Combat: Damage Rolls", "Playing the Game: Saving Throws and Damage"],
  concentration: ["Spellcasting: Concentration", "Rules Glossary: Concentration"],
  evasion: ["Rogue: Evasion", "Rogue: Evasion"],
  healing: ["Combat: Healing", "Playing the Game: Healing"],
  "temporary-hit-points": ["Combat: Temporary Hit Points", "Playing the Game: Temporary Hit Points"],
  "dropping-to-0": ["Combat: Dropping to 0 Hit Points", "Playing the Game: Dropping to 0 Hit Points"],
  "relentless-endurance": ["Races: Half-Orc, Relentless Endurance", "Character Origins: Orc, Relentless Endurance"],
  "death-saving-throw": ["Combat: Death Saving Throws", "Playing the Game: Death Saving Throws"],
  // masteries
  cleave: only52("Equipment: Mastery Properties, Cleave"),
  graze: only52("Equipment: Mastery Properties, Graze"),
  push: only52("Equipment: Mastery Properties, Push"),
  sap: only52("Equipment: Mastery Properties, Sap"),
  slow: only52("Equipment: Mastery Properties, Slow"),
  topple: only52("Equipment: Mastery Properties, Topple"),
  vex: only52("Equipment: Mastery Properties, Vex"),
} as const satisfies Record<string, Place>;

export type RuleId = keyof typeof places;

/** A named boundary: the keys of a constant object are its keys. */
export const ruleIds = Object.keys(places) as RuleId[];

/** Like "SRD 5.1, Rogue: Sneak Attack". A rule that the edition lacks is shown where the other has it. */
export const citeRule = (rule: RuleId, edition: Edition): string => {
  const [in51, in52]: Place = places[rule];
  const own = edition === "5.1" ? in51 : in52;
  if (own === undefined) return edition === "5.1" ? `SRD 5.2, ${in52}` : `SRD 5.1, ${in51}`;
  return own.startsWith("not in") || own.startsWith("ruling") ? own : `SRD ${edition}, ${own}`;
};
