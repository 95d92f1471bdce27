/** The service at its edge, with its real worker: every example of the specification, errors with their place, limits, recovery. */
import { decoder, FairleadError, type HandlerInput } from "@fairlead/contracts";
import inspector from "@fairlead/contracts/inspector";
import type { Host, Running } from "@fairlead/kernel/service";
import { Effect, Exit, Scope } from "effect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import service from "./service.ts";

type Procedures = (typeof inspector)["procedures"];
type Name = keyof Procedures;

const host = (config: unknown): Host => ({
  config,
  env: {},
  stateDir: () => "",
  log: () => undefined,
  event: () => undefined,
  events: () => (async function* none() {})(),
  peer: () => {
    throw new Error("no peers here");
  },
});

const started = async (
  config: unknown,
): Promise<{ readonly running: Running<typeof inspector>; readonly scope: Scope.Closeable }> => {
  const scope = Scope.makeUnsafe();
  const running = service.start(host(config));
  if (!Effect.isEffect(running)) throw new Error("the service starts as an effect");
  return { scope, running: await Effect.runPromise(Scope.provide(running, scope)) };
};

let world: Awaited<ReturnType<typeof started>>;
beforeAll(async () => {
  world = await started({ world: { tickMs: 0 } });
});
afterAll(async () => {
  await Effect.runPromise(Scope.close(world.scope, Exit.void));
});

const call = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  principal: { id: "test", access: ["read"] },
  traceparent: "",
  lastEventId: undefined,
  progress: () => undefined,
  fail: (reason: string, text: { readonly message: string; readonly hint?: string }, data?: unknown) =>
    new FairleadError({ code: "invalid_argument", reason, data, ...text }),
} as const;

