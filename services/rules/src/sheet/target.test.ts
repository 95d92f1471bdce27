/** Two creatures of one name are distinguished, with ids and without. */
import { expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { resolveGrapple } from "../resolve/contest.ts";
import { buildGame } from "../testing/case.ts";
import { findTarget, targetNames } from "./target.ts";

const one = buildGame({ player: { inventory: ["Club"] }, npc: { id: "" } }, "5.1");
const [goblin] = one.npcs;
const twins = { ...one, npcs: goblin === undefined ? [] : [goblin, { ...goblin, currentHp: 3 }] };

test("the message lists each, and each name finds its own", () => {
  expect(() => findTarget(twins, "Goblin")).toThrow(
    "several creatures in the scene could be meant: Goblin #1, Goblin #2",
  );
  expect(targetNames(twins)).toEqual(["Goblin #1", "Goblin #2"]);
  expect(findTarget(twins, "goblin #2")).toMatchObject({ name: "Goblin", currentHp: 3 });
});

test("the changes say which of them", () => {
  const { changes } = resolveAttack(twins, { weapon: "Club", target: "Goblin #2" }, scriptedDice([19, 2]));
  expect(changes).toMatchObject([{ who: "Goblin", id: "Goblin #2", field: "currentHp", value: 1 }]);
});

test("a creature that is alone keeps its name", () => {
  expect(findTarget(one, "Goblin")).toMatchObject({ name: "Goblin", id: "" });
  expect(targetNames(one)).toEqual(["Goblin"]);
});

const withIds = { ...twins, npcs: twins.npcs.map((npc, index) => ({ ...npc, id: `goblin-${index + 1}` })) };

test.each(["goblin-2", "GOBLIN-2", "Goblin (goblin-2)", "Goblin 2", "goblin #2"])(
  "%s is the second of two with ids",
  (written) => {
    expect(findTarget(withIds, written)).toMatchObject({ id: "goblin-2", currentHp: 3 });
  },
);

test("a grapple's change says which of them", () => {
  const intent = { attempt: "grapple", target: "Goblin 2", opposed: 0 } as const;
  const { changes } = resolveGrapple(withIds, intent, scriptedDice([19, 2]));
  expect(changes).toMatchObject([{ who: "Goblin", id: "goblin-2", value: "Grappled" }]);
});
