/** Trees, sets, groups, flasks and notes of a build; new builds; searches; and what edits answer. On the stand-in. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { closeTestKernels, hasLuajit, load, openTestKernel, type PobTestKernel } from "../testing/test-kernel.ts";

const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

interface Parts {
  readonly sets: Readonly<Record<"tree" | "items" | "skills", readonly { title: string; active: boolean }[]>>;
  readonly groups: readonly unknown[];
}

const flask = { slot: "Flask 1", text: "Rarity: RARE\nDrink\nLife Flask\n+100 to maximum Life" };

describe.runIf(hasLuajit)("the whole build", () => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = openTestKernel("stock");
    await load(kernel);
  });
  const apply = (changes: object) => kernel.call("luaApply", changes);
  const stat = async (name: string) =>
    ((await kernel.call("luaGetStats", { fields: [name] })) as { stats: Record<string, number> }).stats[name];
  const parts = () => kernel.call("luaGetParts") as Promise<Parts>;
  const active = async (of: "tree" | "items" | "skills") =>
    (await parts()).sets[of].map(({ title, active }) => (active ? `${title}*` : title));

  test("trees are made, copied, selected, renamed and removed; each has its own nodes", async () => {
    await apply({ sets: [{ of: "tree", do: "rename", set: 1, title: "now" }] });
    await apply({ sets: [{ of: "tree", do: "copy", set: "now", title: "later" }], addNodes: [12] });
    expect(await active("tree")).toEqual(["now", "later*"]);
    expect(await stat("SpellDamageInc")).toBe(78);
    await apply({ sets: [{ of: "tree", do: "select", set: "now" }] });
    expect(await stat("SpellDamageInc")).toBe(58);
    await apply({ sets: [{ of: "tree", do: "new", title: "empty" }] });
    expect(await kernel.call("luaGetTree")).toMatchObject({ classId: 3, nodes: [1] });
    await apply({ sets: [{ of: "tree", do: "remove", set: "empty" }] });
    expect(await active("tree")).toEqual(["now", "later*"]);
    await kernel.call("luaUndo");
    expect(await active("tree")).toEqual(["now", "later", "empty*"]);
  });

  test("sets of items and of skills hold what is worn and socketed in them", async () => {
    const set = (of: string, what: object) => ({ sets: [{ of, ...what }] });
    await apply(set("items", { do: "new", title: "bare" }));
    expect(await stat("Life")).toBe(278);
    await apply(set("items", { do: "copy", set: 1, title: "again" }));
    expect(await stat("Life")).toBe(298);
    await apply(set("skills", { do: "copy", set: 1, title: "strong" }));
    await apply({ gems: [{ group: 1, gem: 1, level: 20 }] });
    const strong = await stat("TotalDPS");
    await apply(set("skills", { do: "select", set: 1 }));
    expect(await stat("TotalDPS")).toBeCloseTo((strong ?? 0) / 2);
    expect(await active("items")).toEqual(["Default", "bare", "again*"]);
    expect(await active("skills")).toEqual(["Default*", "strong"]);
    await apply(set("items", { do: "remove", set: "again" }));
    expect(await active("items")).toEqual(["Default", "bare*"]);
  });

  test("skill groups are made, switched, counted and removed; flasks and parts count when they are on", async () => {
    const dps = await stat("TotalDPS");
    expect(await apply({ groups: [{ group: 1, part: 2 }] })).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ name: "TotalDPS", new: 2 * (dps ?? 0) })]),
    });
    await apply({ groups: [{ group: 1, enabled: false }] });
    expect(await stat("TotalDPS")).toBe(0);
    await apply({ groups: [{ label: "second", inFullDps: true }], gems: [{ group: 2, gem: 1, name: "Spark" }] });
    await apply({ mainSocketGroup: 2 });
    expect(await stat("FullDPS")).toBe(await stat("TotalDPS"));
    expect((await parts()).groups).toMatchObject([
      { enabled: false },
      { label: "second", inFullDps: true, main: true },
    ]);
    await apply({ groups: [{ group: 1, remove: true }] });
    expect((await parts()).groups).toMatchObject([{ label: "second", main: true }]);
    await apply({ items: [flask] });
    const life = await stat("Life");
    await apply({ flasks: [{ slot: "Flask 1", active: true }] });
    expect(await stat("Life")).toBe((life ?? 0) + 100);
  });

  test("notes are read and written, and survive the process", async () => {
    await apply({ notes: "buy <amulet>" });
    expect(await parts()).toMatchObject({ notes: "buy <amulet>" });
    await kernel.callForError("luaApply", { addNodes: [9001] });
    expect(await parts()).toMatchObject({ notes: "buy <amulet>" });
  });

  test.each(
    (
      [
        [{ sets: [{ of: "tree", do: "select", set: "nwo" }] }, /^there is no tree nwo; there are 1 \(Default\)/],
        [{ sets: [{ of: "items", do: "remove", set: 1 }] }, /^the only set of items of a build stays/],
        [{ groups: [{ group: 7, enabled: true }] }, /^there is no skill group 7/],
        [{ groups: [{ group: 1, part: 3 }] }, /has no part 3; there are 1 \(One\), 2 \(All\)/],
        [{ groups: [{ group: 1, activeSkill: 4 }] }, /^group 1 has 1 active skills, and no 4/],
        [{ groups: [{ slot: "Helmt" }] }, /did you mean Helmet/],
        [{ flasks: [{ slot: "Helmet", active: true }] }, /^there is no slot Helmet for a flask; there are Flask 1/],
        [{ flasks: [{ slot: "Flask 1", active: true }] }, /^there is no flask in Flask 1/],
      ] as const
    ).filter((_, at) => inLongTier || at % 4 === 0),
  )("%j is refused whole, with what there is", async (changes, message) => {
    const before = await kernel.call("luaGetStats");
    const refusal = { reason: "bad_change", message: expect.stringMatching(message) };
    expect(await kernel.callForError("luaApply", { level: 50, ...changes })).toMatchObject(refusal);
    expect(await kernel.call("luaGetStats")).toEqual(before);
  });

  test("an edit, a tree and an undo answer what they did to the stats", async () => {
    const edited = { changed: expect.any(Number), changes: expect.any(Array) };
    expect(await apply({ level: 21 })).toMatchObject(edited);
    expect(await kernel.call("luaUndo")).toMatchObject({
      changes: expect.arrayContaining([{ name: "Life", old: 310, new: 298, delta: -12 }]),
    });
    const tree = (await kernel.call("luaGetTree")) as { nodes: number[] };
    expect(await kernel.call("luaSetTree", { ...tree, nodes: [...tree.nodes, 20] })).toMatchObject({
      changes: expect.arrayContaining([{ name: "Life", old: 298, new: 308, delta: 10 }]),
    });
  });

  test("the tree names its nodes, with their lines", async () => {
    await apply({ addNodes: [12] });
    expect(await kernel.call("luaGetTree")).toMatchObject({
      named: [
        { node: 12, name: "Deep Thoughts", type: "Notable", lines: ["+20 inc", "+40 mana"] },
        { node: 40, name: "Spell Mastery", type: "Mastery" },
      ],
    });
  });

  test("a new build is loaded in place of the old one, and classes are named", async () => {
    const wanted = { className: "witch", ascendancy: "Occultist", level: 90 };
    expect(await kernel.call("luaNewBuild", wanted)).toMatchObject({
      className: "Witch",
      ascendancy: "Occultist",
      level: 90,
      treeVersion: "3_28",
      notices: [],
    });
    for (const [wrong, message] of [
      [{ className: "Wich" }, /no class Wich; did you mean Witch/],
      [{ className: "Witch", ascendancy: "Slayer" }, /Witch has no ascendancy Slayer; there are Occultist/],
      [{ className: "Witch", treeVersion: "9_99" }, /9_99 is not known/],
    ] as const)
      expect(await kernel.callForError("luaNewBuild", wrong)).toMatchObject({
        reason: "unknown_tree",
        message: expect.stringMatching(message),
      });
  });

  test("nodes, gems, uniques, bases and options are found by names and lines, whole names first", async () => {
    const find = async (text: string, kinds?: string[]) =>
      ((await kernel.call("luaSearch", { text, kinds })) as { found: { kind: string; name: string }[] }).found.map(
        ({ kind, name }) => `${kind} ${name}`,
      );
    expect(await find("arc")).toEqual(["gem Arc"]);
    expect((await find("life", ["node"]))[0]).toBe("node Life");
    expect(await find("mana deep")).toEqual(["node Deep Thoughts"]);
    expect(await find("goldrim")).toEqual(["unique Goldrim"]);
    expect(await find("pinnacle boss", ["option"])).toEqual(["option enemyIsBoss"]);
    expect(await find("wand", ["base"])).toEqual(["base Driftwood Wand"]);
    expect(await kernel.call("luaSearch", { text: "furrow", limit: 3 })).toMatchObject({ total: 200 });
  });

  if (inLongTier) {
    test("a fork refuses what its protocol cannot change", async () => {
      const fork = openTestKernel("fork");
      await load(fork);
      for (const changes of [{ notes: "x" }, { anoints: [{ slot: "Amulet", node: "Hearty" }] }])
        expect(await fork.callForError("luaApply", changes)).toMatchObject({ reason: "unsupported" });
    });
  }
});
