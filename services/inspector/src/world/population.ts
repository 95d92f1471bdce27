/** Fills the simulated world: monsters, chests, portals, items on the ground and the player, all from one seed. */
import { buff as buffClass, type ComponentName, components, distance, entity } from "./components.ts";
import { entityType, itemRarity, monsterRarity } from "./enums.ts";
import type { GameObject } from "./game-object.ts";
import type { MemoryImage } from "./memory.ts";
import type { Random } from "./random.ts";

/** A struct value: own data, no prototype. */
export const value = (fields: Readonly<Record<string, unknown>>): object => Object.assign(Object.create(null), fields);

interface EntityKind {
  readonly type: keyof typeof entityType;
  readonly path: string;
  readonly names: readonly [string, ...string[]];
  /** How many of a thousand. */
  readonly share: number;
}

const kinds: readonly [EntityKind, ...EntityKind[]] = [
  {
    type: "Monster",
    path: "Metadata/Monsters",
    names: ["Hillock", "Zombie", "Sand Spitter", "Cannibal", "Rhoa", "Drowned", "Skeletal Archer", "Flame Sentinel"],
    share: 620,
  },
  { type: "Chest", path: "Metadata/Chests", names: ["Chest", "Urn", "Strongbox"], share: 120 },
  { type: "Effect", path: "Metadata/Effects", names: ["Ground Fire", "Shrine Glow"], share: 90 },
  { type: "WorldItem", path: "Metadata/MiscellaneousObjects/WorldItem", names: ["Item"], share: 110 },
  { type: "Npc", path: "Metadata/NPC", names: ["Nessa", "Tarkleigh", "Bestel"], share: 20 },
  { type: "Portal", path: "Metadata/MiscellaneousObjects/Portal", names: ["Portal"], share: 15 },
  {
    type: "AreaTransition",
    path: "Metadata/MiscellaneousObjects/AreaTransition",
    names: ["The Coast", "The Mud Flats"],
    share: 15,
  },
  { type: "Shrine", path: "Metadata/Shrines", names: ["Acceleration Shrine"], share: 10 },
];

const itemNames = [
  "Rings/Ring1",
  "Weapons/OneHandSword3",
  "Armours/Helmet2",
  "Currency/CurrencyRerollRare",
  "Gems/SkillGemFireball",
] as const;

export interface Builder {
  readonly random: Random;
  readonly memory: MemoryImage;
  nextId(): number;
}

const makeComponents = (
  owner: GameObject,
  made: Readonly<Partial<Record<ComponentName, Readonly<Record<string, unknown>>>>>,
): void => {
  const found = new Map<string, GameObject>();
  for (const [name, values] of Object.entries(made)) {
    const part = components[name as ComponentName].make({
      ...values,
      Owner: owner,
      OwnerAddress: owner.Address,
      Address: owner.Address,
    });
    found.set(name, part);
  }
  owner.Components = found;
  owner._components = found;
};

const vital = (max: number, current: number): object =>
  value({ ReservedFlat: 0, ReservedFraction: 0, Regen: Math.fround(max / 100), Max: max, Current: current });

const life = (max: number, current: number, mana: number): Readonly<Record<string, unknown>> => ({
  CurHP: current,
  MaxHP: max,
  CurMana: mana,
  MaxMana: mana,
  CurES: 0,
  MaxES: 0,
  ReservedFlatHP: 0,
  ReservedPercentHP: 0,
  HPPercentage: Math.fround(current / max),
  MPPercentage: 1,
  ESPercentage: 0,
  Health: vital(max, current),
  Mana: vital(mana, mana),
  EnergyShield: vital(0, 0),
});

const buff = (name: string, timer: number, charges: number): GameObject =>
  buffClass.make({
    Name: name,
    DisplayName: name.replaceAll("_", " "),
    Description: `Grants ${name.replaceAll("_", " ")}`,
    Charges: charges,
    BuffStacks: charges,
    Timer: Math.fround(timer),
    MaxTime: Math.fround(Math.max(timer, 10)),
    IsInvisible: false,
    IsRemovable: timer > 0,
    Address: 0n,
  });

interface Placement {
  readonly kind: EntityKind;
  readonly x: number;
  readonly y: number;
}

