/**
 * The specification, line by line: every example and every row of every table, in its order, on the world that ships with the
 * service. The protocol's examples go over the wire in `test/e2e/inspector.test.ts`.
 */
import inspector from "@fairlead/contracts/inspector";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, type Name, started, stopped, type World } from "./testing/service.ts";

let world: World;
beforeAll(async () => {
  world = await started({ world: { tickMs: 0 } });
});
afterAll(() => stopped(world));

test("three tools, with the inputs and defaults of the specification", () => {
  const { explore, eval: evaluate, query, ...more } = inspector.procedures;
  // What streams is a tool nowhere; the others are kept off.
  const tools = Object.values(more).filter((each) => each.kind !== "subscription" && each.tool !== false);
  expect(tools).toEqual([]);
  expect(explore.input.parse({})).toEqual({ target: "", depth: 1, includePrivate: true, limit: 50, offset: 0 });
  expect(evaluate.input.parse({ expr: "1" })).toEqual({ expr: "1", depth: 2 });
  expect(evaluate.input.safeParse({}).success).toBe(false);
  expect(query.input.parse({ from: "Entities" })).toEqual({ from: "Entities", take: 100, skip: 0, distinct: false });
  expect(query.input.safeParse({ where: "true" }).success).toBe(false);
});

describe.each(["explore", "eval", "query"] satisfies Name[])("the contract's examples of %s", (name) => {
  test.each((inspector.procedures[name].examples ?? []).map(({ summary, input }) => [summary, input] as const))(
    "%s",
    async (_, input) => {
      expect(await ask(world, name, input)).toBeDefined();
    },
  );
});

describe("expression syntax", () => {
  test.each([
    ["Property", "Player.Position", { X: 100.5, Y: 200.3, Z: 0 }],
    ["Nested", "Player.Position.X", 100.5],
    ["Field (private)", "Player._components", expect.objectContaining({ count: 12 })],
    ["Index (int)", "Entities[0]", expect.objectContaining({ RenderName: "Hillock" })],
    ["Index (string)", 'Player.Components["Life"]', expect.objectContaining({ CurHP: 4523, MaxHP: 5120 })],
    ["Method", "Player.IsValid()", true],
    ["Method + args", "IngameState.GetZone(123)", expect.objectContaining({ Name: "The Submerged Passage" })],
    ["Generic method", "Player.GetComponent<Life>()", expect.objectContaining({ CurHP: 4523 })],
    ["Chained", "Player.GetComponent<Life>().CurHP", 4523],
    ["Null-safe", "Player?.GetComponent<Life>()?.CurHP", 4523],
    ["Index of a base's", "IngameUi[0].PathFromRoot != null", true],
    ["Index (enum)", 'Player.Stats["Life"] == Player.Stats[GameStat.Life]', true],
    ["A component's own type", 'Player.Components["Life"].CurHP / 2', 2261],
  ])("%s: %s", async (_, expr, value) => {
    expect(await ask(world, "eval", { expr })).toEqual(value);
  });
});

