import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseXml } from "../../build/xml.ts";
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

const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

/** Of a table every other row in the quick tier, and all in the long one. */
const sample = <const T extends readonly unknown[]>(rows: readonly T[]): readonly T[] =>
  rows.filter((_, at) => inLongTier || at % 3 === 0);

const field = { classId: 1, nodes: [2], masteries: "" };

describe.runIf(hasLuajit)("with our own shim", () => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = openTestKernel("stock");
    await load(kernel);
  });

  test.each(
    sample([
      ["an unknown option", { level: 50, config: { enemyMood: "bad" } }],
      ["a value an option does not have", { level: 50, config: { enemyIsBoss: "Friend" } }],
    ]),
  )("%s is refused whole", async (_name, changes) => {
    const before = await kernel.call("luaGetStats");
    expect(await kernel.callForError("luaApply", changes)).toMatchObject({ reason: "bad_change" });
    expect(await kernel.call("luaGetStats")).toEqual(before);
  });

  test.each(
    sample([
      [{ config: { enemyIsBos: "None" } }, "the configuration has no option enemyIsBos; did you mean enemyIsBoss?"],
      [
        { config: { mood: 1 } },
        "the configuration has no option mood; there are customMods, enemyIsBoss, enemyLevel, usePowerCharges",
      ],
      [{ config: { enemyIsBoss: "pinacle" } }, 'the option enemyIsBoss has no value "pinacle"; did you mean Pinnacle?'],
      [{ items: [{ slot: "Helm" }] }, "there is no slot Helm; did you mean Helmet?"],
      [{ items: [{ slot: "Nose" }] }, "there is no slot Nose; there are Amulet, Flask 1, Helmet, Weapon 1"],
    ]),
  )("%j is refused with the names there are", async (changes, message) => {
    for (const name of ["luaApply", "luaCalcWith"])
      expect(await kernel.callForError(name, changes)).toMatchObject({ message });
  });

  test("a defect of the engine in an edit does not reach the session", async () => {
    expect(await kernel.callForError("luaApply", { level: 30, addNodes: [9003] })).toMatchObject({ code: "internal" });
    expect(await dps(kernel)).toMatchObject(only(47.4));
  });

  test("an unknown tree, class or ancestry is refused", async () => {
    const tree = { classId: 3, ascendClassId: 0, nodes: [] };
    for (const wrong of [{ treeVersion: "9_99" }, { classId: 9 }, { ascendClassId: 7 }]) {
      expect(await kernel.callForError("luaSetTree", { ...tree, ...wrong })).toMatchObject({ reason: "unknown_tree" });
    }
  });

  test.each(
    sample([
      [{ treeVersion: "9_99" }, "unknown_tree", /9_99 is not known to this checkout; there are 3_27, 3_28$/],
      [{ classId: 9 }, "unknown_tree", /no class 9; there are 0 \(Scion\), 1 \(Marauder\), 3 \(Witch\)$/],
      [{ ascendClassId: 7 }, "unknown_tree", /Witch has no ascendancy 7; there are 0 \(None\), 1 \(Occultist\)$/],
      [{ secondaryAscendClassId: 9 }, "unknown_tree", /no secondary ascendancy 9; there are 1 \(Warden\)$/],
      [{ masteryEffects: { 999: 100 } }, "bad_change", /the tree has no node 999$/],
      [{ masteryEffects: { 10: 100 } }, "bad_change", /node 10 is not a mastery$/],
      [{ masteryEffects: { 40: 7 } }, "bad_change", /the mastery 40 has no effect 7; there are 100, 101$/],
    ]),
  )("a tree with %j is refused with the reason, and the build stays as it was", async (wrong, reason, message) => {
    const tree = { classId: 3, ascendClassId: 0, nodes: [10, 11, 40] };
    const before = await kernel.call("luaGetTree");
    const refusal = { reason, message: expect.stringMatching(message) };
    expect(await kernel.callForError("luaSetTree", { ...tree, ...wrong })).toMatchObject(refusal);
    if ("masteryEffects" in wrong) expect(await kernel.callForError("luaApply", wrong)).toMatchObject(refusal);
    expect(await kernel.call("luaGetTree")).toEqual(before);
  });

  test("labels and units are Path of Building's own, as the main skill has them", async () => {
    const fields = ["Life", "TotalDPS", "FireResist", "Mana"];
    expect(await kernel.call("luaGetStats", { fields })).toMatchObject({
      curated: [
        { name: "TotalDPS", label: "Hit DPS by spells", unit: "per_second", better: "higher" },
        { name: "Life", label: "Total Life", unit: "number" },
        { name: "Mana", label: "Mana", unit: "number" },
        { name: "FireResist", label: "Fire Resistance", unit: "percent" },
      ],
    });
  });

  test("ranks nodes the same with one worker and with three", async () => {
    const rank = (workers: number) => kernel.call("luaRankNodes", { stat: "TotalDPS", maxPoints: 4, workers });
    const one = await rank(1);
    expect(one).toMatchObject({
      nodes: [
        { node: 13, points: 2, path: [12, 13] },
        { node: 12, points: 1, gain: expect.closeTo(6) },
      ],
    });
    expect(await rank(3)).toEqual(one);
  });

  test("a copy that dies is made again without the compiler, for a ranking and for a what-if", async () => {
    const rank = (workers: number) => kernel.call("luaRankNodes", { stat: "Life", maxPoints: 3, limit: 3, workers });
    const one = await rank(1);
    expect(one).toMatchObject({
      retried: 1,
      nodes: [{ node: 21, gain: 50 }, { node: 43, gain: 65, path: [20, 21, 43] }, { node: 30 }],
    });
    expect(await rank(2)).toEqual(one);
    expect((await kernel.printed()).filter((line) => line.includes("was ended by"))).toEqual([
      "a copy of Path of Building was ended by exit code 11 while it ranked nodes",
      "a copy of Path of Building was ended by exit code 11 while it ranked nodes",
    ]);
    const whatIf = { addNodes: [20, 21, 43], level: 21, fields: ["Life"] };
    expect(await kernel.call("luaCalcWith", whatIf)).toMatchObject({ changes: [{ name: "Life", delta: 77 }] });
  });

  test("the build is read while a ranking is at work, and changes wait for its end", async () => {
    await load(kernel, buildXml(field));
    const stop = new AbortController();
    const read = Promise.withResolvers<unknown>();
    const order: string[] = [];
    const onProgress = () =>
      read.resolve(
        Promise.all([
          kernel.call("luaGetStats", { fields: ["Life"] }),
          kernel.call("luaGetTree"),
          kernel.call("luaGetParts"),
        ]).then((answers) => {
          order.push("read");
          const change = kernel.call("luaApply", { level: 21 }).then(() => order.push("changed"));
          stop.abort();
          return change.then(() => answers);
        }),
      );
    // Behind three points lies a node that never ends.
    const endless = { stat: "TotalDPS", maxPoints: 3, workers: 2 };
    await kernel.callForError("luaRankNodes", endless, { signal: stop.signal, onProgress });
    order.push("ranked");
    expect(await read.promise).toMatchObject([{ stats: { Life: 298 } }, { nodes: [2] }, { groups: [{ group: 1 }] }]);
    expect(order[0]).toBe("read");
    expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ stats: { Life: 310 } });
  });

  test("a stat that does not exist is refused before any node is tried", async () => {
    const reports: unknown[] = [];
    const refusal = await kernel.callForError(
      "luaRankNodes",
      { stat: "Lief" },
      { onProgress: (one) => void reports.push(one) },
    );
    expect(refusal).toMatchObject({
      code: "invalid_argument",
      message: expect.stringContaining("Lief"),
      issues: [{ path: "stat", expected: "the name of a stat", fix: "did you mean Life?" }],
    });
    expect(reports).toEqual([]);
    expect(await kernel.callForError("luaRankNodes", { stat: "Zebra" })).toMatchObject({
      hint: expect.stringContaining("lua_get_stats"),
    });
  });

  const wholeField = { stat: "TotalDPS", maxPoints: 2, limit: 500 };

  if (inLongTier) {
    test("a ranking reports its progress, and two workers find what one finds", async () => {
      await load(kernel, buildXml(field));
      const rank = async (workers: number) => {
        const reports: { progress: number; total?: number }[] = [];
        const onProgress = (one: { progress: number; total?: number }) => void reports.push(one);
        const answer = await kernel.call("luaRankNodes", { ...wholeField, workers }, { onProgress });
        const steps = reports.map(({ progress }) => progress);
        expect(steps.length).toBeGreaterThan(2);
        expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
        expect(reports.map(({ total }) => total)).toEqual(reports.map(() => 203));
        expect(steps.at(-1)).toBe(203);
        return answer;
      };
      const one = await rank(1);
      expect(one).toMatchObject({ candidates: 203 });
      expect(await rank(2)).toEqual(one);
      expect(await rank(7)).toEqual(one);
    });

    test("a ranking that would never end is taken back, its copies too, and the session goes on", async () => {
      await load(kernel, buildXml(field));
      const stop = new AbortController();
      const refusal = await kernel.callForError(
        "luaRankNodes",
        { ...wholeField, maxPoints: 3, workers: 2 },
        { signal: stop.signal, onProgress: () => stop.abort() },
      );
      expect(refusal).toMatchObject({ code: "canceled" });
      expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ meta: { recovered: false } });
      expect(await kernel.call("luaRankNodes", { ...wholeField, maxPoints: 1 })).toMatchObject({ candidates: 2 });
    });

    test("a fork's checkout is driven too, when that is asked for", async () => {
      const fork = openTestKernel("fork", { POB_DRIVER: "shim" });
      await load(fork);
      expect(await fork.call("luaRankNodes", { stat: "TotalDPS" })).toMatchObject({ meta: { engine: "shim" } });
      const tree = { classId: 1, ascendClassId: 0, nodes: [30], masteryEffects: {} };
      expect(await fork.call("luaSetTree", tree)).toMatchObject({ tree: { nodes: [2, 30] }, dropped: [], added: [2] });
    });
  }

  test("draws the tree, and what another build would gain and lose", async () => {
    const against = { build: buildXml({ nodes: [1, 10, 20, 777], masteries: "" }) };
    const { svg, drawn, leftOut } = (await kernel.call("luaDrawTree", { against })) as {
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
      const kernel = openTestKernel(checkout);
      await load(kernel);
      expect(await kernel.call("luaGetParts")).toMatchObject({
        items: [{ slot: "Weapon 1", base: "Driftwood Wand" }],
        groups: [{ group: 1, main: true, gems: [{ name: "Arc", level: 10 }] }],
        config: { enemyIsBoss: "None" },
      });
    },
  );

  if (inLongTier) {
    test("a process that grew too large is restarted when idle, its build loaded again", async () => {
      const small = openTestKernel("stock", {}, { memoryMb: 1, idleMs: 50 });
      await load(small);
      expect(await small.states(6)).toEqual(["Starting", "Ready", "Draining", "Stopped", "Starting", "Ready"]);
      expect(await small.call("luaGetStats")).toMatchObject({ stats: { Life: 298 }, meta: { recovered: true } });
    });

    test("a stop forgets, a crash does not", async () => {
      await kernel.call("luaStop");
      expect(await kernel.callForError("luaGetStats")).toMatchObject({ reason: "not_loaded" });
    });

    test("a checkout that does not start says what it left on its screen", async () => {
      const broken = openTestKernel("broken");
      expect(await broken.callForError("luaStart")).toMatchObject({
        message: expect.stringMatching(/asked for input|Global\.lua/),
      });
    });
  }
});
