/**
 * The simulated game world: eight roots, made from a seed, alive. Each tick moves monsters, runs buffs down, changes life and
 * writes the result into memory. Time comes from outside.
 */
import type { HostAccess, RootDefinition } from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { hostAccess, trust } from "../host/access.ts";
import type { AnyDeclaration } from "../host/declaration.ts";
import { Registry } from "../host/registry.ts";
import { buff as buffClass, component, components, entity, remoteObject, vital } from "./components.ts";
import { enums } from "./enums.ts";
import { fileTables } from "./files.ts";
import type { GameObject } from "./game-object.ts";
import { baseAddress, imageSize, MemoryImage, memoryClass } from "./memory.ts";
import { type Builder, inhabitants, makeItem, player as makePlayer, measureDistances, value } from "./population.ts";
import { type Random, seededRandom } from "./random.ts";
import * as state from "./state.ts";
import { structs } from "./structs.ts";

interface WorldOptions {
  readonly seed: number;
  /** Entities without the player; the spec's world has 1,523 in its cache. */
  readonly entities: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly limits?: Limits;
}

export interface World {
  readonly registry: Registry;
  readonly host: HostAccess;
  readonly roots: readonly RootDefinition[];
  /** Lets so many milliseconds pass. */
  tick(ms: number): void;
}

export const createWorld = (options: WorldOptions): World => {
  const random = seededRandom(options.seed);
  const memory = new MemoryImage();
  let lastId = 1_234;
  const builder: Builder = { random, memory, nextId: () => ++lastId };
  const image = memoryClass(memory, () => registry);
  const declarations: readonly AnyDeclaration[] = [
    ...enums,
    ...structs,
    ...[remoteObject, component, ...Object.values(components), vital, buffClass, entity, image].map(
      (each) => each.declaration,
    ),
    ...Object.values(state).flatMap((each) => (isGameObjectClass(each) ? [each.declaration] : [])),
  ];
  const registry: Registry = new Registry(declarations);
  const player = makePlayer(builder);
  const entities = trust([...inhabitants(builder, options.entities), player]);
  measureDistances(entities, player);
  const parts = assemble({
    builder,
    entities,
    player,
    memory: image.make({ BaseAddress: baseAddress, Size: imageSize, ProcessName: "PathOfExile_x64" }),
    now: options.now,
  });
  const ticking = new WorldTicker(random, memory, { entities, player, ...parts });
  ticking.write();
  const root = (name: string, type: string, given: unknown): RootDefinition => ({
    name,
    type: registry.type(type),
    read: () => given,
  });
  const roots = [
    root("GameController", "GameController", parts.controller),
    root("Player", "Entity", player),
    root("Entities", "ICollection<Entity>", entities),
    root("IngameState", "IngameState", parts.ingameState),
    root("IngameUi", "IngameUIElements", parts.ui),
    root("Camera", "Camera", parts.camera),
    root("Files", "FilesContainer", parts.files),
    root("Memory", "IMemory", parts.memory),
  ];
  const { limits } = options;
  const host = hostAccess({ registry, roots, now: options.now, ...(limits === undefined ? {} : { limits }) });
  return { registry, host, roots, tick: (ms) => ticking.tick(ms) };
};

const isGameObjectClass = (given: unknown): given is { readonly declaration: AnyDeclaration } =>
  typeof given === "object" && given !== null && "declaration" in given;

interface WorldParts {
  readonly controller: GameObject;
  readonly ingameState: GameObject;
  readonly ui: GameObject;
  readonly camera: GameObject;
  readonly files: GameObject;
  readonly memory: GameObject;
}

interface UserInterfaceInput {
  readonly builder: Builder;
  readonly entities: GameObject[];
  readonly player: GameObject;
  readonly memory: GameObject;
  readonly now: () => number;
}

const element = (made: GameObject, parent: GameObject | null, at: number): GameObject =>
  Object.assign(made, {
    Parent: parent,
    IsVisible: true,
    IsVisibleLocal: true,
    Position: value({ X: 40 + at * 12, Y: 30 + at * 20 }),
    Width: 120,
    Height: 24,
    Scale: 1,
    ChildCount: 0n,
    Children: [],
  });

