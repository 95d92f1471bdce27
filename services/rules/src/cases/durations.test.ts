/** What ends by itself in a kept fight: after turns, by a repeated save, and with its caster's concentration. */
import { describe, expect, test } from "vitest";
import { readSpellRounds, statedDuration } from "../data/durations.ts";
import { viewEncounter } from "../encounter/state.ts";
import { describeRule } from "../testing/case.ts";
import { fight } from "../testing/fight.ts";

describe("durations in words", () => {
  test.each([
    ["is blinded until the start of your next turn", "actor", "start"],
    ["disadvantage on its next attack roll before your next turn", "actor", "start"],
    ["gives advantage to the next attack roll against it until the end of your next turn", "actor", "end"],
    ["takes no reactions until the start of its next turn", "target", "start"],
    ["has disadvantage on its next attack roll before the end of its next turn", "target", "end"],
  ])("%s", (words, whose, at) => expect(statedDuration(words)).toEqual({ whose, at }));

  test("of spells, in rounds", () => {
    expect(
      ["Hold Person", "Charm Person", "Color Spray", "Fireball", "Mage Armor"].map((one) =>
        readSpellRounds(one, "5.1"),
      ),
    ).toEqual([10, 600, 1, undefined, undefined]);
  });
});

describe("marks of a hit", () => {
  test("Ray of Frost lasts until the caster's next turn begins", () => {
    const { strike, endTurn, conditions } = fight("5.1", [{ cantrips: ["Ray of Frost"] }], ["Ogre"]);
    strike("Ray of Frost", "Ogre", { values: [15, 1, 1] });
    expect(conditions("ogre")).toEqual(["Slowed"]);
    expect(endTurn().events).toEqual([]);
    expect(endTurn()).toMatchObject({ turn: "mia", events: ["Slowed of Ogre is over"] });
    expect(conditions("ogre")).toEqual([]);
  });

  test("Guiding Bolt lasts until the end of the caster's next turn, not of this one", () => {
    const cleric = { characterClass: "Cleric", stats: { wisdom: 16 }, knownSpells: ["Guiding Bolt"] };
    const { strike, endTurn, conditions } = fight("5.1", [cleric], ["Ogre"]);
    strike("Guiding Bolt", "Ogre", { values: [15, 1, 1, 1, 1] });
    endTurn();
    endTurn();
    expect(conditions("ogre")).toEqual(["Guiding Bolt"]);
    expect(endTurn().events).toEqual(["Guiding Bolt of Ogre is over"]);
  });

  test("the same mark by the same creature is one timer", () => {
    const { strike, state } = fight("5.1", [{ cantrips: ["Chill Touch"] }], ["Ogre"]);
    strike("Chill Touch", "Ogre", { values: [15, 1, 1] });
    strike("Chill Touch", "Ogre", { values: [15, 1, 1], attack: "reaction" });
    expect(state().timers).toHaveLength(1);
  });

  test("a second one keeps what the first would have ended", () => {
    const mages = [{ cantrips: ["Ray of Frost"] }, { name: "Max", cantrips: ["Ray of Frost"] }];
    const { strike, endTurn, conditions } = fight("5.1", mages, ["Ogre"]);
    strike("Ray of Frost", "Ogre", { values: [15, 1, 1] });
    endTurn();
    strike("Ray of Frost", "Ogre", { values: [15, 1, 1] });
    endTurn();
    endTurn();
    expect(conditions("ogre")).toEqual(["Slowed"]);
    expect(endTurn().events).toEqual(["Slowed of Ogre is over"]);
  });
});

describe(describeRule("concentration in a fight", "concentration"), () => {
  const holder = { knownSpells: ["Hold Person", "Fireball"] };

  test("Hold Person: a save at the end of each turn of its creature, which ends it", () => {
    const { strike, endTurn, conditions, state } = fight("5.1", [holder], ["Bandit"]);
    strike("Hold Person", "Bandit", { values: [2] });
    expect(conditions("bandit")).toEqual(["Paralyzed"]);
    expect(viewEncounter("fight-1", 2, state()).creatures.find(({ id }) => id === "bandit")?.ends).toEqual([
      { name: "Paralyzed", turn: "mia", at: "start", left: 10, save: "wisdom DC 15" },
    ]);
    endTurn();
    expect(endTurn(3).events).toEqual(["Bandit's save against Hold Person: 3 against DC 15"]);
    endTurn();
    expect(endTurn(16).events).toEqual(["Bandit's save against Hold Person: 16 against DC 15, Paralyzed is over"]);
    expect(conditions("bandit")).toEqual([]);
  });

  test("ten rounds later it is over, and so is the concentration", () => {
    const { strike, endTurn, conditions } = fight("5.1", [holder], ["Bandit"]);
    strike("Hold Person", "Bandit", { values: [2] });
    for (let round = 1; round < 10; round += 1) {
      endTurn();
      endTurn(1);
    }
    expect(conditions("bandit")).toEqual(["Paralyzed"]);
    endTurn();
    expect(endTurn(1).events).toEqual([
      "Bandit's save against Hold Person: 1 against DC 15",
      "Concentrating (Hold Person) of Mia is over",
      "Paralyzed of Bandit is over",
    ]);
    expect([conditions("mia"), conditions("bandit")]).toEqual([[], []]);
  });

  test.each([
    [10, "kept", ["Paralyzed"]],
    [9, "lost", []],
  ])("damage asks for a Constitution save: %i and +0 against DC 10 is %s", (die, kept, left) => {
    const { strike, endTurn, conditions } = fight("5.1", [holder], ["Goblin", "Bandit"]);
    strike("Hold Person", "Bandit", { values: [2] });
    endTurn();
    const hit = strike("Scimitar", "Mia", { values: [15, 3, die], actor: "goblin" }) as {
      encounter: { events: string[] };
      dice: { draws: unknown[] };
    };
    expect(hit.encounter.events).toContain(`Mia's save to keep concentrating: ${die} against DC 10, ${kept}`);
    expect(hit.dice.draws).toHaveLength(3);
    expect(conditions("bandit")).toEqual(left);
  });

  test("who cannot act concentrates no longer, and an undo brings all of it back", () => {
    const fear = { name: "Max", knownSpells: ["Hold Person"] };
    const { strike, endTurn, conditions, undo } = fight("5.1", [holder, fear], ["Bandit"]);
    strike("Hold Person", "Bandit", { values: [2] });
    endTurn();
    strike("Hold Person", "Mia", { values: [1] });
    expect([conditions("mia"), conditions("bandit")]).toEqual([["Paralyzed"], []]);
    undo();
    expect([conditions("mia"), conditions("bandit")]).toEqual([["Concentrating (Hold Person)"], ["Paralyzed"]]);
  });

  test("the dead save no more", () => {
    const axe = { name: "Max", weaponDamage: { Doom: { dice: "50", stat: "str", kind: "melee" } } };
    const { strike, endTurn, conditions } = fight("5.1", [holder, axe], ["Bandit"]);
    strike("Hold Person", "Bandit", { values: [2] });
    endTurn();
    strike("Doom", "Bandit", { values: [19, 19] });
    expect(conditions("bandit")).toEqual(["Paralyzed", "Dead"]);
    expect(endTurn()).toMatchObject({ turn: "mia", events: [] });
  });

  test("the end of the fight ends what is timed", () => {
    const { strike, end, conditions, state } = fight("5.1", [holder], ["Bandit"]);
    strike("Hold Person", "Bandit", { values: [2] });
    end();
    expect([conditions("mia"), conditions("bandit"), state().timers]).toEqual([[], [], []]);
  });
});
