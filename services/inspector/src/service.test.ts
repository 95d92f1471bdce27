/** The service at its edge, with its real worker: errors with their place, limits, recovery, and no other caller waits. */
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspect } from "./host.ts";
import { ask, failed, started, stopped, type World } from "./testing/service.ts";

let world: World;
beforeAll(async () => {
  world = await started({ world: { tickMs: 0 } });
});
afterAll(() => stopped(world));

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
    const error = await failed(world, name, input);
    expect(error.reason).toBe("bad_expression");
    expect(error.data).toMatchObject({ part, problem, position });
    expect(error.message).toContain("^");
    if (hint !== undefined) expect(error.hint).toMatch(hint);
  });

  test("a question that costs too much says so", async () => {
    const error = await failed(world, "query", {
      from: "Entities",
      where: "GameController.Entities.Any(GameController.Entities.Any(Id < 0))",
    });
    expect(error.reason).toBe("too_expensive");
    expect(error.data).toMatchObject({ problem: "fuel_exhausted", part: "where" });
  });
});

test("the world is alive when it ticks, and the same seed makes the same world", async () => {
  const ticking = await started({ world: { tickMs: 5 } });
  try {
    const first = await ask(ticking, "eval", { expr: "IngameState.TimeInGame.TotalMilliseconds" });
    await expect.poll(() => ask(ticking, "eval", { expr: "IngameState.TimeInGame.TotalMilliseconds" })).not.toBe(first);
    expect(await ask(ticking, "eval", { expr: "Entities[7].Id" })).toBe(
      await ask(world, "eval", { expr: "Entities[7].Id" }),
    );
  } finally {
    await stopped(ticking);
  }
});

describe("other sources", () => {
  test("this process, when a program in it called inspect", async () => {
    const here = await started({ source: { kind: "registered" } });
    try {
      const absent = await failed(here, "eval", { expr: "1" });
      expect(absent).toMatchObject({ reason: "not_reachable", message: expect.stringContaining("inspect(") });
      const game = inspect({ Player: { hp: 12 }, Entities: [{ id: 1 }, { id: 2 }] });
      expect(await ask(here, "eval", { expr: "Player.hp + Entities.Count" })).toBe(14);
      expect((await failed(here, "eval", { expr: "Playr" })).reason).toBe("bad_expression");
      game.close();
      expect((await failed(here, "eval", { expr: "1" })).reason).toBe("not_reachable");
    } finally {
      await stopped(here);
    }
  });

  test("another process that is not there", async () => {
    const there = await started({ source: { kind: "process", address: "127.0.0.1:1", roots: { A: "a" } } });
    try {
      expect((await failed(there, "eval", { expr: "A" })).reason).toBe("not_reachable");
      expect((await failed(there, "eval", { expr: "B" })).data).toMatchObject({ problem: "unknown_name" });
    } finally {
      await stopped(there);
    }
  });
});

test("a question without an end and a busy world make no other caller wait", async () => {
  const limits = { wallMs: 600_000, fuelPerRow: 1_000_000_000, fuelPerQuery: 10_000_000_000 };
  const busy = await started({ world: { tickMs: 5 }, limits });
  await ask(busy, "eval", { expr: "Player.Id" });
  const events: string[] = [];
  const all = "GameController.Entities";
  const endless = failed(busy, "query", { from: "Entities", where: `${all}.Any(${all}.Any(${all}.Any(Id < 0)))` }).then(
    ({ message }) => events.push(message),
  );
  for (let at = 0; at < 100; at++) await turn();
  events.push("a hundred turns of everybody else");
  await stopped(busy);
  await endless;
  expect(events).toEqual(["a hundred turns of everybody else", expect.stringContaining("the service is stopping")]);
});