const assemble = ({ builder, entities, player, memory, now }: UserInterfaceInput): WorldParts => {
  const { random } = builder;
  const { tables, zones } = fileTables(random);
  const files = state.files.make(tables);
  const uiRoot = element(state.element.make({ Text: "", Address: 0n }), null, 0);
  uiRoot.Root = uiRoot;
  const ui = userInterface(builder, uiRoot, entities);
  uiRoot.Children = [ui];
  uiRoot.ChildCount = 1n;
  const camera = state.camera.make({
    Address: builder.memory.allocate(640),
    Width: 1920,
    Height: 1080,
    Size: value({ X: 1920, Y: 1080 }),
    Position: player.Position,
    ZFar: 10_000,
    Matrix: Array.from({ length: 16 }, (_, at) => (at % 5 === 0 ? 1 : 0)),
  });
  const [area] = zones;
  const data = state.ingameData.make({
    Address: 0n,
    CurrentArea: area,
    CurrentAreaLevel: 68,
    CurrentAreaHash: 0x5eed1234,
    LocalPlayer: player,
    MapStats: new Map([[6, 80]]),
  });
  const ingameState = state.ingameState.make({
    Address: 0n,
    Camera: camera,
    Data: data,
    IngameUi: ui,
    UIRoot: uiRoot,
    UIHover: null,
    MousePosX: 960,
    MousePosY: 540,
    TimeInGame: 0,
    InGame: true,
    _zones: zones,
  });
  const game = state.theGame.make({
    Address: 0n,
    IsInGameState: true,
    IsLoading: false,
    AreaChangeCount: 3,
    CurrentAreaHash: 0x5eed1234,
    IngameState: ingameState,
  });
  const cache = new Map(entities.map((each) => [each.Id, each]));
  const byType = new Map<unknown, GameObject[]>();
  for (const each of entities) byType.set(each.Type, [...(byType.get(each.Type) ?? []), each]);
  const list = state.entityListWrapper.make({
    Entities: entities,
    EntitiesVersion: 1,
    Player: player,
    OnlyValidEntities: entities,
    ValidEntitiesByType: byType,
    entityCache: cache,
  });
  const controller = state.gameController.make({
    Game: game,
    Area: state.areaController.make({ CurrentArea: area, TimeEntered: new Date(now()) }),
    IngameState: ingameState,
    Files: files,
    Player: player,
    InGame: true,
    IsLoading: false,
    Memory: memory,
    EntityListWrapper: list,
    DeltaTime: 16.67,
    Entities: entities,
    Debug: new Map<string, unknown>([
      ["fps", 60],
      ["plugins", 7],
    ]),
    _entityCache: cache,
  });
  return { controller, ingameState, ui, camera, files, memory };
};

const userInterface = (builder: Builder, root: GameObject, entities: readonly GameObject[]): GameObject => {
  const ui = element(state.ingameUi.make({ Address: 0n, Text: "" }), root, 1);
  const panel = (text: string, at: number): GameObject =>
    Object.assign(element(state.element.make({ Address: 0n, Text: text }), ui, at), {
      Root: root,
      PathFromRoot: `0->${at}`,
    });
  const panels = state.panelNames.map((name, at) => panel(name, at + 2));
  state.panelNames.forEach((name, at) => {
    ui[name] = panels[at] ?? null;
  });
  const inventory = element(state.inventoryPanel.make({ Address: 0n, Text: "Inventory" }), ui, 9);
  inventory.Root = root;
  inventory.Items = Array.from({ length: 12 }, (_, at) =>
    Object.assign(element(state.inventoryItem.make({ Address: 0n }), inventory, at), {
      Item: makeItem(builder),
      InventPosX: at % 12,
      InventPosY: Math.floor(at / 12),
      Root: root,
    }),
  );
  ui.InventoryPanel = inventory;
  ui.ItemsOnGroundLabels = entities
    .filter((each) => each.Item !== null)
    .map((each, at) =>
      state.labelOnGround.make({
        Address: 0n,
        ItemOnGround: at % 17 === 3 ? null : each,
        Label: panel(String((each.Item as GameObject).RenderName), at),
        IsVisible: true,
        CanPickUp: at % 3 !== 0,
        TimeLeft: 60_000,
      }),
    );
  const children = [...panels, inventory];
  Object.assign(ui, { Children: children, ChildCount: BigInt(children.length), Root: root });
  return ui;
};

