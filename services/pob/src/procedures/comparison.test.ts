/** Many changes against each other: each row is what the change would do alone, whatever happens to the others. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  buildXml,
  closeTestKernels,
  hasLuajit,
  load,
  openTestKernel,
  type PobTestKernel,
} from "../testing/test-kernel.ts";

const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

interface Row {
  readonly candidate: number;
  readonly label?: string;
  readonly score: number | null;
  readonly stats: Readonly<Record<string, number | null>>;
  readonly problem?: string;
}
interface Answer {
  readonly rows: readonly Row[];
  readonly whole: boolean;
}

const helmet = (life: number) => ({
  items: [{ slot: "Helmet", text: `Rarity: RARE\nHat\nRusted Helmet\n+${life} to maximum Life` }],
});
const amulet = { slot: "Amulet", text: "Rarity: RARE\nCharm\nJade Amulet\n+5 to maximum Life" };

describe.runIf(hasLuajit)("the best of many changes", () => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = openTestKernel("stock");
    await load(kernel);
  });
  const best = (input: object, options?: Parameters<PobTestKernel["call"]>[2]) =>
    kernel.call("luaFindBest", input, options) as Promise<Answer>;

  const mixed = [
    { label: "hat", ...helmet(60) },
    { label: "gem", gems: [{ group: 1, gem: 2, name: "Spark" }] },
    { label: "node", addNodes: [12] },
    { label: "level", level: 40 },
    { label: "boss", config: { enemyIsBoss: "Pinnacle" } },
  ];

  test("candidates of several kinds are one table, and each row is what lua_calc_with says", async () => {
    const { rows, whole } = await best({ candidates: mixed, goal: { TotalDPS: 1 }, show: ["Life"] });
    expect(rows.map(({ label }) => label)).toEqual(["gem", "node", "hat", "level", "boss"]);
    expect(whole).toBe(false);
    for (const { candidate, stats } of rows) {
      const { label: _, ...changes } = mixed[candidate - 1] ?? {};
      const alone = (await kernel.call("luaCalcWith", { ...changes, fields: ["TotalDPS", "Life"] })) as {
        changes: readonly { name: string; new: number }[];
      };
      for (const change of alone.changes) expect(stats[change.name]).toBe(change.new);
    }
    expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ stats: { Life: 298 } });
  });

  test("the answer does not depend on how many processes work", async () => {
    const input = { candidates: mixed, goal: { CombinedDPS: 0.7, TotalEHP: 0.3 } };
    expect(await best({ ...input, workers: 1 })).toEqual(await best({ ...input, workers: 4 }));
  });

  if (inLongTier) {
    test("what lacks something comes after what does not, the least lacking first", async () => {
      const { rows } = await best({ candidates: mixed, goal: { TotalDPS: 1 }, atLeast: { Life: 350 } });
      expect(rows.map(({ label }) => label)).toEqual(["hat", "level", "gem", "node", "boss"]);
      expect(rows.map((row) => (row as { lacking?: number }).lacking === 0)).toEqual([true, true, false, false, false]);
    });
  }

  test("anoints are candidates, and applied as they were compared", async () => {
    await kernel.call("luaApply", { items: [amulet] });
    const anoint = (node: string | number) => ({ anoints: [{ slot: "Amulet", node }] });
    const { rows } = await best({
      candidates: [anoint("Hearty"), anoint("deep thoughts"), anoint(12), anoint("Hartey"), anoint(10)],
      goal: { TotalDPS: 1 },
      show: ["Life"],
    });
    expect(rows.map(({ candidate }) => candidate)).toEqual([2, 3, 1, 4, 5]);
    expect(rows[3]?.problem).toMatch(/no notable Hartey .*did you mean Hearty/);
    expect(rows[4]?.problem).toMatch(/node 10 is no notable/);
    for (const [row, node] of [
      [rows[2], "Hearty"],
      [rows[0], "Deep Thoughts"],
    ] as const) {
      await kernel.call("luaApply", anoint(node));
      expect(await kernel.call("luaGetStats", { fields: ["TotalDPS", "Life"] })).toMatchObject({ stats: row?.stats });
    }
    expect(await kernel.callForError("luaApply", { anoints: [{ slot: "Weapon 1", node: "Hearty" }] })).toMatchObject({
      reason: "bad_change",
    });
  });

  if (inLongTier) {
    test("a candidate that is refused, dies, hangs or fails is a row with its reason", async () => {
      const impatient = openTestKernel("stock", { POB_TIMEOUT_MS: "1500" });
      await load(impatient);
      const answer = (await impatient.call("luaFindBest", {
        goal: { Life: 1 },
        candidates: [
          { items: [{ slot: "Nose" }] },
          { addNodes: [9001] },
          { addNodes: [9002] },
          { addNodes: [9003] },
          { level: 21 },
          { addNodes: [20, 21, 43], level: 21 },
        ],
      })) as Answer & { failed: number };
      expect(answer.failed).toBe(4);
      expect(answer.rows.map(({ candidate, problem }) => [candidate, problem ?? null])).toEqual([
        [6, null],
        [5, null],
        [1, expect.stringMatching(/^there is no slot Nose; there are Amulet/)],
        [2, expect.stringMatching(/was ended by exit code 9$/)],
        [3, "it was not computed within 1.5 seconds"],
        [4, expect.stringMatching(/^Path of Building failed at it: .*the engine has a defect/)],
      ]);
      expect(await impatient.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ meta: { recovered: false } });
    });
  }

  const worn = (...lines: readonly string[]) => ({
    items: [{ slot: "Amulet", text: ["Rarity: RARE", "Charm", "Jade Amulet", ...lines].join("\n") }],
  });

  if (inLongTier) {
    test("damage that depends on what is estimated is compared as it is, also within one kind", async () => {
      const candidates = [
        worn("20% increased Spell Damage"),
        worn("200% increased Spell Damage if you would survive"),
        worn("10% increased Spell Damage"),
      ];
      const { rows, whole } = await best({ candidates, goal: { TotalDPS: 1 } });
      expect(whole).toBe(false);
      expect(rows.map(({ candidate }) => candidate)).toEqual([2, 1, 3]);
      for (const { candidate, stats } of rows) {
        await kernel.call("luaApply", candidates[candidate - 1] ?? {});
        expect(await kernel.call("luaGetStats", { fields: ["TotalDPS"] })).toMatchObject({ stats });
      }
    });
  }

  const hit = "ChaosMaximumHitTaken";
  const immune = worn("Immune to Chaos Damage");
  const mortal = worn("+5 to maximum Life");

  if (inLongTier) {
    test("from a number to endless is a great gain, back a great loss, and between two that are endless nothing", async () => {
      const input = { candidates: [mortal, immune], goal: { [hit]: 1 }, atLeast: { [hit]: 6000 } };
      expect(await best(input)).toMatchObject({
        base: { [hit]: 5000 },
        rows: [
          { candidate: 2, score: 1e9, lacking: 0, stats: { [hit]: "Infinity" } },
          { candidate: 1, score: 0, lacking: 1 / 6 },
        ],
        unknown: [],
      });
      await kernel.call("luaApply", immune);
      expect(await best(input)).toMatchObject({
        base: { [hit]: "Infinity" },
        rows: [
          { candidate: 2, score: 0, lacking: 0 },
          { candidate: 1, score: -1e9, lacking: 1 / 6 },
        ],
      });
      expect(
        await best({ candidates: mixed, goal: { Infinite: 1, TotalDPS: 1 }, atLeast: { Infinite: 5 } }),
      ).toMatchObject({
        rows: [
          { label: "gem", lacking: 0 },
          { label: "node" },
          { label: "hat" },
          { label: "level" },
          { label: "boss" },
        ],
        unknown: [],
      });
      const { plan } = (await kernel.call("luaFindBest", { points: 1, goal: { Infinite: 1, Life: 1 } })) as {
        plan: { score: number };
      };
      expect(plan.score).toBeGreaterThan(0);
      expect(plan.score).toBeLessThan(1);
    });
  }

  test("what counts and is no number, now or with a candidate, is named", async () => {
    expect(await best({ candidates: [mortal], goal: { IsTest: 1 }, show: ["Infinite"] })).toMatchObject({
      rows: [{ score: 0 }],
      unknown: ["IsTest"],
    });
    expect(await best({ candidates: [mortal], goal: { Life: 1 }, show: ["IsTest"] })).toMatchObject({ unknown: [] });
    const cursed = worn("Curse of No Number");
    expect(await best({ candidates: [cursed, mortal], goal: { [hit]: 1 }, atLeast: { [hit]: 1 } })).toMatchObject({
      rows: [
        { candidate: 2, score: 0 },
        { candidate: 1, score: -1, lacking: 1, stats: { [hit]: "NaN" } },
      ],
      unknown: [hit],
    });
    expect(await kernel.call("luaFindBest", { points: 1, goal: { Life: 1 }, atLeast: { IsTest: 1 } })).toMatchObject({
      unknown: ["IsTest"],
    });
  });

  if (inLongTier) {
    test("where what is left out changes the stats, all is computed in whole", async () => {
      const brave = worn("Foresight of 50");
      const { rows, whole } = await best({
        candidates: [{ level: 21 }, brave, { addNodes: [12] }],
        goal: { TotalDPS: 1 },
      });
      expect(whole).toBe(true);
      expect(rows.map(({ candidate }) => candidate)).toEqual([2, 3, 1]);
      await kernel.call("luaApply", brave);
      expect(await kernel.call("luaGetStats", { fields: ["TotalDPS"] })).toMatchObject({ stats: rows[0]?.stats });
    });

    test("it reports its progress, and is taken back with its copies; reads go on meanwhile", async () => {
      const stop = new AbortController();
      const read = Promise.withResolvers<unknown>();
      const reports: { progress: number; total?: number }[] = [];
      const onProgress = (report: { progress: number; total?: number }) => {
        reports.push(report);
        if (reports.length === 2)
          read.resolve(
            kernel.call("luaGetStats", { fields: ["Life"] }).then((answer) => {
              stop.abort();
              return answer;
            }),
          );
      };
      const refusal = await kernel.callForError(
        "luaFindBest",
        { candidates: [{ level: 21 }, { level: 22 }, { addNodes: [9002] }], workers: 1 },
        { signal: stop.signal, onProgress },
      );
      expect(refusal).toMatchObject({ code: "canceled" });
      expect(reports).toMatchObject([{ progress: 1, total: 3 }, { progress: 2 }]);
      expect(await read.promise).toMatchObject({ stats: { Life: 298 } });
      expect(await kernel.call("luaApply", { level: 21 })).toMatchObject({ meta: { recovered: false } });
    });
  }

  test("a stat that does not exist is refused before anything is tried", async () => {
    const candidates = [{ level: 21 }];
    for (const [input, path] of [
      [{ goal: { Lief: 1 } }, "goal.Lief"],
      [{ atLeast: { Lief: 1 } }, "atLeast.Lief"],
      [{ show: ["Life", "Lief"] }, "show[1]"],
    ] as const)
      expect(await kernel.callForError("luaFindBest", { candidates, ...input })).toMatchObject({
        code: "invalid_argument",
        issues: [{ path, fix: "did you mean Life?" }],
      });
    expect(await kernel.callForError("luaFindBest", { candidates, goal: {} })).toMatchObject({
      code: "invalid_argument",
    });
  });

  if (inLongTier) {
    test("a newer checkout, whose classes are constructed by a method, is driven the same", async () => {
      const newer = openTestKernel("fork", { POB_DRIVER: "shim" });
      await load(newer, buildXml());
      await newer.call("luaApply", { items: [amulet] });
      const input = { candidates: [{ anoints: [{ slot: "Amulet", node: "Hearty" }] }, helmet(60)], goal: { Life: 1 } };
      expect(await newer.call("luaFindBest", input)).toMatchObject({
        rows: [
          { candidate: 2, stats: { Life: 363 } },
          { candidate: 1, stats: { Life: 343 } },
        ],
      });
    });
  }
});
