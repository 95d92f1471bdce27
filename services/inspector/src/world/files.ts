/** The simulated game's data files: item bases, zones, monster varieties, tags. */

import type { GameObject } from "./game-object.ts";
import type { Random } from "./random.ts";
import { baseItemType, fileInformation, monsterVariety, worldArea } from "./state.ts";

const zoneNames = [
  "Lioneye's Watch",
  "The Coast",
  "The Mud Flats",
  "The Submerged Passage",
  "The Ledge",
  "The Climb",
  "Prisoner's Gate",
];
const bases = [
  ["Metadata/Items/Rings/Ring1", "Ring", "Iron Ring"],
  ["Metadata/Items/Weapons/OneHandSword3", "One Hand Sword", "Sabre"],
  ["Metadata/Items/Armours/Helmet2", "Helmet", "Cone Helmet"],
  ["Metadata/Items/Currency/CurrencyRerollRare", "Currency", "Chaos Orb"],
  ["Metadata/Items/Gems/SkillGemFireball", "Active Skill Gem", "Fireball"],
] as const;

interface FileTables {
  readonly tables: Readonly<Record<string, unknown>>;
  readonly zones: readonly GameObject[];
}

export const fileTables = (random: Random): FileTables => {
  const zones = zoneNames.map((name, index) =>
    worldArea.make({
      Address: 0n,
      Id: 120 + index,
      Name: name,
      Act: 1,
      IsTown: index === 0,
      HasWaypoint: index % 2 === 0,
      AreaLevel: index + 1,
    }),
  );
  const items = new Map(
    bases.map(([Metadata, ClassName, BaseName]) => [
      Metadata,
      baseItemType.make({
        Metadata,
        ClassName,
        BaseName,
        Width: 1,
        Height: random.whole(1, 3),
        DropLevel: random.whole(1, 60),
        Tags: ["default", ClassName.toLowerCase()],
      }),
    ]),
  );
  const monsters = ["Hillock", "Zombie", "Cannibal", "Rhoa"].map((MonsterName) =>
    monsterVariety.make({
      VarietyId: `Metadata/Monsters/${MonsterName}`,
      MonsterName,
      LifeMultiplier: random.whole(80, 300),
      ExperienceMultiplier: 100,
    }),
  );
  const all = new Map(
    ["BaseItemTypes", "WorldAreas", "MonsterVarieties", "Tags", "Mods", "Stats"].map((name, index) => [
      `Data/${name}.dat64`,
      fileInformation.make({
        Ptr: BigInt(0x1_5000_0000 + index * 4096),
        ChangeCount: 1,
        Size: BigInt(random.whole(1_000, 900_000)),
      }),
    ]),
  );
  return {
    zones,
    tables: {
      BaseItemTypes: items,
      WorldAreas: zones,
      MonsterVarieties: monsters,
      Tags: ["default", "ring", "sword", "fire", "life"],
      AllFiles: all,
    },
  };
};
