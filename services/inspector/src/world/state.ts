/** Everything of the simulated game that is not an entity: controller, state, user interface, camera, files, memory. */
import { member } from "../host/declaration.ts";
import { remoteObject } from "./components.ts";
import { type GameObjectClass, gameObjectClass, hidden, pure } from "./game-object.ts";

const memory = "ExileCore.PoEMemory.MemoryObjects";

const remote = (
  name: string,
  types: Readonly<Record<string, string>>,
  more: Parameters<typeof gameObjectClass>[2] = {},
): GameObjectClass => gameObjectClass(`${memory}.${name}`, types, { base: remoteObject, display: () => name, ...more });

export const worldArea = remote(
  "WorldArea",
  { Id: "Int32", Name: "String", Act: "Int32", IsTown: "Boolean", HasWaypoint: "Boolean", AreaLevel: "Int32" },
  {
    display: ({ Name }) => `WorldArea (${String(Name)})`,
  },
);

export const element: GameObjectClass = remote(
  "Element",
  {
    Parent: "Element",
    Root: "Element",
    Children: "List<Element>",
    ChildCount: "Int64",
    Text: "String",
    IsVisible: "Boolean",
    IsVisibleLocal: "Boolean",
    Position: "Vector2",
    Width: "Single",
    Height: "Single",
    Scale: "Single",
    Tooltip: "Element",
    Entity: "Entity",
    PathFromRoot: "String",
  },
  {
    // The game's own constant: where the children of an element begin.
    members: [member("OffsetBuffers", "Int32", { kind: "field", isStatic: true, read: () => 0x6ec })],
    methods: [
      pure("GetClientRect", "RectangleF", {}, ({ Position, Width, Height }) => {
        const { X = 0, Y = 0 } = (Position ?? {}) as { readonly X?: number; readonly Y?: number };
        return Object.assign(Object.create(null), { X, Y, Width, Height });
      }),
      pure("GetChildAtIndex", "Element", { index: "Int32" }, ({ Children }, [index]) => childAt(Children, index)),
    ],
    indexer: {
      key: "Int32",
      type: "Element",
      read: (owner, index) => childAt((owner as { readonly Children?: unknown }).Children, index),
    },
  },
);

const childAt = (children: unknown, index: unknown): unknown =>
  Array.isArray(children) && typeof index === "number" ? (children[index] ?? null) : null;

export const labelOnGround = remote("LabelOnGround", {
  ItemOnGround: "Entity",
  Label: "Element",
  IsVisible: "Boolean",
  CanPickUp: "Boolean",
  TimeLeft: "TimeSpan",
});

export const inventoryItem = remote(
  "NormalInventoryItem",
  { Item: "Entity", InventPosX: "Int32", InventPosY: "Int32" },
  { base: element },
);
export const inventoryPanel = remote("InventoryElement", { Items: "List<NormalInventoryItem>" }, { base: element });

const panels = ["StashElement", "SkillBar", "ChatPanel", "NpcDialog", "Atlas", "TreePanel", "Map"] as const;

export const ingameUi = remote(
  "IngameUIElements",
  {
    ...Object.fromEntries(panels.map((panel) => [panel, "Element"])),
    InventoryPanel: "InventoryElement",
    ItemsOnGroundLabels: "IList<LabelOnGround>",
  },
  { base: element },
);
export const panelNames: readonly string[] = panels;

export const camera = remote(
  "Camera",
  { Width: "Int32", Height: "Int32", Size: "Vector2", Position: "Vector3", ZFar: "Single" },
  {
    members: [hidden("Matrix", "Single[]")],
    methods: [
      pure("WorldToScreen", "Vector2", { position: "Vector3" }, ({ Width, Height, Position }, [at]) => {
        const from = (Position ?? {}) as { readonly X?: number; readonly Y?: number };
        const to = (at ?? {}) as { readonly X?: number; readonly Y?: number };
        const scale = 0.8;
        const x = Number(Width) / 2 + ((to.X ?? 0) - (from.X ?? 0)) * scale;
        const y = Number(Height) / 2 - ((to.Y ?? 0) - (from.Y ?? 0)) * scale;
        return Object.assign(Object.create(null), { X: x, Y: y });
      }),
    ],
  },
);

