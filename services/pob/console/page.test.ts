/** What the page of builds computes without a browser: stats in words, views of a tree, the node under a pointer, and how warm nodes are. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CuratedStat, LayoutNode } from "./api.ts";
import { changeText, parseConfig, signed, statGroups, statText } from "./figures.ts";
import { centerOn, fitView, heatStep, heatSteps, indexNodes, leastScale, mostScale, zoomAt } from "./tree-scene.ts";

const stat = (name: CuratedStat["name"], value: number, better: CuratedStat["better"] = "higher"): CuratedStat => ({
  name,
  label: name,
  value,
  unit: "number",
  better,
  group: "pool",
});

describe("stats", () => {
  test("have their units", () => {
    expect(statText(1_234.56, "number")).toBe("1,234.6");
    expect(statText(75, "percent")).toBe("75 %");
    expect(statText(1.255, "multiplier")).toBe("×1.26");
    expect([signed(3), signed(-3), signed(0)]).toEqual(["+3", "-3", "0"]);
    expect([changeText(null), changeText("yes"), changeText(2)]).toEqual(["–", "yes", "2"]);
  });

  test("say which change is good, by the stat's own direction", () => {
    const now = [stat("Life", 20), stat("ManaCost", 9, "lower"), stat("Mana", 5), stat("Str", 1)];
    const before = [stat("Life", 10), stat("ManaCost", 8, "lower"), stat("Mana", 5)];
    const [pool] = statGroups(now, before);
    expect(pool?.rows.map(({ name, before: old, verdict }) => [name, old, verdict])).toEqual([
      ["Life", 10, "better"],
      ["ManaCost", 8, "worse"],
      ["Mana", 5, "same"],
      ["Str", undefined, "same"],
    ]);
  });

  test("options are read with their types, and null resets one", () => {
    expect(parseConfig("enemyIsBoss=Pinnacle, count = 3,on=true,off=null,nothing,a=b=c")).toEqual({
      enemyIsBoss: "Pinnacle",
      count: 3,
      on: true,
      off: null,
      a: "b=c",
    });
  });
});

const node = (id: number, x: number, y: number): LayoutNode => ({ id, x, y, name: "", type: "Normal", lines: [] });
const place = fc.integer({ min: -12_000, max: 12_000 });
const size = { width: 800, height: 560 };

describe("a tree", () => {
  test("fits as a whole, whatever its form", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 50 }), (places) => {
        const { scale, left, top } = fitView(
          places.map(([x, y], id) => node(id, x, y)),
          size,
        );
        for (const [x, y] of places) {
          expect(x * scale + left).toBeGreaterThanOrEqual(0);
          expect(x * scale + left).toBeLessThanOrEqual(size.width);
          expect(y * scale + top).toBeGreaterThanOrEqual(0);
          expect(y * scale + top).toBeLessThanOrEqual(size.height);
        }
      }),
    );
  });

  test("is zoomed around the pointer, within limits", () => {
    const point = fc.record({ x: fc.integer({ min: 0, max: 800 }), y: fc.integer({ min: 0, max: 560 }) });
    fc.assert(
      fc.property(point, fc.double({ min: 0.01, max: 100, noNaN: true }), (at, by) => {
        const before = { scale: 0.1, left: 40, top: -30 };
        const after = zoomAt(before, by, at);
        expect(after.scale).toBeGreaterThanOrEqual(leastScale);
        expect(after.scale).toBeLessThanOrEqual(mostScale);
        expect((at.x - after.left) / after.scale).toBeCloseTo((at.x - before.left) / before.scale, 3);
        expect((at.y - after.top) / after.scale).toBeCloseTo((at.y - before.top) / before.scale, 3);
      }),
    );
  });

  test("has the node under the pointer, found among its neighbours as by trying all", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 60 }), fc.nat(), (places, pick) => {
        const nodes = places.map(([x, y], id) => node(id, x, y));
        const wanted = nodes[pick % nodes.length];
        if (wanted === undefined) return;
        const view = centerOn(wanted, 0.1, size);
        const found = indexNodes(nodes)({ x: size.width / 2, y: size.height / 2 }, view);
        // Another one may lie at the very same place.
        expect([found?.x, found?.y]).toEqual([wanted.x, wanted.y]);
      }),
    );
    expect(indexNodes([node(1, 0, 0)])({ x: 400, y: 280 }, { scale: 1, left: 0, top: 0 })).toBe(undefined);
  });

  test("is as warm as its nodes are worth", () => {
    expect([heatStep(0, 10), heatStep(-4, 10), heatStep(0.01, 10), heatStep(10, 10), heatStep(1, 0)]).toEqual([
      0,
      0,
      1,
      heatSteps,
      0,
    ]);
  });
});
