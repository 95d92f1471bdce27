/** What damage does to a spell on whoever takes it, in a kept fight: it is over, or the creature saves again. */
import { describe, expect, test } from "vitest";
import { fight } from "../testing/fight.ts";

const bard = (...knownSpells: string[]) => ({
  characterClass: "Bard",
  stats: { charisma: 16 },
  knownSpells,
  inventory: ["Club"],
});
const ally = { name: "Bo", characterClass: "Fighter", inventory: ["Club"], weaponProficiencies: ["Club"] };
const hit = { values: [19, 1] };

describe("damage", () => {
  test("ends a Hypnotic Pattern for whoever takes it, and for no other", () => {
    const made = fight("5.1", [bard("Hypnotic Pattern"), ally], ["Ogre", "Ogre"]);
    made.strike("Hypnotic Pattern", "ogre-1; ogre-2", { values: [1, 1] });
    made.endTurn();
    expect(made.strike("Club", "ogre-1", hit)).toMatchObject({
      encounter: { events: ["Charmed and Incapacitated of Ogre is over: 1 damage"] },
    });
    expect([made.conditions("ogre-1"), made.conditions("ogre-2")]).toEqual([[], ["Charmed", "Incapacitated"]]);
  });

  test("that misses ends nothing", () => {
    const made = fight("5.1", [bard("Hypnotic Pattern"), ally], ["Ogre"]);
    made.strike("Hypnotic Pattern", "Ogre", { values: [1] });
    made.endTurn();
    made.strike("Club", "Ogre", { values: [1] });
    expect(made.conditions("ogre")).toEqual(["Charmed", "Incapacitated"]);
  });

  test("has whoever laughs save with advantage", () => {
    const made = fight("5.1", [bard("Hideous Laughter"), ally], ["Ogre"]);
    made.strike("Hideous Laughter", "Ogre", { values: [1] });
    made.endTurn();
    expect(made.strike("Club", "Ogre", { values: [19, 18, 1, 2, 20] })).toMatchObject({
      encounter: { events: ["Ogre's save against Hideous Laughter: 18 against DC 15, Incapacitated is over"] },
    });
    expect(made.conditions("ogre")).toEqual(["Prone"]);
  });

  test("leaves a Dominate Person where the save fails", () => {
    const made = fight("5.2", [bard("Dominate Person"), ally], ["Bandit Captain"]);
    made.strike("Dominate Person", "Bandit Captain", { values: [1] });
    made.endTurn();
    expect(made.strike("Club", "Bandit Captain", { values: [19, 1, 2] })).toMatchObject({
      encounter: { events: ["Bandit Captain's save against Dominate Person: 4 against DC 15"] },
    });
    expect(made.conditions("bandit-captain")).toEqual(["Charmed"]);
  });

  test("of a companion ends a Suggestion, of another enemy it does not", () => {
    const made = fight("5.1", [bard("Suggestion"), ally], ["Bandit", "Bandit"]);
    made.strike("Suggestion", "bandit-1", { values: [1] });
    made.endTurn();
    made.endTurn();
    made.endTurn();
    made.strike("Scimitar", "bandit-1", { actor: "bandit-2", values: [19, 1] });
    expect(made.conditions("bandit-1")).toEqual(["Suggestion"]);
    made.endTurn();
    made.strike("Club", "bandit-1", hit);
    expect(made.conditions("bandit-1")).toEqual([]);
  });
});
