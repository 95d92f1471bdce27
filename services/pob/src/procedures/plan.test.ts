/** Plans of passive nodes on random trees of the stand-in: as good as trying everything, where that can be done. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { buildXml, closeTestKernels, hasLuajit, load, openTestKernel } from "../testing/test-kernel.ts";

const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

interface Node {
  readonly id: number;
  readonly links: readonly number[];
  readonly inc: number;
  readonly life: number;
}
interface Plan {
  readonly nodes: readonly { readonly node: number }[];
  readonly score: number;
  readonly exact: boolean;
  readonly complete: boolean;
  readonly stats: Readonly<Record<string, number>>;
}

const start = 1;

/** A node is linked to one or two that come before it, so that most trees have branches and circles. */
const tree = (size: number): fc.Arbitrary<readonly Node[]> =>
  fc
    .array(
      fc.record({
        first: fc.nat(),
        second: fc.option(fc.nat()),
        inc: fc.integer({ min: -5, max: 20 }),
        life: fc.integer({ min: -30, max: 60 }),
      }),
      { minLength: 1, maxLength: size },
    )
    .map((rows) =>
      rows.map(({ first, second, inc, life }, at) => {
        const before = [start, ...rows.slice(0, at).map((_, index) => 100 + index)];
        const links = [first, ...(second === null ? [] : [second])].map(
          (pick) => before[pick % before.length] ?? start,
        );
        return { id: 100 + at, links: [...new Set(links)], inc, life };
      }),
    );

const inXml = (nodes: readonly Node[]): string =>
  buildXml({
    nodes: [start],
    masteries: "",
    notes: `TREE:\n${nodes.map(({ id, links, inc, life }) => `${id} Normal ${links.join(",")} inc=${inc} life=${life}`).join("\n")}\n`,
  });

/** What the stand-in computes: 30 % from the weapon. */
const scoreOf = (chosen: readonly Node[], lifeNow: number): number => {
  const inc = 30 + chosen.reduce((sum, node) => sum + node.inc, 0);
  const life = chosen.reduce((sum, node) => sum + node.life, 0);
  return 0.7 * ((1 + inc / 100) / 1.3 - 1) + (0.3 * life) / lifeNow;
};

const grown = (nodes: readonly Node[], chosen: ReadonlySet<number>): readonly Node[] =>
  nodes.filter(
    ({ id, links }) =>
      !chosen.has(id) &&
      (links.some((link) => link === start || chosen.has(link)) ||
        nodes.some((other) => chosen.has(other.id) && other.links.includes(id))),
  );

const bruteForce = (nodes: readonly Node[], points: number, lifeNow: number): number => {
  let best = 0;
  let level: ReadonlyMap<string, readonly Node[]> = new Map([["", []]]);
  for (let used = 0; used < points; used++) {
    const next = new Map<string, readonly Node[]>();
    for (const chosen of level.values())
      for (const node of grown(nodes, new Set(chosen.map(({ id }) => id)))) {
        const more = [...chosen, node].toSorted((a, b) => a.id - b.id);
        next.set(more.map(({ id }) => id).join(), more);
      }
    for (const chosen of next.values()) best = Math.max(best, scoreOf(chosen, lifeNow));
    level = next;
  }
  return best;
};

describe.runIf(hasLuajit)("a plan of passive nodes", () => {
  const goal = { TotalDPS: 0.7, Life: 0.3 };

  test("is as good as the best of all sets of up to four nodes, on any small tree", { timeout: 120_000 }, async () => {
    const kernel = openTestKernel("stock");
    await fc.assert(
      fc.asyncProperty(tree(9), fc.integer({ min: 1, max: 4 }), async (nodes, points) => {
        await load(kernel, inXml(nodes));
        const { base, plan } = (await kernel.call("luaFindBest", { points, goal })) as {
          base: { Life: number };
          plan: Plan;
        };
        expect(plan).toMatchObject({ exact: true, complete: true });
        expect(plan.score).toBeCloseTo(bruteForce(nodes, points, base.Life), 9);
        expect(plan.nodes.length).toBeLessThanOrEqual(points);
        const chosen = plan.nodes.map(({ node }) => node);
        chosen.forEach((id, at) => {
          const before = new Set(chosen.slice(0, at));
          expect(grown(nodes, before).map((node) => node.id)).toContain(id);
        });
      }),
      { numRuns: inLongTier ? 200 : 12 },
    );
  });

  const wide: Node[] = Array.from({ length: 60 }, (_, at) => ({
    id: 100 + at,
    links: at < 5 ? [start] : [100 + Math.floor((at - 5) / 2)],
    inc: (at * 7) % 13,
    life: at % 11 === 0 ? 120 : (at * 5) % 7,
  }));

  test("of a wide tree is no worse than the best path at a time, and its numbers are those of lua_calc_with", async () => {
    const kernel = openTestKernel("stock");
    await load(kernel, inXml(wide));
    const scores: number[] = [];
    for (const points of [6, 9]) {
      const { base, plan } = (await kernel.call("luaFindBest", { points, goal })) as {
        base: { Life: number };
        plan: Plan;
      };
      expect(plan).toMatchObject({ exact: false, complete: true });
      const greedy: Node[] = [];
      while (greedy.length < points) {
        const next = grown(wide, new Set(greedy.map(({ id }) => id)));
        const best = next.toSorted((a, b) => scoreOf([b], base.Life) - scoreOf([a], base.Life))[0];
        if (best === undefined) break;
        greedy.push(best);
      }
      expect(plan.score).toBeGreaterThanOrEqual(scoreOf(greedy, base.Life));
      scores.push(plan.score);
      const alone = (await kernel.call("luaCalcWith", {
        addNodes: plan.nodes.map(({ node }) => node),
        fields: ["TotalDPS", "Life"],
      })) as { changes: { name: string; new: number }[] };
      for (const change of alone.changes) expect(plan.stats[change.name]).toBe(change.new);
      expect(alone.changes.length).toBeGreaterThan(0);
    }
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 0);
  });

  if (inLongTier) {
    test("keeps the best so far when its time is up, and is taken back with its copy", async () => {
      const kernel = openTestKernel("stock");
      await load(kernel, buildXml({ classId: 1, nodes: [2], masteries: "" }));
      // Behind three points lies a node that never ends.
      const endless = { points: 3, goal: { TotalDPS: 1 }, seconds: 2 };
      const { plan } = (await kernel.call("luaFindBest", endless)) as { plan: Plan };
      expect(plan.complete).toBe(false);
      expect(plan.score).toBeGreaterThan(0);
      const stop = new AbortController();
      const refusal = await kernel.callForError(
        "luaFindBest",
        { ...endless, seconds: 60 },
        { signal: stop.signal, onProgress: () => stop.abort() },
      );
      expect(refusal).toMatchObject({ code: "canceled" });
      expect(await kernel.call("luaGetStats", { fields: ["Life"] })).toMatchObject({ meta: { recovered: false } });
    });
  }

  test("candidates and points are one or the other", async () => {
    const kernel = openTestKernel("stock");
    await load(kernel);
    for (const input of [{}, { points: 2, candidates: [{ level: 30 }] }])
      expect(await kernel.callForError("luaFindBest", input)).toMatchObject({ code: "invalid_argument" });
  });
});