/** Decodes as dispatch does, calls the handler, and checks the output as dispatch does. */
const ask = async <N extends Name>(name: N, input: unknown, running = world.running): Promise<unknown> => {
  const { procedures } = inspector;
  const decoded = decoder<HandlerInput<Procedures[N]>>(procedures[name].input)(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  const handlers = typeof running.handlers === "function" ? await running.handlers() : running.handlers;
  const handler = handlers[name] as (input: unknown, call: unknown) => Promise<unknown>;
  const answer = await handler(decoded.value, call);
  expect(decoder(procedures[name].output)(answer)).toMatchObject({ ok: true });
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  return answer;
};

const failed = async (name: Name, input: unknown): Promise<FairleadError> => {
  try {
    await ask(name, input);
  } catch (error) {
    if (error instanceof FairleadError) return error;
    throw error;
  }
  return expect.unreachable("it answered");
};

describe.each(Object.keys(inspector.procedures) as Name[])("%s", (name) => {
  test.each((inspector.procedures[name].examples ?? []).map(({ summary, input }) => [summary, input] as const))(
    "%s",
    async (_, input) => {
      expect(await ask(name, input)).toBeDefined();
    },
  );
});

describe("eval, as the specification answers", () => {
  test.each([
    ["Player.Position", { X: 100.5, Y: 200.3, Z: 0 }],
    ["Player.Position.X", 100.5],
    ["Player.GetComponent<Life>().CurHP", 4523],
    ["Player?.GetComponent<Life>()?.CurHP", 4523],
    ["Entities[0].RenderName", "Hillock"],
    ["IngameState.IngameUi.InventoryPanel.Items[0].Item.Path", expect.stringMatching(/^Metadata\/Items\//)],
    ["Player.GetComponent<Life>().HPPercentage > 0.5", true],
    ['Player.Components["Life"].MaxHP', 5120],
    ["Player.IsValid()", true],
    ["IngameState.GetZone(123).Name", "The Submerged Passage"],
    ["Player._components.Count", 12],
    ["Memory.Read<VitalStruct>(Player.GetComponent<Life>().Address + 376).Current", 4523],
  ])("%s", async (expr, value) => {
    expect(await ask("eval", { expr })).toEqual(value);
  });

  test("GameController._entityCache is counted", async () => {
    expect(await ask("eval", { expr: "GameController._entityCache", depth: 1 })).toMatchObject({
      count: 1523,
      more: 1473,
    });
  });
});

describe("query, as the specification asks", () => {
  test("all monsters", async () => {
    const answer = await ask("query", {
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
    const answer = (await ask("query", {
      from: "IngameState.IngameUi.ItemsOnGroundLabels",
      where: "ItemOnGround != null && ItemOnGround.Item.Rarity >= 2",
      select: "new { ItemOnGround.Item.Path, ItemOnGround.Item.Rarity, Label.GetClientRect() }",
    })) as { readonly rows: readonly { readonly Rarity: string }[] };
    expect(answer.rows.length).toBeGreaterThan(10);
    expect(new Set(answer.rows.map(({ Rarity }) => Rarity))).toEqual(new Set(["Rare", "Unique"]));
    expect(answer.rows[0]).toMatchObject({ GetClientRect: { Width: 120, Height: 24 } });
  });
  test("buffs by time remaining", async () => {
    const answer = (await ask("query", {
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
    const counted = (await ask("query", { from: "Entities", select: "Type.ToString()" })) as {
      readonly rows: readonly unknown[];
      readonly counts: readonly unknown[];
      readonly note: string;
    };
    expect(counted.rows).toHaveLength(100);
    expect(counted.counts[0]).toMatchObject({ value: "Monster" });
    expect(counted.note).toMatch(/raise take/);
    const groups = await ask("query", { from: "Entities", groupBy: "Type", orderBy: "Count() desc", take: 1 });
    expect(groups).toMatchObject({
      rows: [{ Key: "Monster", Count: (counted.counts[0] as { readonly count: number }).count }],
      more: true,
    });
  });
  test("near the player, nearest first", async () => {
    const answer = (await ask("query", {
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
    const answer = (await ask("query", { from: "Entities", where: 'Path.Contains("Portal")' })) as {
      readonly rows: readonly { readonly Path: string }[];
    };
    expect(answer.rows.every(({ Path }) => Path.includes("Portal"))).toBe(true);
    expect(answer.rows.length).toBeGreaterThan(0);
  });
  test("Player.Components.Values", async () => {
    expect(await ask("query", { from: "Player.Components.Values", select: "ToString()" })).toMatchObject({ count: 12 });
  });
});

describe("explore, as the specification answers", () => {
  test("the eight roots in their order", async () => {
    const answer = (await ask("explore", {})) as { readonly members: readonly { readonly name: string }[] };
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
    expect(await ask("explore", { target: "Player", depth: 1 })).toMatchObject({
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
    const answer = (await ask("explore", { target: "Player", includePrivate: false })) as {
      readonly members: readonly { readonly name: string }[];
    };
    expect(answer.members.some(({ name }) => name.startsWith("_"))).toBe(false);
  });
  test("a struct with its layout", async () => {
    expect(await ask("explore", { target: "type:ActorAnimationStageOffsets" })).toMatchObject({
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
    expect(await ask("explore", { target: "type:Entity" })).toMatchObject({
      members: expect.arrayContaining([
        expect.objectContaining({
          name: "Pos",
          attributes: [{ name: "Obsolete", args: { Message: "Use PosNum", IsError: false } }],
        }),
      ]),
    });
    expect(await ask("explore", { target: "type:FixedName" })).toMatchObject({
      size: 36,
      attributes: [{ name: "StructLayout", args: { LayoutKind: "Sequential", CharSet: "Ansi" } }],
      members: [
        { offset: "0x0" },
        { offset: "0x4", attributes: [{ name: "MarshalAs", args: { UnmanagedType: "ByValTStr", SizeConst: 32 } }] },
      ],
    });
    expect(await ask("explore", { target: "type:ActionFlags" })).toMatchObject({
      kind: "enum",
      attributes: [{ name: "Flags" }],
      values: { Moving: 128 },
    });
  });
  test("searches", async () => {
    expect(await ask("explore", { target: "search:*Offsets" })).toMatchObject({ count: 5, members: [] });
    expect(await ask("explore", { target: "search:CurHP" })).toMatchObject({
      members: [{ type: "ExileCore.PoEMemory.Components.Life", name: "CurHP" }],
    });
  });
  test("collections are paged; cycles are references by path", async () => {
    expect(await ask("explore", { target: "Entities", limit: 2, offset: 3 })).toMatchObject({
      count: 1523,
      items: [{ index: 3, expr: "Entities[3]" }, { index: 4 }],
      more: 1518,
    });
    const cyclic = (await ask("explore", { target: 'Player.Components["Life"]', depth: 3 })) as {
      readonly members: readonly { readonly name: string; readonly members?: readonly unknown[] }[];
    };
    const owner = cyclic.members.find(({ name }) => name === "Owner");
    expect(JSON.stringify(owner)).toContain('"ref":"Player.Components[\\"Life\\"]"');
  });
});

describe("errors", () => {
  test.each([
    ["eval", { expr: "Player.GetComponent<Lief>()" }, "expr", "unknown_type", 20, /'Life'/],
    ["eval", { expr: "Playr" }, "expr", "unknown_name", 0, /'Player'/],
    ["eval", { expr: "GameController.Tick()" }, "expr", "not_readable", 15, /effects/],
    ["query", { from: "Entities", where: "Distnce < 50" }, "where", "unknown_member", 0, /'Distance'/],
    ["query", { from: "Entities", where: "Distance" }, "where", "not_boolean", 0, undefined],
    ["query", { from: "Entities", select: "new { Id + 1 }" }, "select", "missing_as", 6, /as SomeName/],
    ["query", { from: "Entities", orderBy: "Rarity desc, RenderNme" }, "orderBy", "unknown_member", 13, /did you mean/],
    ["query", { from: "Entities", where: "Item.Path != null" }, "where", "null_reference", 5, /\?\./],
    ["query", { from: "Player" }, "from", "not_a_collection", 0, undefined],
    ["explore", { target: "type:Lief" }, "target", "unknown_type", 5, /'Life'/],
  ] as const)("%s %j", async (name, input, part, problem, position, hint) => {
    const error = await failed(name, input);
    expect(error.reason).toBe("bad_expression");
    expect(error.data).toMatchObject({ part, problem, position });
    expect(error.message).toContain("^");
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  });

  test("a question that costs too much says so", async () => {
    const error = await failed("query", {
      from: "Entities",
      where: "GameController.Entities.Any(GameController.Entities.Any(Id < 0))",
    });
    expect(error.reason).toBe("too_expensive");
    expect(error.data).toMatchObject({ problem: "fuel_exhausted", part: "where" });
  });

  test("a wrong configuration is told at the start", async () => {
    await expect(started({ limits: { depth: 0 } })).rejects.toThrow(/limits\.depth/);
  });
});

test("the world is alive when it ticks, and the same seed makes the same world", async () => {
  const ticking = await started({ world: { tickMs: 5 } });
  try {
    const first = await ask("eval", { expr: "IngameState.TimeInGame.TotalMilliseconds" }, ticking.running);
    await expect
      .poll(() => ask("eval", { expr: "IngameState.TimeInGame.TotalMilliseconds" }, ticking.running), {
        timeout: 20_000,
      })
      .not.toBe(first);
    expect(await ask("eval", { expr: "Entities[7].Id" }, ticking.running)).toBe(
      await ask("eval", { expr: "Entities[7].Id" }),
    );
  } finally {
    await Effect.runPromise(Scope.close(ticking.scope, Exit.void));
  }
});

test("a worker that is lost is replaced", async () => {
  const short = await started({ world: { tickMs: 0, entities: 20 }, limits: { wallMs: 1 } });
  try {
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => ask("eval", { expr: "Player.Id" }, short.running)),
    );
    expect(answers.some(({ status }) => status === "fulfilled")).toBe(true);
  } finally {
    await Effect.runPromise(Scope.close(short.scope, Exit.void));
  }
});
