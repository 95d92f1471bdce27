/** What the shipped world declares beside classes with members: an interface, statics, private members. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, failed, started, stopped, type World } from "../testing/service.ts";

let world: World;
beforeAll(async () => {
  world = await started({ world: { tickMs: 0 } });
});
afterAll(() => stopped(world));

test("an interface, a class's statics and its private members", async () => {
  expect(await ask(world, "explore", { target: "type:IMemory" })).toMatchObject({ kind: "interface" });
  expect(await ask(world, "explore", { target: "type:Element" })).toMatchObject({
    members: expect.arrayContaining([
      expect.objectContaining({ name: "OffsetBuffers", isStatic: true, expr: "Element.OffsetBuffers" }),
    ]),
  });
  expect(await ask(world, "eval", { expr: "Element.offsetbuffers + 1" })).toBe(0x6ed);
  expect(await ask(world, "explore", { target: "type:EntityListWrapper" })).toMatchObject({
    members: expect.arrayContaining([expect.objectContaining({ name: "entityCache", access: "private" })]),
    methods: [{ signature: "static Entity GetEntityById(UInt32 id)", callable: false }],
  });
  const refused = await failed(world, "eval", { expr: "EntityListWrapper.GetEntityById(3)" });
  expect(refused.message).toContain("'GetEntityById' can be listed but not called");
  expect(
    await ask(world, "eval", { expr: "Entities.Count(_path != Path || _id != Id || _renderName != RenderName)" }),
  ).toBe(0);
});
test("a search without a pattern says how one is written", async () => {
  expect(await ask(world, "explore", { target: "search:" })).toMatchObject({
    count: 0,
    hint: expect.stringContaining("search:*Part*"),
  });
});