interface PopulatedWorld extends WorldParts {
  readonly entities: readonly GameObject[];
  readonly player: GameObject;
}

/** What changes from tick to tick. */
class WorldTicker {
  readonly #random: Random;
  readonly #memory: MemoryImage;
  readonly #world: PopulatedWorld;
  #elapsed = 0;

  constructor(random: Random, memory: MemoryImage, world: PopulatedWorld) {
    this.#random = random;
    this.#memory = memory;
    this.#world = world;
  }

  tick(ms: number): void {
    const { entities, player, ingameState, controller } = this.#world;
    this.#elapsed += ms;
    ingameState.TimeInGame = this.#elapsed;
    ingameState.MousePosX = this.#random.whole(0, 1919);
    controller.DeltaTime = ms;
    for (const each of entities) if (each.IsHostile === true) this.#wander(each, ms);
    for (const each of listBuffs(player)) each.Timer = Math.fround(Math.max(0, Number(each.Timer) - ms / 1000));
    this.#renew(player);
    this.#regenerate(player, ms);
    measureDistances(entities, player);
    this.write();
  }

  #wander(each: GameObject, ms: number): void {
    const at = each.GridPosNum as { readonly X: number; readonly Y: number };
    const by = ms / 100;
    const X = Math.fround(at.X + (this.#random.next() - 0.5) * by);
    const Y = Math.fround(at.Y + (this.#random.next() - 0.5) * by);
    const position = value({ X: Math.fround(X * 10.87), Y: Math.fround(Y * 10.87), Z: 0 });
    Object.assign(each, {
      GridPosNum: value({ X, Y }),
      Position: position,
      PosNum: position,
      Version: Number(each.Version) + 1,
    });
  }

  /** A buff that has run out comes back after a while, so that there is always something to see. */
  #renew(player: GameObject): void {
    for (const each of listBuffs(player)) {
      if (each.IsRemovable === true && each.Timer === 0 && this.#random.next() < 0.05) each.Timer = each.MaxTime;
    }
  }

  #regenerate(player: GameObject, ms: number): void {
    const life = player.Components instanceof Map ? player.Components.get("Life") : undefined;
    if (typeof life !== "object" || life === null) return;
    const max = Number(life.MaxHP);
    const hit = this.#random.next() < 0.1 ? this.#random.whole(50, 400) : 0;
    const current = Math.trunc(Math.max(max / 2 + 1, Math.min(max, Number(life.CurHP) + ms / 20 - hit)));
    Object.assign(life, {
      CurHP: current,
      HPPercentage: Math.fround(current / max),
      Health: value({ ...life.Health, Current: current }),
    });
  }

  /** Lays the player's entity, its life and the camera out in memory. */
  write(): void {
    const { player, camera } = this.#world;
    const memory = this.#memory;
    const at = player.Address as bigint;
    memory.uint32(at + 144n, Number(player.Id));
    memory.uint32(at + 148n, Number(player.Flags));
    const life = player.Components instanceof Map ? player.Components.get("Life") : undefined;
    if (typeof life === "object" && life !== null) {
      if (life.Address === at) life.Address = memory.allocate(640);
      memory.int64(life.Address + 8n, at);
      this.#vital(life.Address + 376n, life.Health);
      this.#vital(life.Address + 456n, life.Mana);
      this.#vital(life.Address + 512n, life.EnergyShield);
    }
    const eye = camera.Address as bigint;
    const { X, Y, Z } = camera.Position as GameObject;
    memory.single(eye + 308n, Number(X));
    memory.single(eye + 312n, Number(Y));
    memory.single(eye + 316n, Number(Z));
    memory.single(eye + 532n, Number(camera.ZFar));
    memory.int32(eye + 600n, Number(camera.Width));
    memory.int32(eye + 604n, Number(camera.Height));
  }

  /** A `VitalStruct`. */
  #vital(at: bigint, given: unknown): void {
    const { ReservedFlat, Regen, Max, Current } = given as GameObject;
    this.#memory.int32(at + 16n, Number(ReservedFlat));
    this.#memory.single(at + 40n, Number(Regen));
    this.#memory.int32(at + 44n, Number(Max));
    this.#memory.int32(at + 48n, Number(Current));
  }
}

const listBuffs = (player: GameObject): readonly GameObject[] => (Array.isArray(player.Buffs) ? player.Buffs : []);
