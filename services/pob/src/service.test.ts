import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeShareCode } from "./build/share-code.ts";
import {
  buildXml,
  closeTestKernels,
  dps,
  hasLuajit,
  load,
  only,
  openTestKernel,
  type PobTestKernel,
} from "./testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

describe.runIf(hasLuajit).each(inLongTier ? [["stock"], ["fork"]] : [["stock"]])("a %s checkout", (checkout) => {
  let kernel: PobTestKernel;
  beforeEach(() => {
    kernel = openTestKernel(checkout);
  });

  test("has all that the doctor asks for", async () => {
    expect(await kernel.checks()).toEqual([
      { name: "LuaJIT", ok: true, detail: expect.stringMatching(/^LuaJIT 2/) },
      expect.objectContaining({ name: "zlib" }),
      { name: "checkout", ok: true, detail: expect.stringContaining(`testing/engine/${checkout}/src`) },
      { name: "version", ok: true, detail: "0.0.1-test" },
      { name: "passive trees", ok: true, detail: "the newest is 3_28, of 1" },
    ]);
  });

  test("starts and stops as often as asked", async () => {
    expect(await kernel.call("luaStop")).toContain("was not running");
    expect(await kernel.call("luaStart")).toContain("was started");
    expect(await kernel.call("luaStart")).toContain("was running already");
    expect(await kernel.call("luaStop")).toContain("was stopped");
  });

  test("loads a build from XML or share code, and computes it", async () => {
    expect(await kernel.callForError("luaGetStats")).toMatchObject({ reason: "not_loaded" });
    const report = { level: 20, className: "Witch", treeVersion: "3_28", nodes: 4, warnings: [] };
    expect(await load(kernel)).toMatchObject(report);
    expect(await load(kernel, encodeShareCode(buildXml()))).toMatchObject(report);
    expect(await kernel.call("luaGetStats", { fields: ["Life", "TotalDPS", "Nope"] })).toMatchObject({
      stats: { Life: 298, TotalDPS: expect.closeTo(47.4) },
      unknown: ["Nope"],
      curated: [
        { name: "TotalDPS", unit: "per_second", better: "higher" },
        { name: "Life", group: "pool" },
      ],
      meta: { version: "0.0.1-test", treeVersion: "3_28", recovered: false },
    });
  });

  test("setting the tree that was just read changes nothing, masteries included", async () => {
    await load(kernel);
    const before = await kernel.call("luaGetStats");
    const { meta, named, ...tree } = (await kernel.call("luaGetTree")) as Record<string, unknown>;
    expect(tree).toMatchObject({ nodes: [1, 10, 11, 40], masteryEffects: { 40: 101 }, classId: 3 });
    expect(meta).toMatchObject({ treeVersion: "3_28" });
    expect(await kernel.call("luaSetTree", { ...tree, named, meta })).toMatchObject({ tree, dropped: [], added: [] });
    expect(await kernel.call("luaGetStats")).toEqual(before);
  });

  test("says which nodes were dropped and which came along", async () => {
    await load(kernel);
    const result = await kernel.call("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10, 13, 41, 777] });
    expect(result).toMatchObject({ tree: { nodes: [1, 10] }, added: [1] });
    expect((result as { dropped: { node: number }[] }).dropped.map(({ node }) => node)).toEqual([13, 41, 777]);
    expect(await dps(kernel)).toMatchObject(only(41.4));
    const unknown = { classId: 3, ascendClassId: 0, nodes: [], treeVersion: "9_99" };
    expect(await kernel.callForError("luaSetTree", unknown)).toMatchObject({ reason: "unknown_tree" });
    expect(await dps(kernel)).toMatchObject(only(41.4));
  });

  test("a bad build is refused by name, and the session stays as it was", async () => {
    await load(kernel);
    const good = await kernel.call("luaGetStats");
    const bad = [
      "garbage",
      buildXml().slice(0, 400),
      "<PathOfBuilding/>",
      "<Other><Build/></Other>",
      buildXml({ targetVersion: "2_6" }),
      buildXml({ treeVersion: "9_99" }),
      buildXml({ notes: "INCALCULABLE" }),
      ...(checkout === "stock" ? [buildXml({ notes: "UNLOADABLE" })] : []),
    ];
    for (const text of bad) {
      expect(await kernel.callForError("luaLoadBuild", { build_xml: text })).toMatchObject({
        code: "invalid_argument",
        reason: "bad_build",
        data: { problems: [expect.any(String)] },
      });
      const { meta, ...stats } = (await kernel.call("luaGetStats")) as Record<string, unknown>;
      expect(stats).toEqual({
        stats: (good as { stats: object }).stats,
        curated: (good as { curated: object }).curated,
        unknown: [],
      });
    }
  });

  test("fifty calls at once are all answered, each with its own", async () => {
    await load(kernel);
    const fields = Array.from({ length: 50 }, (_, i) => ["Life", "Mana", "Str", "TotalDPS", "TotalEHP"][i % 5] ?? "");
    const answers = await Promise.all(fields.map((name) => kernel.call("luaGetStats", { fields: [name] })));
    expect(answers.map((answer) => Object.keys((answer as { stats: object }).stats))).toEqual(
      fields.map((name) => [name]),
    );
  });

  if (inLongTier) {
    test("killed in the middle of a call: that call says so, the next one finds everything as it was", async () => {
      await load(kernel);
      await kernel.call("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10, 20] });
      const before = (await kernel.call("luaGetStats")) as { stats: object };
      expect(await kernel.callForError("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [9001] })).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("exited with code 9"),
        hint: expect.any(String),
        retryable: true,
      });
      expect(await kernel.call("luaGetStats")).toMatchObject({ stats: before.stats, meta: { recovered: true } });
      expect(await kernel.call("luaGetStats")).toMatchObject({ meta: { recovered: false } });
      expect(await kernel.states(6)).toEqual(["Starting", "Ready", "Draining", "Backoff", "Starting", "Ready"]);
    });
  }

  test("a hang ends with the time limit, and the next call works", async () => {
    // The next call waits for another process within its own time, which a busy machine needs most of.
    const hasty = openTestKernel(checkout, { POB_TIMEOUT_MS: inLongTier ? "10000" : "1500" });
    await load(hasty);
    expect(await hasty.callForError("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [9002] })).toMatchObject({
      code: "deadline_exceeded",
      message: expect.stringContaining("did not answer within"),
    });
    if (!inLongTier) await hasty.states(6);
    expect(await dps(hasty)).toMatchObject({ ...only(47.4), meta: { recovered: true } });
  });

  const fillings = [
    ["data", 9004],
    ["code that is compiled", 9005],
  ] as const;
  test.runIf(process.platform === "linux").each(fillings.slice(0, inLongTier ? 2 : 1))(
    "memory without end for %s is refused, and the session goes on",
    async (_what, node) => {
      const small = openTestKernel(checkout, {}, { memoryMb: 100 });
      await load(small);
      expect(await small.callForError("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [node] })).toMatchObject({
        code: "failed_precondition",
        message: expect.stringContaining("ran out of memory"),
        hint: expect.stringContaining("POB_MEMORY_MB"),
        retryable: false,
      });
      expect(await dps(small)).toMatchObject({ ...only(47.4), meta: { recovered: true } });
    },
  );

  test("exports what is loaded, and takes changes back", async () => {
    await load(kernel);
    await kernel.call("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10] });
    const { xml, code } = (await kernel.call("luaExport")) as { xml: string; code: string };
    expect(await kernel.call("parseBuild", { source: { build: code } })).toMatchObject({ tree: { nodes: [1, 10] } });
    expect(await kernel.call("luaUndo")).toMatchObject({ undone: "a new passive tree", left: 0 });
    expect(await dps(kernel)).toMatchObject(only(47.4));
    expect(await kernel.callForError("luaUndo")).toMatchObject({ reason: "nothing_to_undo" });
    await load(kernel, xml);
    expect(await dps(kernel)).toMatchObject(only(41.4));
  });
});
