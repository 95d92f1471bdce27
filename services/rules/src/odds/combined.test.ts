/** Odds of several rolls together: known values, every fall of the dice counted by the resolvers, and what cannot be done. */
import type { AttackIntent, CombinedQuestion, Game } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import type { Dice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { resolveContest } from "../resolve/contest.ts";
import { rollDeathSave } from "../resolve/death-save.ts";
import { isRefusal } from "../result/refusal.ts";
import { buildGame, type Case, features } from "../testing/case.ts";
import { everyFall } from "../testing/every-run.ts";
import { computeCombinedOdds } from "./answer.ts";
import { listProbabilities, weighted } from "./distribution.ts";
import { toFraction } from "./fraction.ts";

const counted = (play: (dice: Dice) => number) => {
  const falls = everyFall(play);
  const whole = falls.reduce((most, { ways }) => (most % ways === 0n ? most : most * ways), 1n);
  return listProbabilities(weighted(falls.map(({ value, ways }) => [value, whole / ways] as const))).map(
    ({ value, probability }) => ({ value, probability: toFraction(probability) }),
  );
};

/** Each attack with what those before it used this turn. */
const playTurn = (game: Game, intents: readonly AttackIntent[], dice: Dice): number => {
  let { scene } = game;
  return intents.reduce((total, intent) => {
    const { changes, damage } = resolveAttack({ ...game, scene }, intent, dice);
    const used = changes.filter(({ field }) => field === "scene.usedThisTurn").map(({ value }) => String(value));
    scene = { ...scene, usedThisTurn: [...scene.usedThisTurn, ...used] };
    return total + (damage?.totalDamage ?? 0);
  }, 0);
};

const rogue: Case["player"] = {
  characterClass: "Rogue",
  weaponProficiencies: ["Simple Weapons"],
  inventory: ["Dagger"],
  weaponDamage: { Dagger: { dice: "1d2", stat: "finesse" } },
  ...features("Sneak Attack"),
};
const stab = { weapon: "Dagger", target: "Goblin" };
const ask = (game: Game, question: CombinedQuestion) => computeCombinedOdds(game, question);
const turn = (...intents: AttackIntent[]): CombinedQuestion => ({
  kind: "turn",
  attacks: intents.map((intent) => ({ ...intent, attack: "action" })),
});

describe("the attacks of a turn", () => {
  test("are those that the resolver plays, one after the other", () => {
    const game = buildGame({ player: rogue, npc: { ac: 13 } }, "5.1");
    const odds = ask(game, turn(stab, stab));
    expect(odds.distribution).toEqual(counted((dice) => playTurn(game, [stab, stab], dice)));
    expect(odds.of).toBe("2 attacks");
  });

  test("have one Sneak Attack, that of the first hit", () => {
    const player = {
      ...rogue,
      features: [{ name: "Sneak Attack", scalingFormula: "1d2" }],
    };
    const game = buildGame({ player, npc: { ac: 13 } }, "5.1");
    const sneak = { ...stab, extra_damage_sources: ["Sneak Attack"] };
    const odds = ask(game, turn(sneak, sneak));
    expect(odds.distribution).toEqual(counted((dice) => playTurn(game, [sneak, sneak], dice)));
    expect(odds.success.fraction).toBe("3/4");
    expect(odds.notes).toContain("No Sneak Attack");
  });

  test("a Guiding Bolt gives advantage to the next one", () => {
    const player = {
      characterClass: "Cleric",
      stats: { wisdom: 10 },
      knownSpells: ["Guiding Bolt"],
      inventory: ["Club"],
      weaponProficiencies: ["Club"],
    };
    const game = buildGame({ player, npc: { ac: 13 } }, "5.1");
    const odds = ask(game, turn({ weapon: "Guiding Bolt", target: "Goblin" }, { weapon: "Club", target: "Goblin" }));
    // Half of the bolts hit; then the club hits with 3/4, else with 1/2.
    expect(odds.success.fraction).toBe("3/4");
    expect(odds.crit.decimal).toBe("0.118875");
  });

  test("what cannot be done adds nothing and is said", () => {
    const game = buildGame({ player: { ...rogue, conditions: ["Stunned"] } }, "5.1");
    expect(ask(game, turn(stab))).toMatchObject({ mean: { fraction: "0" }, notes: /stunned/ });
  });
});

describe("an area", () => {
  const wizard = {
    characterClass: "Wizard",
    level: 17,
    stats: { intelligence: 16 },
    knownSpells: ["Fireball", "Meteor Swarm", "Flame Strike", "Burning Hands"],
  };
  const two = (spell: string, dice: string, target = "Goblin; Orc") => {
    const game = buildGame({ player: { ...wizard, weaponDamage: { [spell]: { dice, stat: "none" } } } }, "5.1");
    const [goblin] = game.npcs;
    if (goblin === undefined) throw new RangeError("no goblin");
    const orc = { ...goblin, id: "orc", name: "Orc", savingThrowBonus: 3, resistances: ["fire" as const] };
    return { game: { ...game, npcs: [goblin, orc] }, intent: { weapon: spell, target } };
  };

  test("has one roll of the damage, and a save for each creature", () => {
    const { game, intent } = two("Fireball", "2d2");
    const odds = ask(game, { kind: "area", intent });
    const damage = (dice: Dice): number => {
      const { targets } = resolveAttack(game, intent, dice);
      return (targets ?? []).reduce((sum, one) => sum + one.damage, 0);
    };
    expect(odds.distribution).toEqual(counted(damage));
    expect(odds.targets?.map(({ target, success }) => [target, success.fraction])).toEqual([
      ["Goblin", "4/5"],
      ["Orc", "13/20"],
    ]);
    expect(odds.success.fraction).toBe("93/100");
  });

  test("on eight creatures is solved, and its mean is the sum of theirs", () => {
    const { game } = two("Fireball", "8d6");
    const [goblin] = game.npcs;
    if (goblin === undefined) throw new RangeError("no goblin");
    const npcs = Array.from({ length: 8 }, (_, index) => ({ ...goblin, id: `g${index}` }));
    const target = npcs.map(({ id }) => id).join("; ");
    const odds = ask({ ...game, npcs }, { kind: "area", intent: { weapon: "Fireball", target } });
    expect(odds.mean.decimal).toBe((8 * Number(odds.targets?.[0]?.mean.decimal)).toFixed(6));
  });

  test("more creatures than the spell is for, and what is no area, are said", () => {
    const { game } = two("Fireball", "8d6");
    const player = { ...game.player, knownSpells: ["Blight"], inventory: ["Club"] };
    const area = (weapon: string) =>
      ask({ ...game, player }, { kind: "area", intent: { weapon, target: "Goblin; Orc" } });
    expect([area("Blight"), area("Club")].map(({ notes }) => notes)).toEqual([
      "one casting of Blight is on 1 at most",
      "no creature saves against it: ask about a turn",
    ]);
  });
});

describe("a contest", () => {
  const intent = { skill: "Athletics", target: "Goblin", opposed: 2 } as const;

  test("is won by more than the other's total", () => {
    const game = buildGame({ player: { stats: { strength: 14 } } }, "5.1");
    const odds = ask(game, { kind: "contest", intent });
    expect(odds.success.fraction).toBe("19/40");
    const wins = counted((dice) => (resolveContest(game, intent, dice).success ? 1 : 0));
    expect(wins.at(-1)?.probability).toEqual(odds.success);
  });

  test("is none in 5.2", () => {
    expect(ask(buildGame({}, "5.2"), { kind: "contest", intent })).toMatchObject({
      success: { fraction: "0" },
      notes: /no contests/,
    });
  });
});

describe("a group check", () => {
  const group = (...modifiers: number[]): CombinedQuestion => ({
    kind: "group",
    dc: 11,
    members: modifiers.map((modifier) => ({ modifier, stance: "neither" })),
  });

  test("succeeds when half of the group does", () => {
    const game = buildGame({}, "5.1");
    expect(ask(game, group(0)).success.fraction).toBe("1/2");
    expect(ask(game, group(0, 0)).success.fraction).toBe("3/4");
    expect(ask(game, group(0, 0, 0)).success.fraction).toBe("1/2");
    expect(ask(game, group(20, -10)).success.fraction).toBe("1");
    expect(ask(game, group(0, 0, 0, 0)).distribution.map(({ probability }) => probability.fraction)).toEqual([
      ...["1/16", "1/4", "3/8", "1/4", "1/16"],
    ]);
  });

  test("advantage counts", () => {
    const question: CombinedQuestion = { kind: "group", dc: 11, members: [{ modifier: 0, stance: "advantage" }] };
    expect(ask(buildGame({}, "5.1"), question).success.fraction).toBe("3/4");
  });
});

describe("death saves", () => {
  const saves = (more: object = {}): Extract<CombinedQuestion, { readonly kind: "deathSaves" }> => ({
    ...{ kind: "deathSaves", successes: 0, failures: 0, advantage: false, disadvantage: false, bonus: 0 },
    ...more,
  });

  test("are those that the resolver rolls, until they end", () => {
    const game = buildGame({}, "5.1");
    const { kind: _, ...question } = saves({ successes: 1, failures: 2 });
    const rolls = (dice: Dice): number => {
      let counts = { successes: question.successes, failures: question.failures };
      for (let rolled = 1; ; rolled += 1) {
        const { state, successes, failures } = rollDeathSave({ ...question, ...counts, edition: "5.1", game }, dice);
        if (state !== "dying") return rolled;
        counts = { successes, failures };
      }
    };
    expect(ask(game, saves({ successes: 1, failures: 2 })).distribution).toEqual(counted(rolls));
  });

  test("save about six lives of ten", () => {
    const odds = ask(buildGame({}, "5.1"), saves());
    expect(odds.success.decimal).toBe("0.595125");
    expect(odds.distribution.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5]);
    expect(Number(odds.success.decimal)).toBeLessThan(
      Number(ask(buildGame({ player: { effects: [{ name: "Bless" }] } }, "5.1"), saves()).success.decimal),
    );
  });
});

