/** A sheet as the page edits it: JSON as the contract takes it, with lists written as text. Pure. What the page has no field for stays in it. */

export type TypedSheet = Readonly<Record<string, unknown>> & { readonly name: string };

export const abilities = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"] as const;

/** Lists of names, and what the page calls them. */
export const listFields = [
  ["inventory", "Weapons and belongings"],
  ["weaponProficiencies", "Weapon proficiencies"],
  ["skillProficiencies", "Skills"],
  ["savingThrowProficiencies", "Saving throws"],
  ["cantrips", "Cantrips"],
  ["knownSpells", "Spells"],
  ["conditions", "Conditions"],
] as const;

type ListField = (typeof listFields)[number][0];

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const readNumber = (value: unknown, other: number): number => (typeof value === "number" ? value : other);

export const listText = (sheet: TypedSheet, field: ListField): string => {
  const list = sheet[field];
  return Array.isArray(list) ? list.filter((each) => typeof each === "string").join(", ") : "";
};

/** "Rapier, Dagger" is two names; empty ones are none. */
export const parseList = (text: string): readonly string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

export const withList = (sheet: TypedSheet, field: ListField, text: string): TypedSheet => ({
  ...sheet,
  [field]: parseList(text),
});

/** "Sneak Attack, Fighting Style: Archery", as a list of features with what was chosen. */
export const featuresText = ({ features }: TypedSheet): string =>
  (Array.isArray(features) ? features : [])
    .filter(isRecord)
    .map(({ name, chosenOption }) => (chosenOption === undefined ? String(name) : `${name}: ${chosenOption}`))
    .join("; ");

export const withFeatures = (sheet: TypedSheet, text: string): TypedSheet => ({
  ...sheet,
  features: text
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [name = "", ...chosen] = each.split(":");
      const option = chosen.join(":").trim();
      return option === "" ? { name: name.trim() } : { name: name.trim(), chosenOption: option };
    }),
});

export const abilityScore = ({ stats }: TypedSheet, ability: (typeof abilities)[number]): number =>
  readNumber(isRecord(stats) ? stats[ability] : undefined, 10);

export const withAbility = (sheet: TypedSheet, ability: (typeof abilities)[number], score: number): TypedSheet => ({
  ...sheet,
  stats: { ...(isRecord(sheet.stats) ? sheet.stats : {}), [ability]: score },
});

type ParsedSheet = { readonly ok: true; readonly sheet: TypedSheet } | { readonly ok: false; readonly problem: string };

export const parseSheet = (text: string): ParsedSheet => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { ok: false, problem: "A sheet is an object." };
    const { name } = value;
    if (typeof name !== "string" || name === "") return { ok: false, problem: "A sheet has a `name`." };
    return { ok: true, sheet: { ...value, name } };
  } catch (error) {
    return { ok: false, problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
};

const shared = { currentHP: 33, maxHP: 33, level: 5 };

/** Sheets to begin with. */
export const sheets: readonly TypedSheet[] = [
  {
    ...shared,
    name: "Aria",
    characterClass: "Rogue",
    armorClass: 15,
    stats: { strength: 10, dexterity: 18, constitution: 12, intelligence: 13, wisdom: 12, charisma: 14 },
    savingThrowProficiencies: ["dexterity", "intelligence"],
    skillProficiencies: ["Acrobatics", "Perception", "Stealth"],
    weaponProficiencies: ["Simple Weapons", "Rapier", "Shortsword", "Hand Crossbow"],
    features: [
      { name: "Sneak Attack" },
      { name: "Expertise", chosenOption: "Stealth, Perception" },
      { name: "Uncanny Dodge" },
    ],
    inventory: ["Rapier", "Shortbow", "Dagger"],
  },
  {
    ...shared,
    name: "Bo",
    characterClass: "Fighter",
    currentHP: 44,
    maxHP: 44,
    armorClass: 18,
    stats: { strength: 18, dexterity: 12, constitution: 16, intelligence: 10, wisdom: 12, charisma: 10 },
    savingThrowProficiencies: ["strength", "constitution"],
    skillProficiencies: ["Athletics", "Intimidation"],
    weaponProficiencies: ["Simple Weapons", "Martial Weapons"],
    features: [{ name: "Fighting Style", chosenOption: "Great Weapon Fighting" }, { name: "Extra Attack" }],
    inventory: ["Greatsword", "Longbow", "Handaxe"],
  },
  {
    ...shared,
    name: "Mia",
    characterClass: "Wizard",
    currentHP: 27,
    maxHP: 27,
    armorClass: 12,
    stats: { strength: 8, dexterity: 14, constitution: 13, intelligence: 18, wisdom: 12, charisma: 10 },
    savingThrowProficiencies: ["intelligence", "wisdom"],
    skillProficiencies: ["Arcana", "History"],
    weaponProficiencies: ["Dagger", "Quarterstaff"],
    inventory: ["Quarterstaff", "Dagger"],
    cantrips: ["Fire Bolt", "Ray of Frost"],
    knownSpells: ["Magic Missile", "Shield", "Fireball", "Hold Person"],
  },
];
