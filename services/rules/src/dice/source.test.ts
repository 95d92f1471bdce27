/** Dice: the stated algorithm, its evenness, independent streams, and dice brought by the player. */
import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { scriptedDice, seededDice } from "./source.ts";

const roll = (seed: string, stream: string, sides: number, count: number): number[] => {
  const dice = seededDice(seed, "caller");
  return Array.from({ length: count }, () => dice.roll(sides, stream, stream));
};

describe("seeded", () => {
  test("the draws of a seed never change (faces worked out by another program in another language)", () => {
    expect(roll("fairlead", "attack roll", 20, 10)).toEqual([11, 6, 14, 7, 8, 13, 12, 13, 4, 7]);
    expect(roll("é", "damage: Rapier", 6, 8)).toEqual([3, 6, 1, 5, 1, 2, 4, 1]);
  });

  test("they follow from SHA-256 as the contract says", () => {
    const words = (block: number) => {
      const digest = createHash("sha256").update(`attack roll|${block}|any seed`).digest();
      return Array.from({ length: 8 }, (_, index) => digest.readUInt32BE(index * 4));
    };
    const limit = Math.floor(2 ** 32 / 20) * 20;
    const expected = [0, 1, 2]
      .flatMap(words)
      .filter((word) => word < limit)
      .map((word) => 1 + (word % 20));
    expect(roll("any seed", "attack roll", 20, expected.length)).toEqual(expected);
  });

  test("a label splits a seed into dice of their own, whose streams carry its name", () => {
    const faces = (label?: string) => {
      const dice = seededDice("turn 12", "caller", label);
      const rolled = Array.from({ length: 30 }, () => dice.roll(20, "attack roll", "attack roll"));
      return { rolled, record: dice.record() };
    };
    const [plain, first, second] = [faces(), faces("first ray"), faces("second ray")];
    expect(first.rolled).toEqual(faces("first ray").rolled);
    expect(first.rolled).not.toEqual(second.rolled);
    expect(first.rolled).not.toEqual(plain.rolled);
    expect(first.record).toMatchObject({ seed: "turn 12", label: "first ray" });
    expect(first.record.draws[0]?.stream).toBe("first ray/attack roll");
    expect(first.rolled).toEqual(roll("turn 12", "first ray/attack roll", 20, 30));
  });

  test("a die in one stream moves no die in another", () => {
    const alone = seededDice("s", "caller");
    const mixed = seededDice("s", "caller");
    const first = [alone.roll(20, "a", "a"), alone.roll(20, "a", "a")];
    const again = [mixed.roll(20, "a", "a")];
    for (let index = 0; index < 20; index += 1) mixed.roll(6, "b", "b");
    again.push(mixed.roll(20, "a", "a"));
    expect(again).toEqual(first);
  });

  test("every draw is on record, in order", () => {
    const dice = seededDice("s", "server");
    const values = [dice.roll(20, "attack roll", "attack roll"), dice.roll(6, "Rapier", "damage: Rapier")];
    expect(dice.record()).toMatchObject({ source: "seed", seed: "s", madeBy: "server", unused: 0 });
    expect(dice.record().draws.map(({ value }) => value)).toEqual(values);
  });

  test("every face lies between 1 and the sides", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1_000 }), (seed, sides) => {
        for (const face of roll(seed, "x", sides, 20)) {
          expect(face).toBeGreaterThanOrEqual(1);
          expect(face).toBeLessThanOrEqual(sides);
        }
      }),
    );
  });

  test.each([4, 6, 8, 10, 12, 20, 7])("60,000 rolls of a d%i are even (chi-squared, fixed seed)", (sides) => {
    const counts = new Array<number>(sides).fill(0);
    for (const face of roll("evenness", `d${sides}`, sides, 60_000)) counts[face - 1] = (counts[face - 1] ?? 0) + 1;
    const mean = 60_000 / sides;
    const chi = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
    const freedom = sides - 1;
    expect(chi).toBeLessThan(freedom + 4 * Math.sqrt(2 * freedom));
  });
});

describe("scripted", () => {
  test("hands out what was given, and counts what is left", () => {
    const dice = scriptedDice([3, 4, 5]);
    expect([dice.roll(20, "a", "a"), dice.roll(6, "b", "b")]).toEqual([3, 4]);
    expect(dice.record()).toMatchObject({ source: "values", madeBy: "caller", unused: 1 });
  });

  const refused = (values: readonly number[], sides: number) => {
    try {
      scriptedDice(values).roll(sides, "attack roll", "attack roll");
    } catch (thrown) {
      if (isRefusal(thrown)) return thrown;
    }
    return undefined;
  };

  test("too few dice name the one that is missing", () => {
    expect(refused([], 20)).toMatchObject({
      reason: "not_enough_dice",
      data: { given: 0, sides: 20, purpose: "attack roll" },
    });
  });

  test("a face that the die does not have names its place", () => {
    expect(refused([21], 20)).toMatchObject({
      reason: "impossible_die",
      data: { position: 0, value: 21, sides: 20, purpose: "attack roll" },
    });
  });
});