test("what is too much to solve is refused, not begun", () => {
  const huge = { ...rogue, weaponDamage: { Dagger: { dice: "99d999", stat: "finesse" as const } } };
  const reason = (player: NonNullable<Case["player"]>, question: CombinedQuestion): string => {
    try {
      ask(buildGame({ player }, "5.1"), question);
      return "solved";
    } catch (thrown) {
      return isRefusal(thrown) ? thrown.reason : "a fault";
    }
  };
  expect(reason(huge, turn(stab))).toBe("too_many_outcomes");
  const large = { ...rogue, weaponDamage: { Dagger: { dice: "20d10", stat: "finesse" as const } } };
  expect(reason(large, turn(...Array.from({ length: 10 }, () => stab)))).toBe("too_many_outcomes");
  const meteors = { characterClass: "Wizard", level: 17, knownSpells: ["Meteor Swarm"] };
  const area: CombinedQuestion = { kind: "area", intent: { weapon: "Meteor Swarm", target: "Goblin" } };
  expect(reason(meteors, area)).toBe("solved");
});

test("a target that is not there is refused as in a call", () => {
  try {
    ask(buildGame({ player: rogue }, "5.1"), turn({ weapon: "Dagger", target: "Dragon" }));
    expect.unreachable();
  } catch (thrown) {
    expect(isRefusal(thrown) && thrown.reason).toBe("unknown_target");
  }
});
