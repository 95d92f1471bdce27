/** Components of the simulated game: what an entity is made of. */
import { member } from "../host/declaration.ts";
import { type GameObjectClass, gameObjectClass, hidden, pure } from "./game-object.ts";

const memory = "ExileCore.PoEMemory";
const space = `${memory}.Components`;

export const remoteObject = gameObjectClass(`${memory}.RemoteMemoryObject`, { Address: "Int64" });

export const component = gameObjectClass(
  `${memory}.Component`,
  { OwnerAddress: "Int64", Owner: "Entity" },
  { base: remoteObject, methods: [{ name: "DumpObject", returns: "String" }], display: () => "Component" },
);

const part = (
  name: string,
  types: Readonly<Record<string, string>>,
  more: Parameters<typeof gameObjectClass>[2] = {},
): GameObjectClass => gameObjectClass(`${space}.${name}`, types, { base: component, display: () => name, ...more });

export const vital = gameObjectClass("ExileCore.PoEMemory.MemoryObjects.Vital", {
  Current: "Int32",
  Max: "Int32",
  ReservedFlat: "Int32",
  Regen: "Single",
});

export const components = {
  Life: part("Life", {
    CurHP: "Int32",
    MaxHP: "Int32",
    CurMana: "Int32",
    MaxMana: "Int32",
    CurES: "Int32",
    MaxES: "Int32",
    ReservedFlatHP: "Int32",
    ReservedPercentHP: "Int32",
    HPPercentage: "Single",
    MPPercentage: "Single",
    ESPercentage: "Single",
    Health: "VitalStruct",
    Mana: "VitalStruct",
    EnergyShield: "VitalStruct",
  }),
  Buffs: part(
    "Buffs",
    { BuffsList: "List<Buff>" },
    {
      methods: [
        pure(
          "HasBuff",
          "Boolean",
          { name: "String" },
          ({ BuffsList }, [name]) =>
            Array.isArray(BuffsList) && BuffsList.some((buff: { readonly Name?: unknown }) => buff.Name === name),
        ),
      ],
    },
  ),
  Positioned: part("Positioned", {
    GridX: "Int32",
    GridY: "Int32",
    GridPos: "Vector2",
    WorldPos: "Vector2",
    Rotation: "Single",
    RotationDeg: "Single",
    Scale: "Single",
    Size: "Int32",
    Reaction: "Byte",
  }),
  Render: part("Render", {
    X: "Single",
    Y: "Single",
    Z: "Single",
    Pos: "Vector3",
    Bounds: "Vector3",
    Height: "Single",
    Name: "String",
  }),
  Actor: part("Actor", {
    ActionId: "Int16",
    Action: "ActionFlags",
    AnimationId: "Int32",
    isMoving: "Boolean",
    isAttacking: "Boolean",
  }),
  Player: part("Player", {
    PlayerName: "String",
    Level: "Int32",
    XP: "UInt32",
    Strength: "Int32",
    Dexterity: "Int32",
    Intelligence: "Int32",
  }),
  Stats: part("Stats", { StatDictionary: "Dictionary<GameStat, Int32>" }),
  Targetable: part("Targetable", { isTargetable: "Boolean", isTargeted: "Boolean" }),
  Monster: part("Monster", {}),
  ObjectMagicProperties: part("ObjectMagicProperties", { Rarity: "MonsterRarity", Mods: "List<String>" }),
  Chest: part("Chest", { IsOpened: "Boolean", IsLocked: "Boolean", IsStrongbox: "Boolean", IsLarge: "Boolean" }),
  WorldItem: part("WorldItem", { ItemEntity: "Entity", AllocatedToPlayer: "Boolean" }),
  Mods: part("Mods", {
    ItemRarity: "ItemRarity",
    ItemLevel: "Int32",
    Identified: "Boolean",
    UniqueName: "String",
    HumanStats: "List<String>",
  }),
  Base: part("Base", { Name: "String", ItemCellsSizeX: "Byte", ItemCellsSizeY: "Byte", isCorrupted: "Boolean" }),
  Stack: part("Stack", { Size: "Int32" }),
  Sockets: part("Sockets", { NumberOfSockets: "Int32", LargestLinkSize: "Int32", Links: "List<String>" }),
  Portal: part("Portal", { Area: "String" }),
  StateMachine: part("StateMachine", { CanBeTarget: "Boolean", InTarget: "Boolean" }),
} as const satisfies Readonly<Record<string, GameObjectClass>>;