const base = ({ random, memory, nextId }: Builder, { kind, x, y }: Placement, name: string): GameObject => {
  const id = nextId();
  const isMonster = kind.type === "Monster";
  const rarity = isMonster ? pickRarity(random) : monsterRarity.White;
  const path = `${kind.path}/${name.replaceAll(" ", "")}`;
  const hostile = isMonster && random.next() < 0.9;
  const position = value({ X: Math.fround(x * 10.87), Y: Math.fround(y * 10.87), Z: 0 });
  return entity.make({
    Address: memory.allocate(160),
    Id: id,
    InventoryId: 0,
    Type: entityType[kind.type],
    League: 0,
    Rarity: rarity,
    Path: path,
    Metadata: path,
    RenderName: name,
    Version: 1,
    Flags: 3,
    IsValid: true,
    IsAlive: isMonster,
    IsDead: false,
    IsHostile: hostile,
    IsTargetable: kind.type !== "Effect",
    IsHidden: false,
    IsOpened: false,
    Position: position,
    PosNum: position,
    GridPosNum: value({ X: Math.fround(x), Y: Math.fround(y) }),
    Distance: 0,
    DistancePlayer: 0,
    Components: new Map(),
    Stats: new Map(),
    Buffs: [],
    _id: id,
    _path: path,
    _renderName: name,
  });
};

const pickRarity = (random: Random): number => {
  const roll = random.next();
  return roll < 0.7
    ? monsterRarity.White
    : roll < 0.9
      ? monsterRarity.Magic
      : roll < 0.985
        ? monsterRarity.Rare
        : monsterRarity.Unique;
};

const placed = (
  thing: GameObject,
  name: string,
): Readonly<Partial<Record<ComponentName, Readonly<Record<string, unknown>>>>> => {
  const grid = thing.GridPosNum as { readonly X: number; readonly Y: number };
  const at = thing.Position as { readonly X: number; readonly Y: number; readonly Z: number };
  return {
    Positioned: {
      GridX: Math.trunc(grid.X),
      GridY: Math.trunc(grid.Y),
      GridPos: grid,
      WorldPos: value({ X: at.X, Y: at.Y }),
      Rotation: 0,
      RotationDeg: 0,
      Scale: 1,
      Size: 1,
      Reaction: 1,
    },
    Render: { X: at.X, Y: at.Y, Z: at.Z, Pos: at, Bounds: value({ X: 10, Y: 10, Z: 20 }), Height: 20, Name: name },
    Targetable: { isTargetable: thing.IsTargetable, isTargeted: false },
  };
};

const item = (builder: Builder): GameObject => {
  const { random } = builder;
  const name = random.pick([...itemNames]);
  const rarity = random.whole(itemRarity.Normal, itemRarity.Unique);
  const made = base(
    builder,
    { kind: { type: "ServerObject", path: "Metadata/Items", names: ["Item"], share: 0 }, x: 0, y: 0 },
    name,
  );
  const path = `Metadata/Items/${name}`;
  Object.assign(made, {
    Path: path,
    Metadata: path,
    RenderName: name.slice(name.indexOf("/") + 1),
    Rarity: Math.min(rarity, 3),
    IsTargetable: false,
  });
  makeComponents(made, {
    Base: {
      Name: name.slice(name.indexOf("/") + 1),
      ItemCellsSizeX: 1,
      ItemCellsSizeY: random.whole(1, 3),
      isCorrupted: random.next() < 0.05,
    },
    Mods: {
      ItemRarity: rarity,
      ItemLevel: random.whole(1, 83),
      Identified: rarity === 0,
      UniqueName: "",
      HumanStats: rarity === 0 ? [] : ["+12 to maximum Life"],
    },
    ...(name.startsWith("Currency") ? { Stack: { Size: random.whole(1, 20) } } : {}),
    ...(name.startsWith("Weapons") || name.startsWith("Armours")
      ? { Sockets: { NumberOfSockets: 3, LargestLinkSize: 2, Links: ["RG", "B"] } }
      : {}),
  });
  return made;
};

export { item as makeItem };

