/** Simulated fights against what can be computed, and the bounds of the work: the same seed, cancelling, other calls meanwhile. */
import { type CallerInput, decoder, type HandlerInput } from "@fairlead/contracts";
import rules, { type Simulation } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import { meanEstimate, shareEstimate } from "./interval.ts";
import { simulateEncounter } from "./simulate.ts";

type Procedure = (typeof rules)["procedures"]["simulateEncounter"];
const decode = decoder<HandlerInput<Procedure>>(rules.procedures.simulateEncounter.input);

const simulate = (input: CallerInput<Procedure>, signal = new AbortController().signal): Promise<Simulation> => {
  const decoded = decode(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  const { seed = "a seed", ...rest } = decoded.value;
  return simulateEncounter(rest, { findMonster, signal, seed });
};

const bo = {
  ...{ name: "Bo", characterClass: "Fighter", level: 1, maxHP: 12, stats: { strength: 16 } },
  ...{ weaponProficiencies: ["Longsword"], inventory: ["Longsword"], armorClass: 40 },
};
/** It hits with a natural 20 alone, and then for 1. */
const dummy = { name: "Dummy", ac: 11, currentHp: 1, maxHp: 1, attackBonus: 0, damageDice: "1d1", damageBonus: 0 };

const holds = ({ low, high }: Simulation["rounds"], exact: number): boolean =>
  Number(low) <= exact && exact <= Number(high);

describe("a simulated fight", () => {
  test("has the bounds of what can be computed: +5 against 11 hits with 6 to 20, three times in four", async () => {
    const { party, rounds, creatures, samples } = await simulate({ party: [bo], foes: [dummy], samples: 120 });
    expect(samples).toBe(120);
    expect(party.value).toBe("1");
    expect({ rounds, holds: holds(rounds, 4 / 3) }).toMatchObject({ holds: true });
    expect(creatures.map(({ id, standing }) => [id, standing.value])).toEqual([
      ["bo", "1"],
      ["dummy", "0"],
    ]);
  });

  test("holds the exact mean for most seeds: 95 % of them in the long run", async () => {
    const held: boolean[] = [];
    for (let seed = 0; seed < 20; seed += 1) {
      const { rounds } = await simulate({ party: [bo], foes: [dummy], samples: 40, seed: `coverage ${seed}` });
      held.push(holds(rounds, 4 / 3));
    }
    expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(17);
  });

  test("uses what is named", async () => {
    const armed = { ...bo, inventory: ["Longsword", "Dagger"], weaponProficiencies: ["Longsword", "Dagger"] };
    const wall = { ...dummy, ac: 0, currentHp: 200, maxHp: 200 };
    const left = async (uses: Record<string, string>): Promise<number> => {
      const { creatures } = await simulate({ party: [armed], foes: [wall], samples: 20, rounds: 5, uses });
      return Number(creatures[1]?.hitPoints.value);
    };
    expect(await left({ Bo: "Dagger" })).toBeGreaterThan(await left({}));
  });

  test("is undecided after its rounds", async () => {
    const { undecided } = await simulate({
      party: [bo],
      foes: [{ ...dummy, ac: 40 }],
      samples: 4,
      rounds: 1,
      uses: {},
    });
    expect(Number(undecided.value)).toBeGreaterThan(0.5);
  });

  test("is the same for one seed, and another for another", async () => {
    const input = { party: ["Acolyte", "Guard"], foes: ["Goblin", "Goblin"], samples: 6 };
    const [one, two, other] = await Promise.all([
      simulate({ ...input, seed: "a" }),
      simulate({ ...input, seed: "a" }),
      simulate({ ...input, seed: "b" }),
    ]);
    expect(two).toEqual(one);
    expect(other.creatures).not.toEqual(one.creatures);
  });

  test("breathes, casts and ends with slots that run out", async () => {
    const mia = {
      ...{ name: "Mia", characterClass: "Wizard", level: 5, maxHP: 27, stats: { intelligence: 18 } },
      ...{ knownSpells: ["Fireball", "Shield"], cantrips: ["Fire Bolt"] },
    };
    const { party, foes, undecided } = await simulate({ party: [mia, bo], foes: ["Young Red Dragon"], samples: 3 });
    expect(Number(party.value) + Number(foes.value) + Number(undecided.value)).toBeCloseTo(1, 3);
  });

  test("gives way to other work, and stops when it is cancelled", async () => {
    const stop = new AbortController();
    const running = simulate({ party: ["Knight"], foes: ["Goblin", "Goblin"], samples: 2_000 }, stop.signal);
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
      if (turns === 3) stop.abort(new Error("enough"));
    }, 1);
    await expect(running).rejects.toThrow("enough");
    clearInterval(count);
    expect(turns).toBeGreaterThanOrEqual(3);
  });

  test("refuses what no fight begins with", async () => {
    await expect(simulate({ party: ["Gobblin"], foes: ["Goblin"] })).rejects.toMatchObject({
      reason: "unknown_monster",
    });
    await expect(simulate({ party: [], foes: ["Goblin"] })).rejects.toMatchObject({ reason: "no_party" });
    expect(() => simulate({ party: ["Goblin"], foes: ["Goblin"], samples: 2_001 })).toThrow("samples");
    expect(() => simulate({ party: ["Goblin"], foes: ["Goblin"], rounds: 31 })).toThrow("rounds");
    expect(() => simulate({ party: ["Goblin"], foes: Array.from({ length: 21 }, () => "Goblin") })).toThrow("foes");
  });
});

describe("bounds", () => {
  /** Wilson's interval of 8 in 10, by hand: centre 0.7169, half 0.2265. */
  test("of a share", () => {
    const { value, low, high } = shareEstimate(8, 10);
    expect({ value, low, high }).toEqual({ value: "0.8", low: "0.4902", high: "0.9433" });
    expect(shareEstimate(0, 10).low).toBe("0");
    expect(shareEstimate(10, 10).high).toBe("1");
  });
  /** Mean 5, standard deviation 2.582, over the root of 4. */
  test("of a mean", () => {
    expect(meanEstimate([2, 4, 6, 8])).toEqual({ value: "5", low: "2.4697", high: "7.5303" });
    expect(meanEstimate([3])).toEqual({ value: "3", low: "3", high: "3" });
  });
});