describe("eval's examples", () => {
  test.each([
    [{ expr: "Player.Position" }, { X: 100.5, Y: 200.3, Z: 0 }],
    [{ expr: "Player.GetComponent<Life>().CurHP" }, 4523],
    [{ expr: "GameController._entityCache", depth: 1 }, expect.objectContaining({ count: 1523 })],
    [{ expr: "Entities[0].RenderName" }, "Hillock"],
    [{ expr: "IngameState.IngameUi.InventoryPanel.Items[0].Item.Path" }, expect.stringMatching(/^Metadata\/Items\//)],
    [{ expr: "Player.GetComponent<Life>().HPPercentage > 0.5" }, true],
  ])("%j", async (input, value) => {
    expect(await ask(world, "eval", input)).toEqual(value);
  });
});

describe("Dynamic LINQ features", () => {
  const one = async (where: string, select = "Id"): Promise<unknown> => {
    const answer = await ask(world, "query", { from: "Entities", where, select, take: 1 });
    return (answer as { readonly rows: readonly unknown[] }).rows[0];
  };
  test.each([
    ["Comparison ==", "Id == 1234"],
    ["Comparison !=", "Id != 1 && Id == 1234"],
    ["Comparison <", "Id < 1235 && Id > 1233"],
    ["Comparison <= >=", "Id <= 1234 && Id >= 1234"],
    ["Logical", "!(Id != 1234) && (false || Id == 1234)"],
    ["String", 'Id == 1234 && Path.Contains("a") && Path.StartsWith("Metadata") && !Path.EndsWith("nothing")'],
    ["Null check", "Id == 1234 && Path != null && !(Path == null)"],
    ["Arithmetic", "Id + 2 * 3 - 8 / 4 % 3 == 1238"],
    ["Conditional ?:", "Id == 1234 ? true : false"],
    ["Conditional iif", "iif(Id == 1234, true, false)"],
    ["Type check is", "Id == 1234 && it is Entity"],
    ["Type check as", "Id == 1234 && (it as Entity) != null"],
    ["Property", "it.Id == 1234"],
    ["Method ToString", 'Id.ToString() == "1234"'],
    [
      "Method ToString of an object and of a struct",
      'Id == 1234 && ToString() == "Entity (Id=1234)" && Position.ToString().EndsWith("Vector3")',
    ],
    ["Method GetHashCode", "Id == 1234 && Id.GetHashCode() == 1234"],
    [
      "Null-safe",
      "Id == 1234 && np(GetComponent<Life>().CurHP, 0) == 4523 && np(GetComponent<Chest>().IsOpened, true)",
    ],
  ])("%s: %s", async (_, where) => {
    expect(await one(where)).toBe(1234);
  });
  test.each([
    ["new { Id, Type }", { Id: 1234, Type: "Player" }],
    ["new { Name = it.Id }", { Name: 1234 }],
    ["new { GetComponent<Life>().CurHP }", { CurHP: 4523 }],
  ])("New object: %s", async (select, row) => {
    expect(await one("Id == 1234", select)).toEqual(row);
  });
});

describe("root objects", () => {
  test.each(["GameController", "Player", "Entities", "IngameState", "IngameUi", "Camera", "Files", "Memory"])(
    "%s is there for explore and eval",
    async (root) => {
      expect(await ask(world, "explore", { target: root })).toMatchObject({ path: root });
      expect(await ask(world, "eval", { expr: `${root} != null` })).toBe(true);
    },
  );
});

describe("explore's examples", () => {
  test("components, two levels deep", async () => {
    const answer = await ask(world, "explore", { target: "Player.Components", depth: 2 });
    expect(answer).toMatchObject({
      count: 12,
      items: expect.arrayContaining([
        expect.objectContaining({
          key: "Life",
          expr: 'Player.Components["Life"]',
          members: expect.arrayContaining([expect.objectContaining({ name: "CurHP", value: 4523 })]),
        }),
      ]),
    });
  });
  test("a specific type: fields, properties, methods, private ones too", async () => {
    const target = "type:ExileCore.PoEMemory.Components.Life";
    const all = await ask(world, "explore", { target });
    expect(all).toMatchObject({ type: target.slice(5), kind: "class", base: expect.stringContaining("Component") });
    expect(all).toMatchObject({
      members: expect.arrayContaining([
        expect.objectContaining({ name: "CurHP", type: "Int32", access: "public" }),
        expect.objectContaining({ name: "Owner", type: "Entity" }),
        expect.objectContaining({ name: "Address", type: "Int64" }),
      ]),
      methods: expect.arrayContaining([expect.objectContaining({ name: "DumpObject", access: "public" })]),
    });
    const entity = (await ask(world, "explore", { target: "type:Entity" })) as {
      readonly members: readonly { readonly access: string }[];
    };
    expect(entity.members.some(({ access }) => access === "private")).toBe(true);
  });
  test("types and members by pattern", async () => {
    expect(await ask(world, "explore", { target: "search:*Monster*" })).toMatchObject({
      types: expect.arrayContaining([expect.objectContaining({ target: expect.stringMatching(/MonsterRarity$/) })]),
    });
  });
  test("types by pattern alone", async () => {
    const found = await ask(world, "explore", { target: "type:GameOffsets.*camera*" });
    expect(found).toMatchObject({ count: 1, types: [{ target: "type:GameOffsets.CameraOffsets" }], members: [] });
    expect(await ask(world, "explore", { target: "type:*Offsets" })).toMatchObject({ members: [], count: 5 });
  });
  test("an element, two levels deep", async () => {
    expect(await ask(world, "explore", { target: "Entities[0]", depth: 2 })).toMatchObject({
      path: "Entities[0]",
      type: "ExileCore.PoEMemory.MemoryObjects.Entity",
      members: expect.arrayContaining([expect.objectContaining({ name: "RenderName", value: "Hillock" })]),
    });
  });
  test("an enum", async () => {
    expect(await ask(world, "explore", { target: "type:MonsterRarity" })).toMatchObject({
      kind: "enum",
      values: { White: 0, Magic: 1, Rare: 2, Unique: 3, Error: 10000 },
    });
  });
  test("attributes of the host's own", async () => {
    expect(await ask(world, "explore", { target: "type:Entity" })).toMatchObject({
      members: expect.arrayContaining([
        expect.objectContaining({
          name: "Path",
          attributes: [{ name: "HideInReflection", args: { Reason: "cached", Milliseconds: 50 } }],
        }),
      ]),
    });
  });
});

describe("query, as the specification asks", () => {
  test("all monsters", async () => {
    const answer = await ask(world, "query", {
      from: "Entities",
      where: 'Type.ToString() == "Monster"',
      select: "new { Id, RenderName, Position }",
      take: 20,
    });
    expect(answer).toMatchObject({
      count: 20,
      more: true,
      rows: expect.arrayContaining([
        { Id: expect.any(Number), RenderName: "Hillock", Position: { X: 217.4, Y: 108.7, Z: 0 } },
      ]),
    });
  });
  test("rare items on the ground", async () => {
    const answer = (await ask(world, "query", {
      from: "IngameState.IngameUi.ItemsOnGroundLabels",
      where: "ItemOnGround != null && ItemOnGround.Item.Rarity >= 2",
      select: "new { ItemOnGround.Item.Path, ItemOnGround.Item.Rarity, Label.GetClientRect() }",
    })) as { readonly rows: readonly { readonly Rarity: string }[] };
    expect(answer.rows.length).toBeGreaterThan(10);
    expect(new Set(answer.rows.map(({ Rarity }) => Rarity))).toEqual(new Set(["Rare", "Unique"]));
    expect(answer.rows[0]).toMatchObject({ GetClientRect: { Width: 120, Height: 24 } });
  });
  test("buffs by time remaining", async () => {
    const answer = (await ask(world, "query", {
      from: "Player.GetComponent<Buffs>().BuffsList",
      where: "Timer > 0",
      select: "new { Name, Timer, Charges }",
      orderBy: "Timer desc",
    })) as {
      readonly rows: unknown;
    };
    expect(answer.rows).toEqual([
      { Name: "onslaught", Timer: 9.75, Charges: 3 },
      { Name: "flask_effect_life", Timer: 4.2, Charges: 1 },
      { Name: "grace_period", Timer: 1.5, Charges: 0 },
    ]);
  });
  test("a select of one text is also counted, and so is groupBy", async () => {
    const counted = (await ask(world, "query", { from: "Entities", select: "Type.ToString()" })) as {
      readonly rows: readonly unknown[];
      readonly counts: readonly unknown[];
      readonly note: string;
    };
    expect(counted.rows).toHaveLength(100);
    expect(counted.counts[0]).toMatchObject({ value: "Monster" });
    expect(counted.note).toMatch(/raise take/);
    const groups = await ask(world, "query", { from: "Entities", groupBy: "Type", orderBy: "Count() desc", take: 1 });
    expect(groups).toMatchObject({
      rows: [{ Key: "Monster", Count: (counted.counts[0] as { readonly count: number }).count }],
      more: true,
    });
  });
  test("near the player, nearest first", async () => {
    const answer = (await ask(world, "query", {
      from: "Entities",
      where: "Distance < 50 && IsHostile",
      orderBy: "Distance",
      take: 10,
    })) as { readonly rows: readonly { readonly Distance: number }[] };
    const distances = answer.rows.map(({ Distance }) => Distance);
    expect(distances.length).toBeGreaterThan(0);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
  });
  test("portals", async () => {
    const answer = (await ask(world, "query", { from: "Entities", where: 'Path.Contains("Portal")' })) as {
      readonly rows: readonly { readonly Path: string }[];
    };
    expect(answer.rows.every(({ Path }) => Path.includes("Portal"))).toBe(true);
    expect(answer.rows.length).toBeGreaterThan(0);
  });
  test("Player.Components.Values", async () => {
    expect(await ask(world, "query", { from: "Player.Components.Values", select: "ToString()" })).toMatchObject({
      count: 12,
    });
  });
});

describe("explore, as the specification answers", () => {
  test("the eight roots in their order", async () => {
    const answer = (await ask(world, "explore", {})) as { readonly members: readonly { readonly name: string }[] };
    expect(answer.members.map(({ name }) => name)).toEqual([
      "GameController",
      "Player",
      "Entities",
      "IngameState",
      "IngameUi",
      "Camera",
      "Files",
      "Memory",
    ]);
  });
  test("Player", async () => {
    expect(await ask(world, "explore", { target: "Player", depth: 1 })).toMatchObject({
      path: "Player",
      type: "ExileCore.PoEMemory.MemoryObjects.Entity",
      value: "Entity (Id=1234)",
      members: expect.arrayContaining([
        { name: "Id", kind: "property", type: "UInt32", value: 1234, access: "public", expr: "Player.Id" },
        {
          name: "Position",
          kind: "property",
          type: "Vector3",
          value: { X: 100.5, Y: 200.3, Z: 0 },
          access: "public",
          expr: "Player.Position",
        },
        {
          name: "_components",
          kind: "field",
          type: "Dictionary<String, Component>",
          count: 12,
          access: "private",
          expr: "Player._components",
        },
      ]),
      methods: expect.arrayContaining([
        { name: "GetComponent<T>", signature: "T GetComponent<T>()", access: "public", callable: true },
      ]),
    });
  });
  test("private members can be left out", async () => {
    const answer = (await ask(world, "explore", { target: "Player", includePrivate: false })) as {
      readonly members: readonly { readonly name: string }[];
    };
    expect(answer.members.some(({ name }) => name.startsWith("_"))).toBe(false);
  });
  test("a struct with its layout", async () => {
    expect(await ask(world, "explore", { target: "type:ActorAnimationStageOffsets" })).toMatchObject({
      type: "GameOffsets.ActorAnimationStageOffsets",
      kind: "struct",
      attributes: [{ name: "StructLayout", args: { LayoutKind: "Explicit", Pack: 1 } }],
      size: 56,
      members: [
        {
          name: "StageStart",
          kind: "field",
          type: "Single",
          offset: "0x4",
          attributes: [{ name: "FieldOffset", args: { offset: "0x4" } }],
        },
        { name: "ActorAnimationListIndex", type: "Int32", offset: "0x8" },
        { name: "StageName", type: "NativeUtf8Text", offset: "0x18" },
      ],
    });
  });
  test("attributes: Obsolete, MarshalAs, Flags", async () => {
    expect(await ask(world, "explore", { target: "type:Entity" })).toMatchObject({
      members: expect.arrayContaining([
        expect.objectContaining({
          name: "Pos",
          attributes: [{ name: "Obsolete", args: { Message: "Use PosNum", IsError: false } }],
        }),
      ]),
    });
    expect(await ask(world, "explore", { target: "type:FixedName" })).toMatchObject({
      size: 36,
      attributes: [{ name: "StructLayout", args: { LayoutKind: "Sequential", CharSet: "Ansi" } }],
      members: [
        { offset: "0x0" },
        { offset: "0x4", attributes: [{ name: "MarshalAs", args: { UnmanagedType: "ByValTStr", SizeConst: 32 } }] },
      ],
    });
    expect(await ask(world, "explore", { target: "type:ActionFlags" })).toMatchObject({
      kind: "enum",
      attributes: [{ name: "Flags" }],
      values: { Moving: 128 },
    });
  });
  test("searches", async () => {
    expect(await ask(world, "explore", { target: "search:*Offsets" })).toMatchObject({ count: 5, members: [] });
    expect(await ask(world, "explore", { target: "search:CurHP" })).toMatchObject({
      members: [{ type: "ExileCore.PoEMemory.Components.Life", name: "CurHP" }],
    });
  });
  test("searches are paged, types before members", async () => {
    const hits = async (offset: number, limit: number): Promise<readonly unknown[]> => {
      const found = await ask(world, "explore", { target: "search:*Monster*", offset, limit });
      expect(found).toMatchObject({ count: 5, ...(offset + limit < 5 ? { more: 5 - offset - limit } : {}) });
      const { types, members } = found as Readonly<Record<"types" | "members", readonly unknown[]>>;
      return [...types, ...members];
    };
    const all = await hits(0, 50);
    expect(all).toHaveLength(5);
    expect([...(await hits(0, 2)), ...(await hits(2, 2)), ...(await hits(4, 2))]).toEqual(all);
    expect(await hits(9, 2)).toEqual([]);
  });
  test("collections are paged; cycles are references by path", async () => {
    expect(await ask(world, "explore", { target: "Entities", limit: 2, offset: 3 })).toMatchObject({
      count: 1523,
      items: [{ index: 3, expr: "Entities[3]" }, { index: 4 }],
      more: 1518,
    });
    const cyclic = (await ask(world, "explore", { target: 'Player.Components["Life"]', depth: 3 })) as {
      readonly members: readonly { readonly name: string; readonly members?: readonly unknown[] }[];
    };
    const owner = cyclic.members.find(({ name }) => name === "Owner");
    expect(JSON.stringify(owner)).toContain('"ref":"Player.Components[\\"Life\\"]"');
  });
});
