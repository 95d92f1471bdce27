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

  test("chooses against each target by what it takes from that one", async () => {
    const mia = {
      ...{ name: "Mia", characterClass: "Wizard", level: 5, maxHP: 270, stats: { intelligence: 18, strength: 8 } },
      ...{ cantrips: ["Fire Bolt"], armorClass: 40 },
    };
    const imp = { ...dummy, name: "Imp", immunities: ["fire"] };
    const troll = { ...dummy, name: "Troll", ac: 5, currentHp: 300, maxHp: 300 };
    const left = async (foes: object[]): Promise<number> => {
      const { creatures } = await simulate({
        party: [mia, bo],
        foes,
        samples: 10,
        rounds: 20,
      } as CallerInput<Procedure>);
      return Number(creatures.find(({ id }) => id === "troll")?.hitPoints.value);
    };
    // The imp falls in a round or two; the bolts that follow do 11 each.
    expect(await left([imp, troll])).toBeLessThan(110);
  });

  test("refuses names in `uses` that no creature and no weapon of it has, and takes those of all of a kind", async () => {
    const fight = { party: [bo], foes: ["Goblin", "Goblin"], samples: 10, rounds: 1 };
    await expect(simulate({ ...fight, uses: { Boo: "Longsword" } })).rejects.toMatchObject({
      reason: "unknown_creature",
      message: expect.stringMatching(/Boo.*did you mean Bo/),
      data: { name: "Boo", known: expect.arrayContaining(["Bo", "Goblin"]) },
    });
    await expect(simulate({ ...fight, uses: { Bo: "Lnogsword" } })).rejects.toMatchObject({
      reason: "unknown_weapon",
      message: expect.stringMatching(/Longsword/),
      data: { name: "Lnogsword", known: expect.arrayContaining(["Longsword"]) },
    });
    await expect(simulate({ ...fight, uses: { Goblin: "Fire Bolt" } })).rejects.toMatchObject({
      reason: "unknown_weapon",
    });
    const armed = { ...bo, inventory: ["Longsword", "Longbow"] };
    await expect(simulate({ ...fight, party: [armed], uses: { Bo: "Long" } })).rejects.toMatchObject({
      reason: "ambiguous_name",
    });
    const ori = { name: "Ori", characterClass: "Sorcerer", level: 3, maxHP: 20, knownSpells: ["Chromatic Orb"] };
    const newer = { ...fight, edition: "5.2" as const, party: [bo, ori] };
    const uses = { Goblin: "shortbow", Bo: "+1 Longsword", Ori: "Chromatic Orb (cold)" };
    await expect(simulate({ ...newer, foes: [dummy], uses: { Bo: uses.Bo, Ori: uses.Ori } })).resolves.toBeDefined();
    await expect(simulate({ ...newer, foes: [dummy], uses: { ori: "Chromatic Orb" } })).resolves.toBeDefined();
    await expect(simulate({ ...fight, uses: { Goblin: uses.Goblin } })).resolves.toMatchObject({ samples: 10 });
  });

  test("is undecided after its rounds", async () => {
    const { undecided } = await simulate({
      party: [bo],
      foes: [{ ...dummy, ac: 40 }],
      samples: 10,
      rounds: 1,
      uses: {},
    });
    expect(Number(undecided.value)).toBeGreaterThan(0.5);
  });

  test("is the same for one seed, and another for another", async () => {
    const input = { party: ["Acolyte", "Guard"], foes: ["Goblin", "Goblin"], samples: 10 };
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
    const { party, foes, undecided } = await simulate({ party: [mia, bo], foes: ["Young Red Dragon"], samples: 10 });
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
    expect(() => simulate({ party: ["Goblin"], foes: ["Goblin"], samples: 9 })).toThrow("samples");
    expect(() => simulate({ party: ["Goblin"], foes: ["Goblin"], rounds: 31 })).toThrow("rounds");
    expect(() => simulate({ party: ["Goblin"], foes: Array.from({ length: 21 }, () => "Goblin") })).toThrow("foes");
  });
});

describe("bounds", () => {
  /** Of the binomial distribution, from tables. */
  test("of a share", () => {
    expect(shareEstimate(8, 10)).toEqual({ value: "0.8", low: "0.4439", high: "0.9748" });
    expect(shareEstimate(0, 10)).toEqual({ value: "0", low: "0", high: "0.3085" });
    expect(shareEstimate(10, 10)).toEqual({ value: "1", low: "0.6915", high: "1" });
    expect(shareEstimate(1_000, 2_000)).toEqual({ value: "0.5", low: "0.4779", high: "0.5221" });
  });

  test("of a share hold any share in at least 95 % of all samples, counted exactly", () => {
    for (const samples of [1, 2, 3, 5, 10, 30, 100])
      for (let exact = 0.0105; exact < 1; exact += 0.01) {
        let [chance, held] = [(1 - exact) ** samples, 0];
        for (let count = 0; count <= samples; count += 1) {
          if (holds(shareEstimate(count, samples), exact)) held += chance;
          chance *= ((samples - count) / (count + 1)) * (exact / (1 - exact));
        }
        expect({ samples, exact, isHeld: held >= 0.95 }).toMatchObject({ isHeld: true });
      }
  });

  /** Student's t on both sides, from tables; samples -1 and 1 in turn have a standard error of 1 over the root of the degrees of freedom. */
  test.each([
    [1, 12.7062],
    [3, 3.1824],
    [9, 2.2622],
    [29, 2.0452],
    [99, 1.9842],
    [999, 1.9623],
  ])("of a mean with %i degrees of freedom", (freedom, quantile) => {
    const { low, high } = meanEstimate(Array.from({ length: freedom + 1 }, (_, at) => (at % 2 === 0 ? 1 : -1)));
    expect(Number(high) * Math.sqrt(freedom)).toBeCloseTo(quantile, 2);
    expect(Number(low)).toBe(-Number(high));
  });

  test("of a mean: 5, standard deviation 2.582, over the root of 4", () => {
    expect(meanEstimate([2, 4, 6, 8])).toEqual({ value: "5", low: "0.8915", high: "9.1085" });
    expect(() => meanEstimate([3])).toThrow("two samples");
  });
});
