/** Replay: what was answered is proved, and what was changed afterwards is found. */
import type { Question, RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { gameOf } from "../cases/case.fixture.ts";
import { scripted, seeded } from "../dice/source.ts";
import { settle } from "../settle.ts";
import { replay } from "./replay.ts";

const game = gameOf({ player: { inventory: ["Mace"], stats: { strength: 16 } }, npc: { ac: 5 } }, "5.1");
const question: Question = { kind: "attack", intent: { weapon: "Mace", target: "Goblin" } };
const fromSeed = settle(game, question, seeded("proof", "server"));

describe("proves", () => {
  test("a seeded result", () => {
    expect(replay(game, question, fromSeed)).toEqual({ proved: true, differences: [], dice: "seed" });
  });

  test("a result of given dice, spare ones included", () => {
    const given = settle(game, question, scripted([15, 4, 6, 6]));
    expect(replay(game, question, given)).toEqual({ proved: true, differences: [], dice: "values" });
  });

  test("a result after a way through JSON", () => {
    expect(replay(game, question, JSON.parse(JSON.stringify(fromSeed)) as RollResult).proved).toBe(true);
  });
});

describe("finds", () => {
  const damage = fromSeed.damage;
  const draws = fromSeed.dice?.draws ?? [];
  const tampered: readonly { readonly name: string; readonly change: Partial<RollResult>; readonly path: string }[] = [
    { name: "another total", change: { total: 30 }, path: "total" },
    {
      name: "more damage",
      change: { ...(damage !== undefined && { damage: { ...damage, totalDamage: 99 } }) },
      path: "damage.totalDamage",
    },
    {
      name: "a better die, seed kept",
      change: {
        ...(fromSeed.dice !== undefined && {
          dice: {
            ...fromSeed.dice,
            draws: draws.with(0, { sides: 20, value: 20, purpose: "attack roll", stream: "attack roll" }),
          },
        }),
      },
      path: "dice.draws[0].value",
    },
    { name: "a change left out", change: { changes: [] }, path: "changes[0]" },
  ];
  test.each(tampered)("$name", ({ change, path }) => {
    const verdict = replay(game, question, { ...fromSeed, ...change });
    expect(verdict.proved).toBe(false);
    expect(verdict.differences.map((difference) => difference.path)).toContain(path);
  });
});