/** One entity that is not the player. The first is always a living Hillock nearby. */
const inhabitant = (builder: Builder, index: number): GameObject => {
  const { random } = builder;
  const first = index === 0;
  const kind = first ? kinds[0] : kindFor(random.whole(1, 1000));
  const [name] = first ? kind.names : [random.pick([...kind.names])];
  const made = base(
    builder,
    { kind, x: first ? 20 : random.next() * 1000, y: first ? 10 : random.next() * 1000 },
    name,
  );
  if (first) made.IsHostile = true;
  const max = random.whole(40, 4_000);
  const own: Partial<Record<ComponentName, Readonly<Record<string, unknown>>>> = { ...placed(made, name) };
  if (kind.type === "Monster") {
    own.Life = life(max, random.whole(1, max), 200);
    own.Monster = {};
    own.Actor = {
      ActionId: 0,
      Action: random.next() < 0.5 ? 0x80 : 0,
      AnimationId: random.whole(0, 30),
      isMoving: random.next() < 0.5,
      isAttacking: false,
    };
    own.ObjectMagicProperties = { Rarity: made.Rarity, Mods: made.Rarity === 0 ? [] : ["MonsterFast1"] };
    own.Buffs = { BuffsList: random.next() < 0.2 ? [buff("monster_fury", random.next() * 5, 1)] : [] };
    made.Buffs = own.Buffs.BuffsList;
  } else if (kind.type === "Chest") {
    own.Chest = {
      IsOpened: random.next() < 0.3,
      IsLocked: false,
      IsStrongbox: name === "Strongbox",
      IsLarge: random.next() < 0.2,
    };
    made.IsOpened = own.Chest.IsOpened;
  } else if (kind.type === "WorldItem") {
    const ground = item(builder);
    own.WorldItem = { ItemEntity: ground, AllocatedToPlayer: random.next() < 0.5 };
    made.Item = ground;
  } else if (kind.type === "Portal") own.Portal = { Area: "Lioneye's Watch" };
  makeComponents(made, own);
  return made;
};

const kindFor = (roll: number): EntityKind => {
  let sum = 0;
  for (const kind of kinds) {
    sum += kind.share;
    if (roll <= sum) return kind;
  }
  return kinds[0];
};

export const inhabitants = (builder: Builder, count: number): readonly GameObject[] =>
  Array.from({ length: count }, (_, index) => inhabitant(builder, index));

export const player = (builder: Builder): GameObject => {
  const made = base(
    builder,
    { kind: { type: "Player", path: "Metadata/Characters", names: ["Ranger"], share: 0 }, x: 9.25, y: 18.4 },
    "Ranger",
  );
  Object.assign(made, {
    Id: 1234,
    _id: 1234,
    Path: "Metadata/Characters/Dex/Dex",
    _path: "Metadata/Characters/Dex/Dex",
    Metadata: "Metadata/Characters/Dex/Dex",
    RenderName: "Exile",
    _renderName: "Exile",
    IsAlive: true,
    IsHostile: false,
  });
  const position = value({ X: 100.5, Y: Math.fround(200.3), Z: 0 });
  Object.assign(made, { Position: position, PosNum: position });
  const stats = new Map([
    [1, 5120],
    [2, 880],
    [4, 130],
    [5, 75],
    [6, 42],
  ]);
  const buffs = [
    buff("flask_effect_life", 4.2, 1),
    buff("grace_period", 1.5, 0),
    buff("aspect_of_the_cat", 0, 0),
    buff("onslaught", 9.75, 3),
  ];
  makeComponents(made, {
    ...placed(made, "Exile"),
    Life: life(5120, 4523, 880),
    Player: { PlayerName: "Exile", Level: 92, XP: 1_934_009_687, Strength: 88, Dexterity: 312, Intelligence: 101 },
    Actor: { ActionId: 12, Action: 0x80, AnimationId: 3, isMoving: true, isAttacking: false },
    Stats: { StatDictionary: stats },
    Buffs: { BuffsList: buffs },
    StateMachine: { CanBeTarget: false, InTarget: false },
    ObjectMagicProperties: { Rarity: 0, Mods: [] },
    Base: { Name: "Ranger", ItemCellsSizeX: 1, ItemCellsSizeY: 1, isCorrupted: false },
    Mods: { ItemRarity: 0, ItemLevel: 1, Identified: true, UniqueName: "", HumanStats: [] },
  });
  Object.assign(made, { Stats: stats, Buffs: buffs });
  return made;
};

/** Sets the distance of each entity from the player. */
export const measureDistances = (entities: readonly GameObject[], from: GameObject): void => {
  for (const each of entities) {
    const far = distance(each.GridPosNum, from.GridPosNum);
    each.Distance = far;
    each.DistancePlayer = far;
  }
};
