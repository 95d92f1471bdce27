/** Every weapon of both tables, swung once by somebody who is trained: its die, type and ability (Equipment: Weapons). */
import { expect, test } from "vitest";
import { weapons } from "../data/weapons.ts";
import { type Case, runCases } from "../testing/case.ts";

/** Written down from the two documents' tables, apart from the service's own. STR 14 (+2), DEX 16 (+3). */
const melee = [
  "Club 1d4+2 bludgeoning",
  "Greatclub 1d8+2 bludgeoning",
  "Handaxe 1d6+2 slashing",
  "Javelin 1d6+2 piercing",
  "Light Hammer 1d4+2 bludgeoning",
  "Mace 1d6+2 bludgeoning",
  "Quarterstaff 1d6+2 bludgeoning",
  "Sickle 1d4+2 slashing",
  "Spear 1d6+2 piercing",
  "Battleaxe 1d8+2 slashing",
  "Flail 1d8+2 bludgeoning",
  "Glaive 1d10+2 slashing",
  "Greataxe 1d12+2 slashing",
  "Greatsword 2d6+2 slashing",
  "Halberd 1d10+2 slashing",
  "Longsword 1d8+2 slashing",
  "Maul 2d6+2 bludgeoning",
  "Morningstar 1d8+2 piercing",
  "Pike 1d10+2 piercing",
  "War Pick 1d8+2 piercing",
  "Warhammer 1d8+2 bludgeoning",
];
const dexterous = [
  "Dagger 1d4+3 piercing",
  "Dart 1d4+3 piercing",
  "Light Crossbow 1d8+3 piercing",
  "Shortbow 1d6+3 piercing",
  "Sling 1d4+3 bludgeoning",
  "Rapier 1d8+3 piercing",
  "Scimitar 1d6+3 slashing",
  "Shortsword 1d6+3 piercing",
  "Whip 1d4+3 slashing",
  "Hand Crossbow 1d6+3 piercing",
  "Heavy Crossbow 1d10+3 piercing",
  "Longbow 1d8+3 piercing",
];
const versatile = [
  "Quarterstaff 1d8+2 bludgeoning",
  "Spear 1d8+2 piercing",
  "Battleaxe 1d10+2 slashing",
  "Longsword 1d10+2 slashing",
  "Warhammer 1d10+2 bludgeoning",
];
const only51 = ["Lance 1d12+2 piercing", "Trident 1d6+2 piercing", "Blowgun +4 piercing"];
const only52 = [
  "Lance 1d10+2 piercing",
  "Trident 1d8+2 piercing",
  "Blowgun +1 piercing",
  "Musket 1d12+3 piercing",
  "Pistol 1d10+3 piercing",
];

const swing = (line: string, editions: Case["editions"], hands: "one" | "two" = "one"): Case => {
  const [, weapon = "", count = "0"] = /^(.*?) (?:(\d+)d\d+)?\+\d+ \w+$/.exec(line) ?? [];
  return {
    name: `${line}${hands === "two" ? ", in two hands" : ""}`,
    ...(editions !== undefined && { editions }),
    player: {
      inventory: [weapon],
      weaponProficiencies: ["Simple Weapons", "Martial Weapons"],
      stats: { strength: 14, dexterity: 16 },
    },
    scene: { hands },
    attack: { weapon },
    dice: [18, ...Array.from({ length: Number(count) }, () => 1)],
    want: { lines: [line], success: true },
  };
};

runCases("weapon table", "weapon-damage", [
  ...[...melee, ...dexterous].map((line) => swing(line, undefined)),
  ...versatile.map((line) => swing(line, undefined, "two")),
  ...only51.map((line) => swing(line, ["5.1"])),
  swing("Trident 1d8+2 piercing", ["5.1"], "two"),
  ...only52.map((line) => swing(line, ["5.2"])),
  swing("Trident 1d10+2 piercing", ["5.2"], "two"),
  swing("War Pick 1d10+2 piercing", ["5.2"], "two"),
  swing("War Pick 1d8+2 piercing", ["5.1"], "two"),
]);

test("37 weapons in 5.1, 38 in 5.2", () => {
  expect(weapons["5.1"]).toHaveLength(37);
  expect(weapons["5.2"]).toHaveLength(38);
});

test("masteries are in 5.2 alone, one for each weapon", () => {
  expect(weapons["5.1"].filter(({ mastery }) => mastery !== undefined)).toEqual([]);
  const byMastery = Object.groupBy(weapons["5.2"], ({ mastery }) => mastery ?? "none");
  const names = Object.fromEntries(
    Object.entries(byMastery).map(([key, rows]) => [key, rows?.map(({ name }) => name)]),
  );
  expect(names).toEqual({
    Slow: ["Club", "Javelin", "Light Crossbow", "Sling", "Whip", "Longbow", "Musket"],
    Nick: ["Dagger", "Light Hammer", "Sickle", "Scimitar"],
    Push: ["Greatclub", "Pike", "Warhammer", "Heavy Crossbow"],
    Vex: ["Handaxe", "Dart", "Shortbow", "Rapier", "Shortsword", "Blowgun", "Hand Crossbow", "Pistol"],
    Sap: ["Mace", "Spear", "Flail", "Longsword", "Morningstar", "War Pick"],
    Topple: ["Quarterstaff", "Battleaxe", "Lance", "Maul", "Trident"],
    Graze: ["Glaive", "Greatsword"],
    Cleave: ["Greataxe", "Halberd"],
  });
});

const untrained = (weapon: string, ...weaponProficiencies: string[]): Case => ({
  name: `${weapon} with ${weaponProficiencies.join(", ") || "nothing"} trained`,
  player: { inventory: [weapon], weaponProficiencies, stats: { strength: 10, dexterity: 10 } },
  attack: { weapon },
  dice: [2],
  want: { modifier: "+0", rules: ["!proficiency-bonus"] },
});
const trained = (weapon: string, ...weaponProficiencies: string[]): Case => ({
  ...untrained(weapon, ...weaponProficiencies),
  want: { modifier: `+${2 + Number(/\+(\d)/.exec(weapon)?.[1] ?? 0)}`, rules: ["proficiency-bonus"] },
});

runCases("weapon proficiency", "proficiency-bonus", [
  untrained("Rapier"),
  untrained("Rapier", "Simple Weapons"),
  untrained("Club", "Martial Weapons"),
  untrained("Longsword", "Shortsword"),
  untrained("Light Crossbow", "Hand Crossbow"),
  trained("Rapier", "Martial Weapons"),
  trained("Rapier", "martial"),
  trained("Rapier", "rapier"),
  trained("Rapier", "Rapiers"),
  trained("Club", "Simple Weapons"),
  trained("Longsword +1", "Martial Weapons"),
  trained("+1 Longsword", "Martial Weapons"),
  trained("Longsword +1", "Longswords"),
  trained("Longsword (silvered)", "Longsword"),
  trained("Light Crossbow", "Crossbow, light"),
  trained("Light Crossbow", "Crossbows, light"),
  trained("Hand Crossbow", "Hand crossbows"),
  trained("Crossbow, hand", "Hand Crossbow"),
  trained("Scimitar", "Martial weapons that have the Finesse or Light property"),
  untrained("Longsword", "Martial weapons that have the Finesse or Light property"),
  untrained("Rapier", "Martial weapons that have the Light property"),
]);
