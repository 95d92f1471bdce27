/** Spells, features, traits and magic items that the language of effects says, row by row; the numbers are from the sections that are named. */
import { type Case, features, runCases } from "../testing/case.ts";

const effect = (name: string, more: object = {}) => ({ effects: [{ name, ...more }] });
const worn = (name: string) => ({ inventory: [`${name} (attuned)`, "Club"] });
const check = (skill: NonNullable<Case["check"]>["skill"]) => ({ check: { skill, dc: 10 } });
const save = (ability: NonNullable<Case["save"]>["ability"], source?: string) => ({
  save: { ability, dc: 10, ...(source !== undefined && { source }) },
});
const only = (edition: "5.1" | "5.2") => ({ editions: [edition] });
/** Two dice, of which the higher, or the lower, counts. */
const better = { dice: [4, 15], want: { die: 15 } };
const worse = { dice: [4, 15], want: { die: 4 } };
const spell = { cantrips: ["Fire Bolt"], spellcastingAbility: "intelligence" as const };
const bolt = { attack: { weapon: "Fire Bolt" } } as const;

runCases("spells at work", "spell-at-work", [
  {
    name: "Bear's Endurance: Constitution has no skill",
    ...only("5.1"),
    player: effect("Bear's Endurance"),
    ...check("Athletics"),
    dice: [9],
    want: { die: 9 },
  },
  { name: "Bull's Strength", ...only("5.1"), player: effect("Bull's Strength"), ...check("Athletics"), ...better },
  { name: "Cat's Grace", ...only("5.1"), player: effect("Cat's Grace"), ...check("Stealth"), ...better },
  { name: "Eagle's Splendor", ...only("5.1"), player: effect("Eagle's Splendor"), ...check("Deception"), ...better },
  { name: "Fox's Cunning", ...only("5.1"), player: effect("Fox's Cunning"), ...check("Arcana"), ...better },
  { name: "Owl's Wisdom", ...only("5.1"), player: effect("Owl's Wisdom"), ...check("Insight"), ...better },
  { name: "Beacon of Hope", player: effect("Beacon of Hope"), ...save("wisdom"), ...better },
  {
    name: "Beacon of Hope is for Wisdom",
    player: effect("Beacon of Hope"),
    ...save("charisma"),
    dice: [4],
    want: { die: 4 },
  },
  { name: "Enlarge", player: effect("Enlarge"), ...save("strength"), ...better },
  {
    name: "Enlarge adds a d4 to a weapon's hit",
    player: { ...effect("Enlarge"), inventory: ["Club"] },
    dice: [15, 3, 2],
    want: { lines: ["Club 1d4 bludgeoning", "Enlarge 1d4 bludgeoning"], damage: 5 },
  },
  {
    name: "Enlarge adds it to a fist's hit in 5.2 alone",
    player: effect("Enlarge"),
    attack: { weapon: "Unarmed Strike" },
    ...only("5.2"),
    dice: [15, 2],
    want: { damage: 3 },
  },
  { name: "Reduce", player: effect("Reduce"), ...check("Athletics"), ...worse },
  {
    name: "Foresight on an attack",
    player: { ...effect("Foresight"), inventory: ["Club"] },
    dice: [4, 15, 2],
    want: { die: 15 },
  },
  { name: "Foresight on a save", player: effect("Foresight"), ...save("charisma"), ...better },
  { name: "Gaseous Form", player: effect("Gaseous Form"), ...save("constitution"), ...better },
  { name: "Haste", player: effect("Haste"), ...save("dexterity"), ...better },
  { name: "Holy Aura", player: effect("Holy Aura"), ...save("intelligence"), ...better },
  {
    name: "Magic Weapon of a higher slot",
    player: { ...effect("Magic Weapon", { bonus: 2 }), inventory: ["Club"] },
    dice: [13, 3],
    want: { modifier: "+2", damage: 5 },
  },
  {
    name: "Magic Weapon",
    player: { ...effect("Magic Weapon"), inventory: ["Club"] },
    dice: [14, 3],
    want: { modifier: "+1", damage: 4 },
  },
  {
    name: "Magic Weapon is not a fist's",
    player: effect("Magic Weapon"),
    attack: { weapon: "Unarmed Strike" },
    dice: [13],
    want: { modifier: "+2", damage: 1 },
  },
  {
    name: "Pass without Trace",
    player: effect("Pass without Trace"),
    ...check("Stealth"),
    dice: [5],
    want: { modifier: "+10", total: 15 },
  },
  {
    name: "Protection from Poison",
    player: effect("Protection from Poison"),
    ...save("constitution", "poison gas"),
    ...better,
  },
  {
    name: "Protection from Poison, by the type of the damage",
    player: effect("Protection from Poison"),
    scene: { incoming: { dice: "2d6", damageType: "poison", onSuccess: "none" } },
    ...save("constitution", "a sting"),
    ...better,
  },
  {
    name: "Protection from Poison is against poison",
    player: effect("Protection from Poison"),
    ...save("constitution", "cold"),
    dice: [4],
    want: { die: 4 },
  },
  {
    name: "Ray of Enfeeblement",
    ...only("5.2"),
    player: effect("Ray of Enfeeblement"),
    ...check("Athletics"),
    ...worse,
  },
  {
    name: "Slow",
    player: effect("Slow"),
    ...save("dexterity"),
    dice: [12],
    want: { modifier: "-2", total: 10, success: true },
  },
  {
    name: "True Strike is for one attack",
    ...only("5.1"),
    player: { ...effect("True Strike", { target: "goblin-1" }), inventory: ["Club"] },
    dice: [4, 15, 2],
    want: { die: 15, changes: ["Aria effects-True Strike", "Goblin currentHp=98"] },
  },
  {
    name: "True Strike is for its target",
    ...only("5.1"),
    player: { ...effect("True Strike", { target: "another" }), inventory: ["Club"] },
    dice: [4],
    want: { die: 4 },
  },
  {
    name: "Warding Bond",
    player: effect("Warding Bond"),
    ...save("wisdom"),
    dice: [9],
    want: { modifier: "+1", success: true },
  },
]);