export type ComponentName = keyof typeof components;

export const buff = gameObjectClass(
  "ExileCore.PoEMemory.MemoryObjects.Buff",
  {
    Name: "String",
    DisplayName: "String",
    Description: "String",
    Charges: "Byte",
    BuffStacks: "UInt16",
    Timer: "Single",
    MaxTime: "Single",
    IsInvisible: "Boolean",
    IsRemovable: "Boolean",
  },
  { base: remoteObject, display: ({ Name }) => `Buff (${String(Name)})` },
);

const memberFields = [
  hidden("_components", "Dictionary<String, Component>"),
  hidden("_id", "UInt32?"),
  hidden("_path", "String"),
  hidden("_renderName", "String"),
];

const point = (value: unknown): readonly [number, number] => {
  if (typeof value !== "object" || value === null) return [Number.NaN, Number.NaN];
  const { X, Y } = value as { readonly X?: unknown; readonly Y?: unknown };
  return [typeof X === "number" ? X : Number.NaN, typeof Y === "number" ? Y : Number.NaN];
};

/** Distance on the ground, in grid units. */
export const distance = (a: unknown, b: unknown): number => {
  const [ax, ay] = point(a);
  const [bx, by] = point(b);
  return Math.fround(Math.hypot(ax - bx, ay - by));
};

export const entity = gameObjectClass(
  "ExileCore.PoEMemory.MemoryObjects.Entity",
  {
    Id: "UInt32",
    InventoryId: "UInt32",
    Type: "EntityType",
    League: "LeagueType",
    Rarity: "MonsterRarity",
    Metadata: "String",
    RenderName: "String",
    Version: "UInt32",
    Flags: "EntityFlags",
    IsValid: "Boolean",
    IsAlive: "Boolean",
    IsDead: "Boolean",
    IsHostile: "Boolean",
    IsTargetable: "Boolean",
    IsHidden: "Boolean",
    IsOpened: "Boolean",
    Position: "Vector3",
    PosNum: "Vector3",
    GridPosNum: "Vector2",
    Distance: "Single",
    DistancePlayer: "Single",
    Components: "Dictionary<String, Component>",
    Stats: "Dictionary<GameStat, Int32>",
    Buffs: "List<Buff>",
    Item: "Entity",
  },
  {
    base: remoteObject,
    display: ({ Id }) => `Entity (Id=${String(Id)})`,
    members: [
      member("Path", "String", {
        attributes: [{ name: "HideInReflection", args: { Reason: "cached", Milliseconds: 50 } }],
      }),
      member("Pos", "Vector3", {
        attributes: [{ name: "Obsolete", args: { Message: "Use PosNum", IsError: false } }],
        read: (owner) => (owner as { readonly PosNum?: unknown }).PosNum ?? null,
      }),
      ...memberFields,
      member("OnUpdate", "object", { kind: "event", key: null }),
    ],
    methods: [
      {
        name: "GetComponent",
        typeParameters: ["T"],
        returns: "T",
        pure: (owner, [type = ""]) => findComponent(owner, type),
      },
      {
        name: "HasComponent",
        typeParameters: ["T"],
        returns: "Boolean",
        pure: (owner, [type = ""]) => findComponent(owner, type) !== null,
      },
      {
        name: "TryGetComponent",
        typeParameters: ["T"],
        parameters: [{ name: "component", type: "object" }],
        returns: "Boolean",
      },
      pure("IsValid", "Boolean", {}, ({ IsValid }) => IsValid === true),
      pure("Distance", "Single", { other: "Entity" }, ({ GridPosNum }, [other]) =>
        typeof other === "object" && other !== null
          ? distance(GridPosNum, (other as { readonly GridPosNum?: unknown }).GridPosNum)
          : null,
      ),
      { name: "GetHudComponent", typeParameters: ["T"], returns: "T" },
      pure("ToString", "String", {}, ({ Id }) => `Entity (Id=${String(Id)})`),
    ],
  },
);

/** A component by its type's simple or full name; null when the entity has none. */
const findComponent = (owner: object, type: string): unknown => {
  const { Components } = owner as { readonly Components?: unknown };
  return Components instanceof Map ? (Components.get(type.slice(type.lastIndexOf(".") + 1)) ?? null) : null;
};
