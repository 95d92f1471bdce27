import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTree, summarizeBuild } from "../../build/summary.ts";
import { type Element, parseXml } from "../../build/xml.ts";
import { createXmlEditor } from "../../build/xml-edit.ts";
import { buildXml } from "../../testing/test-kernel.ts";
import type { BuildChanges } from "../engine.ts";
import { type ChangedBuild, findRefusedChange, withChanges, withTree } from "./changed-build.ts";
import { readParts } from "./parts.ts";

const rootOf = (xml: string): Element => {
  const parsed = parseXml(xml);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed.root;
};
const changed = (outcome: ChangedBuild): Element => {
  if (!outcome.ok) throw new Error(outcome.why);
  return rootOf(outcome.xml);
};
const buildWith = (changes: BuildChanges) => changed(withChanges(buildXml(), changes));

describe("an edit of XML", () => {
  const word = fc.constantFrom("a", "b", "wörd", "𝄞", "&amp;", "&lt;", "x > y", " \n");
  const tree: fc.Arbitrary<string> = fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(fc.constantFrom("p", "q"), word, fc.array(fc.oneof(word, tie("element")), { maxLength: 3 }))
      .map(([name, value, inside]) =>
        inside.length === 0 ? `<${name} v='${value}'/>` : `<${name} v="${value}">${inside.join("")}</${name}>`,
      ),
  })).element;
  const every = (element: Element): readonly Element[] => [element, ...element.children.flatMap(every)];

  test("changes what it was asked to, and nothing else", () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.string(), (xml, pick, value) => {
        const all = every(rootOf(xml));
        const one = all[pick % all.length];
        if (one === undefined) return;
        const edit = createXmlEditor(xml);
        const text = value.replace(/[^\x20-\uD7FF]/g, "");
        edit.set(one, { v: text, w: "1" });
        edit.append(one, "<new/>");
        const again = every(rootOf(edit.text()));
        expect(again.filter(({ children }) => children.at(-1)?.name === "new")).toEqual([
          expect.objectContaining({ attributes: { v: text, w: "1" } }),
        ]);
        const rest = again.filter(({ name }) => name !== "new");
        expect(rest.map(({ name, text: own }) => [name, own])).toEqual(all.map(({ name, text: own }) => [name, own]));
        expect(rest[pick % all.length]?.attributes).toEqual({ v: text, w: "1" });
        const others = rest.filter((_, index) => index !== pick % all.length).map(({ attributes }) => attributes);
        expect(others).toEqual(all.filter((each) => each !== one).map(({ attributes }) => attributes));
      }),
    );
  });
});

test("another tree is put into the active spec only", () => {
  const xml =
    '<PathOfBuilding><Tree activeSpec="2"><Spec nodes="1" classId="1"/><Spec nodes="2" classId="1"><URL/></Spec></Tree></PathOfBuilding>';
  const outcome = withTree(xml, { classId: 3, ascendClassId: 1, nodes: [5, 6], masteryEffects: { 40: 101 } });
  expect(readTree(changed(outcome))).toMatchObject({ classId: 3, nodes: [5, 6], masteryEffects: { 40: 101 } });
  expect(outcome).toMatchObject({ xml: expect.stringContaining('<Spec nodes="1" classId="1"/>') });
  expect(outcome).toMatchObject({ xml: expect.stringContaining("><URL/></Spec>") });
});

describe("changes of a build", () => {
  test("are found in it again", () => {
    const root = buildWith({
      level: 42,
      addNodes: [12],
      removeNodes: [11],
      masteryEffects: { 40: 100 },
      items: [{ slot: "Weapon 1", text: "Rarity: MAGIC\nWand of <Fire> & Ice" }],
      gems: [
        { group: 1, gem: 1, level: 20, enabled: false },
        { group: 1, gem: 2, name: 'Spark "s"' },
      ],
      config: { enemyIsBoss: "Pinnacle", enemyLevel: 80, buffOnslaught: true },
    });
    expect(summarizeBuild(root)).toMatchObject({
      level: 42,
      tree: { nodes: [1, 10, 12, 40], masteryEffects: { 40: 100 } },
      skills: [{ gems: [{ name: "Arc", level: 20, enabled: false }, { name: 'Spark "s"' }] }],
    });
    expect(readParts(root)).toMatchObject({
      items: [{ slot: "Weapon 1", name: "Wand of <Fire> & Ice", rarity: "MAGIC" }],
      config: { enemyIsBoss: "Pinnacle", enemyLevel: 80, buffOnslaught: true },
    });
  });

  test("that take away leave nothing behind", () => {
    const root = buildWith({
      items: [{ slot: "Weapon 1" }],
      gems: [{ group: 1, gem: 1, remove: true }],
      config: { enemyIsBoss: null },
    });
    expect(readParts(root)).toMatchObject({ items: [], groups: [{ gems: [] }], config: {} });
  });

  test("a build without changes is the same build", () => {
    expect(summarizeBuild(buildWith({}))).toEqual(summarizeBuild(rootOf(buildXml())));
  });

  test.each<[string, BuildChanges, RegExp]>([
    ["an unknown slot", { items: [{ slot: "Nose" }] }, /no slot Nose; there are Weapon 1$/],
    ["a mistyped slot", { items: [{ slot: "weapn 1" }] }, /no slot weapn 1; did you mean Weapon 1\?/],
    ["an unknown group", { gems: [{ group: 9, gem: 1, level: 1 }] }, /no skill group 9/],
    ["a gem that is not there", { gems: [{ group: 1, gem: 2, level: 1 }] }, /no gem 2; a new one goes to place 2/],
    [
      "two changes of one gem",
      {
        gems: [
          { group: 1, gem: 1, level: 1 },
          { group: 1, gem: 1, remove: true },
        ],
      },
      /two/,
    ],
    ["an unknown main skill", { mainSocketGroup: 7 }, /no skill group 7/],
  ])("%s is refused with the reason", (_name, changes, why) => {
    expect(withChanges(buildXml(), changes)).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  test("what was not taken over is seen in the export", () => {
    const item: BuildChanges = { items: [{ slot: "Weapon 1", text: "Rarity: RARE\nA\nB" }] };
    expect(findRefusedChange(buildXml(), item)).toBeUndefined();
    expect(findRefusedChange(buildXml().replace('itemId="1"', 'itemId="0"'), item)).toMatch(
      /does not go into Weapon 1/,
    );
    expect(findRefusedChange(buildXml(), { gems: [{ group: 1, gem: 1, name: "Fireworks" }] })).toMatch(
      /no gem Fireworks/,
    );
  });
});
