import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  closeTestKernels,
  dps,
  hasLuajit,
  load,
  only,
  openTestKernel,
  type PobTestKernel,
} from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

const checkouts = inLongTier ? ["stock", "fork"] : ["fork"];

describe.runIf(hasLuajit).each(checkouts)("changes in a %s checkout", (checkout) => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = openTestKernel(checkout);
    await load(kernel);
  });

  const edits: readonly (readonly [string, object])[] = [
    ["a node that connects", { addNodes: [12] }],
    ["a node that hangs in the air", { addNodes: [13] }],
    ["several nodes", { addNodes: [12, 13, 20] }],
    ["a node less", { removeNodes: [11] }],
    ["nodes more and less", { addNodes: [20], removeNodes: [11] }],
    ["another mastery effect", { masteryEffects: { 40: 100 } }],
    ["a level", { level: 30 }],
    ["no weapon", { items: [{ slot: "Weapon 1" }] }],
    ["a helmet", { items: [{ slot: "Helmet", text: "Rarity: RARE\nTest Hat\nRusted Helmet\n+50 to maximum Life" }] }],
    ["a gem's level", { gems: [{ group: 1, gem: 1, level: 20 }] }],
    ["another gem", { gems: [{ group: 1, gem: 2, name: "Spark" }] }],
    ["a boss and more", { config: { enemyIsBoss: "Pinnacle" }, level: 21, addNodes: [12] }],
  ];

  test.each(edits.filter((_, at) => inLongTier || at % 3 === 0))(
    "what is predicted for %s is what happens, and predicting changes nothing",
    async (name, changes) => {
      const statsNow = async () => ((await kernel.call("luaGetStats")) as { stats: Record<string, number> }).stats;
      const before = await statsNow();
      const predicted = (await kernel.call("luaCalcWith", changes)) as {
        changes: { name: string; old: unknown; new: unknown }[];
        dropped: unknown;
      };
      expect(await statsNow()).toEqual(before);
      const applied = (await kernel.call("luaApply", changes)) as { dropped: unknown };
      const after = await statsNow();
      expect(applied.dropped).toEqual(predicted.dropped);
      const differs = Object.keys(after).filter((stat) => after[stat] !== before[stat]);
      expect(differs.length > 0).toBe(name !== "a node that hangs in the air");
      expect(predicted.changes.map((one) => one.name).toSorted()).toEqual(differs.toSorted());
      for (const change of predicted.changes)
        expect([change.old, change.new]).toEqual([before[change.name], after[change.name]]);
      await kernel.call("luaUndo");
      expect(await statsNow()).toEqual(before);
    },
  );

  test.each(
    (
      [
        ["an unknown slot", { level: 50, items: [{ slot: "Nose" }] }],
        [
          "an item that does not fit",
          { level: 50, items: [{ slot: "Helmet", text: "Rarity: RARE\nX\nDriftwood Wand" }] },
        ],
        ["an item without a base", { level: 50, items: [{ slot: "Helmet", text: "nonsense" }] }],
        ["an unknown gem", { level: 50, gems: [{ group: 1, gem: 1, name: "Fireworks" }] }],
        ["a group that is not there", { level: 50, mainSocketGroup: 9 }],
      ] as const
    ).filter((_, at) => inLongTier || at % 3 === 0),
  )("%s is refused whole: nothing of it is done", async (_name, changes) => {
    const before = await kernel.call("luaGetStats");
    expect(await kernel.callForError("luaCalcWith", changes)).toMatchObject({ reason: "bad_change" });
    expect(await kernel.callForError("luaApply", changes)).toMatchObject({ reason: "bad_change" });
    expect(await kernel.call("luaGetStats")).toEqual(before);
  });

  test("what-ifs, edits and reads at once do not see each other's builds", async () => {
    const answers = await Promise.all([
      kernel.call("luaCalcWith", { level: 90, fields: ["Life"] }),
      dps(kernel),
      kernel.call("luaCalcWith", { removeNodes: [11], fields: ["TotalDPS"] }),
      dps(kernel),
    ]);
    expect(answers).toMatchObject([
      { changes: [{ name: "Life", old: 298 }] },
      only(47.4),
      { changes: [{ name: "TotalDPS", old: expect.closeTo(47.4) }] },
      only(47.4),
    ]);
  });

  test("a what-if that is given up leaves the build as it was", async () => {
    const stop = new AbortController();
    const asked = kernel.callForError("luaCalcWith", { level: 90 }, { signal: stop.signal });
    await kernel.call("luaGetTree");
    stop.abort();
    await asked;
    expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ stats: { Life: 298 } });
  });
});
