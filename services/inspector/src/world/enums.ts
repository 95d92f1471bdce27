/** Enums of the simulated game. */
import type { EnumDeclaration } from "../host/declaration.ts";

const space = "ExileCore.Shared.Enums";

const enumeration = (
  name: string,
  values: Readonly<Record<string, number>>,
  more: Partial<Pick<EnumDeclaration, "flags" | "underlying">> = {},
): EnumDeclaration => ({ kind: "enum", name: `${space}.${name}`, values, ...more });

export const monsterRarity = { White: 0, Magic: 1, Rare: 2, Unique: 3, Error: 10_000 } as const;

export const entityType = {
  Error: 0,
  None: 1,
  ServerObject: 2,
  Effect: 3,
  Light: 4,
  Monster: 100,
  Chest: 101,
  SmallChest: 102,
  Npc: 103,
  Shrine: 104,
  AreaTransition: 105,
  Portal: 106,
  QuestObject: 107,
  Stash: 108,
  Waypoint: 109,
  Player: 110,
  Pet: 111,
  WorldItem: 112,
} as const;

export const itemRarity = {
  Unknown: -1,
  Normal: 0,
  Magic: 1,
  Rare: 2,
  Unique: 3,
  Gem: 4,
  Currency: 5,
  Quest: 6,
  Prophecy: 7,
} as const;

const actionFlags = {
  None: 0,
  UsingAbility: 2,
  AbilityCooldownActive: 0x10,
  Dead: 0x40,
  Moving: 0x80,
  WashedUpState: 0x100,
  HasMines: 0x800,
} as const;

export const enums: readonly EnumDeclaration[] = [
  enumeration("MonsterRarity", monsterRarity),
  enumeration("EntityType", entityType),
  enumeration("ItemRarity", itemRarity),
  enumeration("ActionFlags", actionFlags, { flags: true }),
  enumeration("LeagueType", { General: 0, Legion: 1, Delirium: 2, Ritual: 3 }),
  enumeration(
    "EntityFlags",
    { None: 0, Valid: 1, Targetable: 2, Hidden: 4, Opened: 8 },
    { flags: true, underlying: "UInt32" },
  ),
  enumeration(
    "InventoryTabFlags",
    { None: 0, RemoveOnly: 1, Premium: 4, Public: 32, Hidden: 128 },
    { flags: true, underlying: "Byte" },
  ),
  enumeration("GameStat", { Life: 1, Mana: 2, EnergyShield: 3, MovementSpeed: 4, FireResistance: 5, ItemRarity: 6 }),
];
