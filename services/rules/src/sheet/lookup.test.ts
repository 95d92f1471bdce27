/** A question back: short lists, and a true count of what they leave out. */
import { expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { lookUp } from "./lookup.ts";

const rings = Array.from({ length: 60 }, (_, index) => ({ name: `ring ${index}`, value: index }));
const asking = (wanted: string) => {
  try {
    lookUp(wanted, rings, { what: "weapon", reason: "unknown_weapon", several: "several", none: "none" });
  } catch (thrown) {
    if (isRefusal(thrown)) return { message: thrown.message, data: thrown.data };
  }
  return undefined;
};

test("several matches: eight in the message and how many more, twenty in the data", () => {
  expect(asking("ring")).toEqual({
    message: "several: ring 0, ring 1, ring 2, ring 3, ring 4, ring 5, ring 6, ring 7 and 52 more",
    data: { what: "weapon", name: "ring", candidates: rings.slice(0, 20).map(({ name }) => name) },
  });
});

test("no match: the same of what is known, forty in the data", () => {
  expect(asking("sling")).toMatchObject({
    message: expect.stringMatching(/ring 7 and 52 more$/),
    data: { name: "sling", known: rings.slice(0, 40).map(({ name }) => name) },
  });
});

test("no match, but a name near it: that one is asked about", () => {
  expect(asking("rign 12")?.message).toMatch(/^none; did you mean ring 12\?; known: ring 0, /);
  expect(asking("sling")?.message).toMatch(/^none; known: /);
});

test("one match is the thing", () => {
  const sought = { what: "weapon", reason: "unknown_weapon", several: "several", none: "none" } as const;
  expect(lookUp("ring 59", rings, sought)).toBe(59);
});
