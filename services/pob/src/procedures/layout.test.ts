/** Where the nodes of the loaded tree are, and what they gain while a ranking goes on. */
import { afterEach, describe, expect, test } from "vitest";
import { buildXml, closeTestKernels, hasLuajit, load, openTestKernel } from "../testing/test-kernel.ts";

afterEach(closeTestKernels);

interface Layout {
  readonly nodes: readonly { readonly id: number; readonly lines: readonly string[] }[];
  readonly links: readonly object[];
}

describe.runIf(hasLuajit)("the layout", () => {
  test("has every node with its place, and every link once", async () => {
    const kernel = openTestKernel("stock");
    await load(kernel);
    const { nodes, links } = (await kernel.call("luaGetLayout")) as Layout;
    expect(nodes.find(({ id }) => id === 12)).toEqual({
      id: 12,
      x: 120,
      y: 100,
      name: "Deep Thoughts",
      type: "Notable",
      lines: ["+20 inc", "+40 mana"],
    });
    expect(links).toContainEqual({ from: 11, to: 12 });
    expect(new Set(links.map((link) => JSON.stringify(link))).size).toBe(links.length);
    expect(nodes.map(({ id }) => id)).toEqual(nodes.map(({ id }) => id).toSorted((a, b) => a - b));
  });

  test("says what an arc goes around", async () => {
    const kernel = openTestKernel("stock");
    const notes =
      'TREE:\n5 Normal 1 at 100 0 around 0 0 "A"\n6 Normal 5 at 0 100 around 0 0\n7 Normal 6 at 300 0 around 9 9';
    await load(kernel, buildXml({ notes, nodes: [], masteries: "" }));
    expect((await kernel.call("luaGetLayout")) as Layout).toMatchObject({
      nodes: expect.arrayContaining([{ id: 5, x: 100, y: 0, name: "A", type: "Normal", lines: [] }]),
      links: expect.arrayContaining([
        { from: 5, to: 6, center: { x: 0, y: 0 } },
        { from: 6, to: 7 },
      ]),
    });
  });

  test("needs a build, and a driver that can say it", async () => {
    expect(await openTestKernel("stock").callForError("luaGetLayout")).toMatchObject({ reason: "not_loaded" });
    const fork = openTestKernel("fork");
    await load(fork);
    expect(await fork.callForError("luaGetLayout")).toMatchObject({ reason: "unsupported" });
  });
});

interface Part {
  readonly done: number;
  readonly total: number;
  readonly gains: readonly { readonly node: number; readonly perPoint: number }[];
  readonly ranked: { readonly nodes: readonly { readonly node: number; readonly perPoint: number }[] } | null;
}

describe.runIf(hasLuajit)("a ranking that is followed", () => {
  test("says each gain once, and ends with the ranking that a query gives", async () => {
    const kernel = openTestKernel("stock");
    await load(kernel, buildXml({ classId: 1, nodes: [2, 30], masteries: "" }));
    const parts = (await kernel.collect("luaFollowRanking", { maxPoints: 2, limit: 500 })) as readonly Part[];
    const last = parts.at(-1);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.map(({ done }) => done)).toEqual(parts.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(parts.slice(0, -1).every(({ ranked }) => ranked === null)).toBe(true);
    const { meta: _, ...ranked } = (await kernel.call("luaRankNodes", { maxPoints: 2, limit: 500 })) as Record<
      string,
      unknown
    >;
    expect(last?.ranked).toEqual(ranked);
    const followed = parts.flatMap(({ gains }) => gains).toSorted((a, b) => a.node - b.node);
    const wanted = last?.ranked?.nodes
      .map(({ node, perPoint }) => ({ node, perPoint }))
      .toSorted((a, b) => a.node - b.node);
    expect(followed).toEqual(wanted);
  });

  test("is refused without a build", async () => {
    await expect(openTestKernel("stock").collect("luaFollowRanking", {})).rejects.toThrow("no build is loaded");
  });
});
