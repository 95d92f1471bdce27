/** A fork with no more than the requests that the bridge's specification names. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  buildXml,
  closeTestKernels,
  dps,
  hasLuajit,
  load,
  only,
  openTestKernel,
  type PobTestKernel,
} from "../../testing/test-kernel.ts";

afterEach(closeTestKernels);

const minimal = () => openTestKernel("fork", { POB_ARGS: "HeadlessWrapper.lua --minimal" });

describe.runIf(hasLuajit)("a fork with five requests", () => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = minimal();
  });

  test("loads a build, with level and class read from its XML", async () => {
    expect(await load(kernel)).toMatchObject({
      level: 20,
      className: "Witch",
      ascendancy: null,
      treeVersion: "3_28",
      nodes: 4,
      warnings: [],
    });
    expect(await dps(kernel)).toMatchObject(only(47.4));
  });

  test("answers `unsupported` to an export, and keeps the build", async () => {
    await load(kernel);
    expect(await kernel.callForError("luaExport")).toMatchObject({ code: "unimplemented", reason: "unsupported" });
    expect(await dps(kernel)).toMatchObject(only(47.4));
  });

  test("sets trees with and without masteries, and takes them back", async () => {
    await load(kernel);
    const tree = { classId: 3, ascendClassId: 0, nodes: [10, 11, 20, 40] };
    await kernel.call("luaSetTree", { ...tree, nodes: [10, 20] });
    const after = await kernel.call("luaSetTree", { ...tree, masteryEffects: { 40: 101 } });
    expect(after).toMatchObject({ tree: { nodes: [1, 10, 11, 20, 40], masteryEffects: { 40: 101 } }, dropped: [] });
    await kernel.call("luaUndo");
    expect(await kernel.call("luaGetTree")).toMatchObject({ nodes: [1, 10, 20] });
  });

  test("tries and makes changes that need no look at what became of them", async () => {
    await load(kernel);
    const changes = { level: 30, addNodes: [20] };
    expect(await kernel.call("luaCalcWith", changes)).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ name: "Life", old: 298, new: 428 })]),
    });
    expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ stats: { Life: 298 } });
    await kernel.call("luaApply", changes);
    expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ stats: { Life: 428 } });
  });

  test.each([
    ["an item", { items: [{ slot: "Weapon 1" }] }],
    ["a gem", { gems: [{ group: 1, gem: 1, name: "Spark" }] }],
  ])("%s, which it could have left out unseen, is `unsupported`", async (_name, changes) => {
    await load(kernel);
    for (const name of ["luaCalcWith", "luaApply"])
      expect(await kernel.callForError(name, changes)).toMatchObject({ reason: "unsupported" });
    expect(await dps(kernel)).toMatchObject(only(47.4));
  });

  test("has its build again after its process died", async () => {
    await load(kernel);
    await kernel.call("luaApply", { level: 30 });
    await kernel.callForError("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [9001] });
    expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ meta: { recovered: true } });
    expect(await kernel.call("luaGetParts")).toMatchObject({ items: [{ slot: "Weapon 1" }], groups: [{ main: true }] });
  });

  test("refuses a build that it cannot compute, and keeps the one before", async () => {
    await load(kernel);
    const bad = { build_xml: buildXml({ notes: "INCALCULABLE" }) };
    expect(await kernel.callForError("luaLoadBuild", bad)).toMatchObject({ reason: "bad_build" });
    expect(await dps(kernel)).toMatchObject(only(47.4));
  });
});

test.runIf(hasLuajit)("without `fields`, a fork's own answer comes with the curated stats", async () => {
  const kernel = openTestKernel("fork");
  await load(kernel);
  expect(await kernel.call("luaGetStats")).toMatchObject({
    stats: { Life: 298, SpellDamageInc: expect.any(Number), TotalDPS: expect.closeTo(47.4) },
  });
});