runCases("class features", "class-feature", [
  {
    name: "Innate Sorcery",
    ...only("5.2"),
    player: { ...spell, ...effect("Innate Sorcery") },
    ...bolt,
    dice: [4, 15, 3],
    want: { die: 15 },
  },
  {
    name: "Sacred Weapon",
    player: { ...effect("Sacred Weapon"), stats: { charisma: 16 }, inventory: ["Club"] },
    dice: [12, 2],
    want: { modifier: "+3" },
  },
  {
    name: "Sacred Weapon adds at least 1",
    player: { ...effect("Sacred Weapon"), stats: { charisma: 8 }, inventory: ["Club"] },
    dice: [14, 2],
    want: { modifier: "+1" },
  },
  {
    name: "Steady Aim",
    ...only("5.2"),
    player: { ...effect("Steady Aim"), inventory: ["Club"] },
    dice: [4, 15, 2],
    want: { die: 15, changes: ["Aria effects-Steady Aim", "Goblin currentHp=98"] },
  },
  {
    name: "Diamond Soul",
    ...only("5.1"),
    player: features("Diamond Soul"),
    ...save("charisma"),
    dice: [8],
    want: { modifier: "+2", success: true },
  },
  {
    name: "Diamond Soul adds nothing to a proficient save",
    ...only("5.1"),
    player: { ...features("Diamond Soul"), savingThrowProficiencies: ["charisma"] },
    ...save("charisma"),
    dice: [8],
    want: { modifier: "+2" },
  },
  {
    name: "Disciplined Survivor",
    ...only("5.2"),
    player: features("Disciplined Survivor"),
    ...save("wisdom"),
    dice: [8],
    want: { modifier: "+2" },
  },
  { name: "Slippery Mind", player: features("Slippery Mind"), ...save("wisdom"), dice: [8], want: { modifier: "+2" } },
  {
    name: "Slippery Mind, Charisma",
    player: features("Slippery Mind"),
    ...save("charisma"),
    dice: [8],
    want: { modifier: "+0" },
    in52: { modifier: "+2" },
  },
]);

runCases("traits of a species", "species-trait", [
  { name: "Brave", player: features("Brave"), ...save("wisdom", "frightening presence"), ...better },
  {
    name: "Brave is against fear",
    player: features("Brave"),
    ...save("wisdom", "a charm"),
    dice: [4],
    want: { die: 4 },
  },
  {
    name: "Dwarven Resilience",
    player: features("Dwarven Resilience"),
    ...save("constitution", "Poisoned dart"),
    ...better,
  },
  { name: "Fey Ancestry", player: features("Fey Ancestry"), ...save("wisdom", "Charm Person"), ...better },
  { name: "Large Form", ...only("5.2"), player: effect("Large Form"), ...check("Athletics"), ...better },
]);

