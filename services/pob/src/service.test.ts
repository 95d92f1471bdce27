import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeShareCode } from "./build/share-code.ts";
import { parseXml } from "./build/xml.ts";
import { buildXml, closeStages, dps, hasLuajit, load, only, openStage, type Stage } from "./testing/stage.ts";

afterEach(closeStages);

describe("without Path of Building", () => {
  test("reading builds works, computing says what is missing and how to mend it", async () => {
    const stage = openStage("no-such-folder");
    expect(await stage.call("parseBuild", { source: { build: buildXml() } })).toMatchObject({ className: "Witch" });
    expect(await stage.refused("luaGetStats")).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("no-such-folder"),
      hint: expect.stringContaining("git clone"),
    });
  });

  test("the doctor's rows name what is missing, each with what mends it", async () => {
    expect(await openStage("no-such-folder", { POB_CMD: "no-such-luajit" }).checks()).toEqual([
      { name: "LuaJIT", ok: false, detail: expect.stringContaining("no-such-luajit"), fix: expect.any(String) },
      { name: "checkout", ok: false, detail: expect.stringContaining("no-such-folder"), fix: expect.any(String) },
    ]);
    expect(await openStage("broken", { POB_CMD: process.execPath }).checks()).toEqual([
      { name: "LuaJIT", ok: false, detail: expect.stringContaining("is no LuaJIT"), fix: expect.any(String) },
      { name: "checkout", ok: true, detail: expect.stringContaining("(shim)") },
      { name: "version", ok: false, detail: expect.any(String), fix: expect.stringContaining("git -C") },
      { name: "passive trees", ok: false, detail: expect.any(String), fix: expect.stringContaining("git -C") },
    ]);
    expect(await openStage("stock", { POB_LUA_ENABLED: "false" }).checks()).toEqual([
      { name: "lua tools", ok: true, detail: expect.stringContaining("POB_LUA_ENABLED=true") },
    ]);
  });

  test("a missing LuaJIT is named with the command that installs it", async () => {
    const stage = openStage("stock", { POB_CMD: "no-such-luajit" });
    expect(await stage.refused("luaStart")).toMatchObject({
      message: expect.stringContaining("no-such-luajit"),
      hint: expect.stringContaining("apt-get install luajit"),
    });
  });

  test("POB_ARGS that start nothing which speaks are named, at the first start that fails", async () => {
    const stage = openStage("stock", { POB_CMD: process.execPath, POB_ARGS: "--version" });
    expect(await stage.refused("luaStart")).toMatchObject({
      code: "unavailable",
      hint: expect.stringContaining("POB_ARGS"),
    });
    expect(await stage.states(2)).toEqual(["Starting", "Backoff"]);
  });

  test("a start that nobody waits for any more is given up as a call", async () => {
    const stage = openStage("stock", { POB_CMD: process.execPath, POB_ARGS: "-e setInterval(()=>{},1e3)" });
    expect(await stage.refused("luaStart", {}, { timeoutMs: 300 })).toMatchObject({ code: "deadline_exceeded" });
    expect(await stage.states(1)).toEqual(["Starting"]);
  });

  test("a variable that cannot be meant is told: by the state, the doctor and what it switches off; reading goes on", async () => {
    const stage = openStage("stock", { POB_LUA_ENABLED: "yess", POB_TIMEOUT_MS: "abc" });
    const why = 'POB_LUA_ENABLED is "yess", which is not true or false; it counts as not set';
    expect(await stage.degraded()).toEqual({ why, fix: "set POB_LUA_ENABLED=true, or unset it, and start again" });
    expect(await stage.refused("luaStart")).toMatchObject({ message: expect.stringContaining(why) });
    expect(await stage.checks()).toMatchObject([
      { ok: false, detail: why },
      { ok: false, detail: expect.stringContaining("POB_TIMEOUT_MS"), fix: expect.stringContaining("=10000") },
      { name: "lua tools" },
    ]);
    expect(await stage.call("validateBuild", { build: buildXml() })).toMatchObject({ valid: true });
  });

  test("switched off, the lua procedures are not there", async () => {
    const stage = openStage("stock", { POB_LUA_ENABLED: "false" });
    expect(await stage.refused("luaStart")).toMatchObject({
      code: "unimplemented",
      message: "pob.luaStart is switched off: set POB_LUA_ENABLED=true to use Path of Building",
    });
    expect(await stage.call("validateBuild", { build: buildXml() })).toMatchObject({ valid: true });
  });
});