export const ingameData = remote("IngameData", {
  CurrentArea: "WorldArea",
  CurrentAreaLevel: "Int32",
  CurrentAreaHash: "UInt32",
  LocalPlayer: "Entity",
  MapStats: "Dictionary<GameStat, Int32>",
});

export const ingameState = remote(
  "IngameState",
  {
    Camera: "Camera",
    Data: "IngameData",
    IngameUi: "IngameUIElements",
    UIRoot: "Element",
    UIHover: "Element",
    MousePosX: "Int32",
    MousePosY: "Int32",
    TimeInGame: "TimeSpan",
    InGame: "Boolean",
  },
  {
    members: [hidden("_zones", "List<WorldArea>")],
    methods: [
      pure("GetZone", "WorldArea", { id: "Int32" }, ({ _zones }, [id]) =>
        Array.isArray(_zones) ? (_zones.find((zone: { readonly Id?: unknown }) => zone.Id === id) ?? null) : null,
      ),
    ],
  },
);

export const theGame = remote("TheGame", {
  IsInGameState: "Boolean",
  IsLoading: "Boolean",
  AreaChangeCount: "Int32",
  CurrentAreaHash: "UInt32",
  IngameState: "IngameState",
});

export const fileInformation = gameObjectClass("ExileCore.PoEMemory.FilesInMemory.FileInformation", {
  Ptr: "Int64",
  ChangeCount: "Int32",
  Size: "Int64",
});
export const baseItemType = gameObjectClass("ExileCore.PoEMemory.Models.BaseItemType", {
  Metadata: "String",
  ClassName: "String",
  BaseName: "String",
  Width: "Int32",
  Height: "Int32",
  DropLevel: "Int32",
  Tags: "List<String>",
});

export const monsterVariety = gameObjectClass("ExileCore.PoEMemory.FilesInMemory.MonsterVariety", {
  VarietyId: "String",
  MonsterName: "String",
  LifeMultiplier: "Int32",
  ExperienceMultiplier: "Int32",
});

export const files = gameObjectClass("ExileCore.PoEMemory.FilesInMemory.FilesContainer", {
  BaseItemTypes: "Dictionary<String, BaseItemType>",
  WorldAreas: "List<WorldArea>",
  MonsterVarieties: "List<MonsterVariety>",
  Tags: "List<String>",
  AllFiles: "Dictionary<String, FileInformation>",
});

export const entityListWrapper = gameObjectClass(
  "ExileCore.EntityListWrapper",
  {
    Entities: "ICollection<Entity>",
    EntitiesVersion: "UInt32",
    Player: "Entity",
    OnlyValidEntities: "List<Entity>",
    ValidEntitiesByType: "Dictionary<EntityType, List<Entity>>",
  },
  {
    members: [
      hidden("entityCache", "Dictionary<UInt32, Entity>"),
      member("EntityAdded", "object", { kind: "event", key: null }),
    ],
    methods: [
      { name: "GetEntityById", isStatic: true, returns: "Entity", parameters: [{ name: "id", type: "UInt32" }] },
    ],
  },
);

export const areaController = gameObjectClass("ExileCore.AreaController", {
  CurrentArea: "WorldArea",
  TimeEntered: "DateTime",
});

export const gameController = gameObjectClass(
  "ExileCore.GameController",
  {
    Game: "TheGame",
    Area: "AreaController",
    IngameState: "IngameState",
    Files: "FilesContainer",
    Player: "Entity",
    InGame: "Boolean",
    IsLoading: "Boolean",
    Memory: "IMemory",
    EntityListWrapper: "EntityListWrapper",
    DeltaTime: "Double",
    Entities: "ICollection<Entity>",
    Debug: "Dictionary<String, object>",
  },
  {
    display: () => "GameController",
    members: [hidden("_entityCache", "Dictionary<UInt32, Entity>")],
    methods: [
      { name: "Tick", returns: "Boolean" },
      { name: "Dispose", returns: "Boolean" },
    ],
  },
);