runCases("magic items", "magic-item", [
  { name: "Belt of Dwarvenkind", player: worn("Belt of Dwarvenkind"), ...save("constitution", "poison"), ...better },
  { name: "Boots of Elvenkind", ...only("5.2"), player: worn("Boots of Elvenkind"), ...check("Stealth"), ...better },
  { name: "Cloak of Elvenkind", ...only("5.2"), player: worn("Cloak of Elvenkind"), ...check("Stealth"), ...better },
  {
    name: "Cloak of Protection",
    player: worn("Cloak of Protection"),
    ...save("wisdom"),
    dice: [9],
    want: { modifier: "+1" },
  },
  {
    name: "a Cloak of Protection in the bag",
    player: { inventory: ["Cloak of Protection"] },
    ...save("wisdom"),
    dice: [9],
    want: { modifier: "+0" },
  },
  {
    name: "a Cloak of Protection among the effects",
    player: effect("Cloak of Protection"),
    ...save("wisdom"),
    dice: [9],
    want: { modifier: "+1" },
  },
  { name: "Cloak of the Bat", player: worn("Cloak of the Bat"), ...check("Stealth"), ...better },
  {
    name: "Gloves of Thievery",
    player: worn("Gloves of Thievery"),
    ...check("Sleight of Hand"),
    dice: [5],
    want: { modifier: "+5" },
  },
  {
    name: "Mantle of Spell Resistance",
    player: worn("Mantle of Spell Resistance"),
    scene: { magical: true },
    ...save("wisdom"),
    ...better,
  },
  {
    name: "Ring of Protection and Cloak of Protection",
    player: { inventory: ["Ring of Protection (worn)", "Cloak of Protection (worn)"] },
    ...save("wisdom"),
    dice: [9],
    want: { modifier: "+2" },
  },
  {
    name: "two Rings of Protection count once",
    player: { inventory: ["Ring of Protection (worn)", "Ring of Protection (worn)"] },
    ...save("wisdom"),
    dice: [9],
    want: { modifier: "+1" },
  },
  { name: "Robe of Stars", player: worn("Robe of Stars"), ...save("wisdom"), dice: [9], want: { modifier: "+1" } },
  {
    name: "Robe of the Archmagi",
    player: worn("Robe of the Archmagi"),
    scene: { magical: true },
    ...save("wisdom"),
    ...better,
  },
  { name: "Rod of Alertness", player: worn("Rod of Alertness"), ...check("Perception"), ...better },
  {
    name: "Scarab of Protection",
    player: worn("Scarab of Protection"),
    scene: { magical: true },
    ...save("wisdom"),
    ...better,
  },
  { name: "Sentinel Shield", player: worn("Sentinel Shield"), ...check("Perception"), ...better },
  {
    name: "Staff of Power",
    player: { ...spell, ...worn("Staff of Power") },
    ...bolt,
    dice: [11, 3],
    want: { modifier: "+4" },
  },
  {
    name: "Staff of the Magi",
    player: { ...spell, ...worn("Staff of the Magi") },
    ...bolt,
    dice: [11, 3],
    want: { modifier: "+4" },
  },
  {
    name: "Stone of Good Luck",
    player: worn("Stone of Good Luck"),
    ...check("Arcana"),
    dice: [9],
    want: { modifier: "+1" },
  },
  {
    name: "Wand of the War Mage +2",
    player: { ...spell, ...worn("Wand of the War Mage +2") },
    ...bolt,
    dice: [11, 3],
    want: { modifier: "+4" },
  },
]);

const hymn = {
  rulings: { houseRules: "effect Battle Hymn | attack, save | +1d4\neffect Battle Hymn | weapon hit | +2 thunder" },
};
runCases("a table's own rules", "house-rule", [
  {
    name: "its die",
    ...hymn,
    player: effect("Battle Hymn"),
    ...save("wisdom"),
    dice: [8, 2],
    want: { modifier: "+2", success: true },
  },
  {
    name: "its damage",
    ...hymn,
    player: { ...effect("Battle Hymn"), inventory: ["Club"] },
    dice: [12, 4, 3],
    want: { modifier: "+4", lines: ["Club 1d4 bludgeoning", "Battle Hymn +2 thunder"], damage: 5 },
  },
  {
    name: "a failure",
    rulings: { houseRules: "condition Cursed | charisma save | failure" },
    player: { conditions: ["Cursed"] },
    ...save("charisma"),
    dice: [],
    want: { success: false, rules: ["house-rule"] },
  },
  {
    name: "a critical range, and the better of two",
    rulings: { houseRules: "feature Deadeye | weapon attack | crit 19" },
    player: { ...features("Deadeye", "Superior Critical"), inventory: ["Club"] },
    dice: [18, 2, 2],
    want: { crit: true },
  },
]);