describe.runIf(hasLuajit).each([["stock"], ["fork"]])("a %s checkout", (checkout) => {
  let stage: Stage;
  beforeEach(() => {
    stage = openStage(checkout);
  });

  test("has all that the doctor asks for", async () => {
    expect(await stage.checks()).toEqual([
      { name: "LuaJIT", ok: true, detail: expect.stringMatching(/^LuaJIT 2/) },
      expect.objectContaining({ name: "zlib" }),
      { name: "checkout", ok: true, detail: expect.stringContaining(`testing/engine/${checkout}/src`) },
      { name: "version", ok: true, detail: "0.0.1-test" },
      { name: "passive trees", ok: true, detail: "the newest is 3_28, of 1" },
    ]);
  });

  test("starts and stops as often as asked", async () => {
    expect(await stage.call("luaStop")).toContain("was not running");
    expect(await stage.call("luaStart")).toContain("was started");
    expect(await stage.call("luaStart")).toContain("was running already");
    expect(await stage.call("luaStop")).toContain("was stopped");
  });

  test("loads a build from XML or share code, and computes it", async () => {
    expect(await stage.refused("luaGetStats")).toMatchObject({ reason: "not_loaded" });
    const report = { level: 20, className: "Witch", treeVersion: "3_28", nodes: 4, warnings: [] };
    expect(await load(stage)).toMatchObject(report);
    expect(await load(stage, encodeShareCode(buildXml()))).toMatchObject(report);
    expect(await stage.call("luaGetStats", { fields: ["Life", "TotalDPS", "Nope"] })).toMatchObject({
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
    await load(stage);
    const before = await stage.call("luaGetStats");
    const { meta, ...tree } = (await stage.call("luaGetTree")) as Record<string, unknown>;
    expect(tree).toMatchObject({ nodes: [1, 10, 11, 40], masteryEffects: { 40: 101 }, classId: 3 });
    expect(meta).toMatchObject({ treeVersion: "3_28" });
    expect(await stage.call("luaSetTree", { ...tree, meta })).toMatchObject({ tree, dropped: [], added: [] });
    expect(await stage.call("luaGetStats")).toEqual(before);
  });

  test("says which nodes were dropped and which came along", async () => {
    await load(stage);
    const result = await stage.call("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10, 13, 41, 777] });
    expect(result).toMatchObject({ tree: { nodes: [1, 10] }, added: [1] });
    expect((result as { dropped: { node: number }[] }).dropped.map(({ node }) => node)).toEqual([13, 41, 777]);
    expect(await dps(stage)).toMatchObject(only(41.4));
    const unknown = { classId: 3, ascendClassId: 0, nodes: [], treeVersion: "9_99" };
    expect(await stage.refused("luaSetTree", unknown)).toMatchObject({ reason: "unknown_tree" });
    expect(await dps(stage)).toMatchObject(only(41.4));
  });

  test("a bad build is refused by name, and the session stays as it was", async () => {
    await load(stage);
    const good = await stage.call("luaGetStats");
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
      expect(await stage.refused("luaLoadBuild", { build_xml: text })).toMatchObject({
        code: "invalid_argument",
        reason: "bad_build",
        data: { problems: [expect.any(String)] },
      });
      const { meta, ...stats } = (await stage.call("luaGetStats")) as Record<string, unknown>;
      expect(stats).toEqual({
        stats: (good as { stats: object }).stats,
        curated: (good as { curated: object }).curated,
        unknown: [],
      });
    }
  });

  test("fifty calls at once are all answered, each with its own", async () => {
    await load(stage);
    const fields = Array.from({ length: 50 }, (_, i) => ["Life", "Mana", "Str", "TotalDPS", "TotalEHP"][i % 5] ?? "");
    const answers = await Promise.all(fields.map((name) => stage.call("luaGetStats", { fields: [name] })));
    expect(answers.map((answer) => Object.keys((answer as { stats: object }).stats))).toEqual(
      fields.map((name) => [name]),
    );
  });

  test("killed in the middle of a call: that call says so, the next one finds everything as it was", async () => {
    await load(stage);
    await stage.call("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10, 20] });
    const before = (await stage.call("luaGetStats")) as { stats: object };
    expect(await stage.refused("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [9001] })).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("exited with code 9"),
      hint: expect.any(String),
      retryable: true,
    });
    expect(await stage.call("luaGetStats")).toMatchObject({ stats: before.stats, meta: { recovered: true } });
    expect(await stage.call("luaGetStats")).toMatchObject({ meta: { recovered: false } });
    expect(await stage.states(5)).toEqual(["Starting", "Ready", "Backoff", "Starting", "Ready"]);
  });

  test("a hang ends with the time limit, and the next call works", async () => {
    const hasty = openStage(checkout, { POB_TIMEOUT_MS: "1500" });
    await load(hasty);
    expect(await hasty.refused("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [9002] })).toMatchObject({
      code: "deadline_exceeded",
      message: expect.stringContaining("did not answer within"),
    });
    expect(await dps(hasty)).toMatchObject({ ...only(47.4), meta: { recovered: true } });
  });

  test.runIf(process.platform === "linux").each([
    ["data", 9004],
    ["code that is compiled", 9005],
  ])("memory without end for %s is refused, and the session goes on", async (_what, node) => {
    const small = openStage(checkout, {}, { memoryMb: 100 });
    await load(small);
    expect(await small.refused("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [node] })).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("wanted more memory"),
      hint: expect.stringContaining("POB_MEMORY_MB"),
      retryable: false,
    });
    expect(await dps(small)).toMatchObject({ ...only(47.4), meta: { recovered: true } });
  });

  test("exports what is loaded, and takes changes back", async () => {
    await load(stage);
    await stage.call("luaSetTree", { classId: 3, ascendClassId: 0, nodes: [10] });
    const { xml, code } = (await stage.call("luaExport")) as { xml: string; code: string };
    expect(await stage.call("parseBuild", { source: { build: code } })).toMatchObject({ tree: { nodes: [1, 10] } });
    expect(await stage.call("luaUndo")).toMatchObject({ undone: "a new passive tree", left: 0 });
    expect(await dps(stage)).toMatchObject(only(47.4));
    expect(await stage.refused("luaUndo")).toMatchObject({ reason: "nothing_to_undo" });
    await load(stage, xml);
    expect(await dps(stage)).toMatchObject(only(41.4));
  });
});

describe.runIf(hasLuajit)("with our own shim", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = openStage("stock");
    await load(stage);
  });

  test.each([
    ["an unknown option", { level: 50, config: { enemyMood: "bad" } }],
    ["a value an option does not have", { level: 50, config: { enemyIsBoss: "Friend" } }],
  ])("%s is refused whole", async (_name, changes) => {
    const before = await stage.call("luaGetStats");
    expect(await stage.refused("luaApply", changes)).toMatchObject({ reason: "bad_change" });
    expect(await stage.call("luaGetStats")).toEqual(before);
  });

  test.each([
    [{ config: { enemyIsBos: "None" } }, "the configuration has no option enemyIsBos; did you mean enemyIsBoss?"],
    [{ config: { mood: 1 } }, "the configuration has no option mood; there are enemyIsBoss, enemyLevel"],
    [{ config: { enemyIsBoss: "pinacle" } }, "the option enemyIsBoss has no value pinacle; did you mean Pinnacle?"],
    [{ items: [{ slot: "Helm" }] }, "there is no slot Helm; did you mean Helmet?"],
    [{ items: [{ slot: "Nose" }] }, "there is no slot Nose; there are Helmet, Weapon 1"],
  ])("%j is refused with the names there are", async (changes, message) => {
    for (const name of ["luaApply", "luaCalcWith"])
      expect(await stage.refused(name, changes)).toMatchObject({ message });
  });

  test("a defect of the engine in an edit does not reach the session", async () => {
    expect(await stage.refused("luaApply", { level: 30, addNodes: [9003] })).toMatchObject({ code: "internal" });
    expect(await dps(stage)).toMatchObject(only(47.4));
  });

  test("an unknown tree, class or ancestry is refused", async () => {
    const tree = { classId: 3, ascendClassId: 0, nodes: [] };
    for (const wrong of [{ treeVersion: "9_99" }, { classId: 9 }, { ascendClassId: 7 }]) {
      expect(await stage.refused("luaSetTree", { ...tree, ...wrong })).toMatchObject({ reason: "unknown_tree" });
    }
  });

  test("labels and units are Path of Building's own, as the main skill has them", async () => {
    const fields = ["Life", "TotalDPS", "FireResist", "Mana"];
    expect(await stage.call("luaGetStats", { fields })).toMatchObject({
      curated: [
        { name: "TotalDPS", label: "Hit DPS by spells", unit: "per_second", better: "higher" },
        { name: "Life", label: "Total Life", unit: "number" },
        { name: "Mana", label: "Mana", unit: "number" },
        { name: "FireResist", label: "Fire Resistance", unit: "percent" },
      ],
    });
  });

  test("ranks nodes the same with one worker and with three", async () => {
    const rank = (workers: number) => stage.call("luaRankNodes", { stat: "TotalDPS", maxPoints: 4, workers });
    const one = await rank(1);
    expect(one).toMatchObject({
      nodes: [
        { node: 13, points: 2, path: [12, 13] },
        { node: 12, points: 1, gain: expect.closeTo(6) },
      ],
    });
    expect(await rank(3)).toEqual(one);
  });

  test("a stat that does not exist is refused before any node is tried", async () => {
    const told: unknown[] = [];
    const refusal = await stage.refused("luaRankNodes", { stat: "Lief" }, { onProgress: (one) => void told.push(one) });
    expect(refusal).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("Lief"),
      issues: [{ path: "stat", expected: "the name of a stat", fix: "did you mean Life?" }],
    });
    expect(told).toEqual([]);
    expect(await stage.refused("luaRankNodes", { stat: "Zebra" })).toMatchObject({
      hint: expect.stringContaining("lua_get_stats"),
    });
  });

  const field = { classId: 1, nodes: [2], masteries: "" };
  const wholeField = { stat: "TotalDPS", maxPoints: 2, limit: 500 };

  test("a ranking tells how far it is, and two workers find what one finds", async () => {
    await load(stage, buildXml(field));
    const rank = async (workers: number) => {
      const told: { progress: number; total?: number }[] = [];
      const onProgress = (one: { progress: number; total?: number }) => void told.push(one);
      const answer = await stage.call("luaRankNodes", { ...wholeField, workers }, { onProgress });
      const steps = told.map(({ progress }) => progress);
      expect(steps.length).toBeGreaterThan(2);
      expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
      expect(told.map(({ total }) => total)).toEqual(told.map(() => 203));
      expect(steps.at(-1)).toBe(203);
      return answer;
    };
    const one = await rank(1);
    expect(one).toMatchObject({ candidates: 203 });
    expect(await rank(2)).toEqual(one);
    expect(await rank(7)).toEqual(one);
  });

  test("a ranking that would never end is taken back, its copies too, and the session goes on", async () => {
    await load(stage, buildXml(field));
    const stop = new AbortController();
    const refusal = await stage.refused(
      "luaRankNodes",
      { ...wholeField, maxPoints: 3, workers: 2 },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect(refusal).toMatchObject({ code: "canceled" });
    expect(await stage.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ meta: { recovered: false } });
    expect(await stage.call("luaRankNodes", { ...wholeField, maxPoints: 1 })).toMatchObject({ candidates: 2 });
  });

  test("a fork's checkout is driven too, when that is asked for", async () => {
    const fork = openStage("fork", { POB_DRIVER: "shim" });
    await load(fork);
    expect(await fork.call("luaRankNodes", { stat: "TotalDPS" })).toMatchObject({ meta: { engine: "shim" } });
    const tree = { classId: 1, ascendClassId: 0, nodes: [30], masteryEffects: {} };
    expect(await fork.call("luaSetTree", tree)).toMatchObject({ tree: { nodes: [2, 30] }, dropped: [], added: [2] });
  });

  test("draws the tree, and what another build would gain and lose", async () => {
    const against = { build: buildXml({ nodes: [1, 10, 20, 777], masteries: "" }) };
    const { svg, drawn, leftOut } = (await stage.call("luaDrawTree", { against })) as {
      svg: string;
      drawn: number;
      leftOut: number[];
    };
    expect([drawn, leftOut]).toEqual([5, [777]]);
    expect(svg.match(/\(\d+, \w+\)/g)?.toSorted()).toEqual([
      "(1, kept)",
      "(10, kept)",
      "(11, lost)",
      "(20, gained)",
      "(40, lost)",
    ]);
    expect(parseXml(svg).ok).toBe(true);
  });

  test.each([["stock"], ["fork"]])(
    "lists parts of a %s checkout with the numbers that changes take",
    async (checkout) => {
      const stage = openStage(checkout);
      await load(stage);
      expect(await stage.call("luaGetParts")).toMatchObject({
        items: [{ slot: "Weapon 1", base: "Driftwood Wand" }],
        groups: [{ group: 1, main: true, gems: [{ name: "Arc", level: 10 }] }],
        config: { enemyIsBoss: "None" },
      });
    },
  );

  test("a process that grew too large is restarted when idle, its build loaded again", async () => {
    const small = openStage("stock", {}, { memoryMb: 1, idleMs: 50 });
    await load(small);
    expect(await small.states(6)).toEqual(["Starting", "Ready", "Draining", "Stopped", "Starting", "Ready"]);
    expect(await small.call("luaGetStats")).toMatchObject({ stats: { Life: 298 }, meta: { recovered: true } });
  });

  test("a stop forgets, a crash does not", async () => {
    await stage.call("luaStop");
    expect(await stage.refused("luaGetStats")).toMatchObject({ reason: "not_loaded" });
  });

  test("a checkout that does not start says what it left on its screen", async () => {
    const broken = openStage("broken");
    expect(await broken.refused("luaStart")).toMatchObject({
      message: expect.stringMatching(/asked for input|Global\.lua/),
    });
  });
});
