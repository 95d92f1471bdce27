/** Boons in a kept fight: they are cast, count, and end with their time, with concentration, and with what they do not allow. */
import { describe, expect, test } from "vitest";
import { describeRule } from "../testing/case.ts";
import { fight } from "../testing/fight.ts";

const bo = { name: "Bo", characterClass: "Fighter", inventory: ["Longsword"], armorClass: 16 };

describe(describeRule("boons in a fight", "spell-at-work"), () => {
  test("Bless on two, until the caster's concentration ends", () => {
    const { strike, endTurn, conditions } = fight("5.1", [{ knownSpells: ["Bless"] }, bo], ["Ogre"]);
    strike("Bless", "Mia; Bo");
    expect([conditions("mia"), conditions("bo")]).toEqual([["Concentrating (Bless)", "Bless"], ["Bless"]]);
    endTurn();
    expect(strike("Longsword", "Ogre", { values: [10, 4, 1] })).toMatchObject({ total: 14 });
    endTurn();
    strike("Greatclub", "Mia", { values: [15, 1, 1, 2, 1] });
    expect([conditions("mia"), conditions("bo")]).toEqual([[], []]);
  });

  test("Bless for more creatures than its slot allows", () => {
    const { strike } = fight(
      "5.1",
      [{ knownSpells: ["Bless"] }, bo, { ...bo, name: "Cy" }, { ...bo, name: "Di" }],
      ["Ogre"],
    );
    expect(strike("Bless", "Mia; Bo; Cy; Di")).toMatchObject({ impossible: true });
  });

  test("Shield of Faith and Mage Armor show in the Armor Class", () => {
    const mage = { knownSpells: ["Shield of Faith", "Mage Armor"], stats: { intelligence: 16, dexterity: 14 } };
    const { strike, endTurn, view } = fight("5.1", [mage, bo], ["Ogre"]);
    strike("Shield of Faith", "Bo");
    expect(view("bo")).toMatchObject({
      ac: 18,
      ends: [{ name: "Shield of Faith", turn: "mia", at: "start", left: 100 }],
    });
    endTurn();
    endTurn();
    endTurn();
    strike("Mage Armor", "Mia");
    expect(view("mia")).toMatchObject({ ac: 15 });
  });

  test("Haste: one more attack, also after a spell", () => {
    const { strike, endTurn, actions, view } = fight(
      "5.1",
      [{ knownSpells: ["Haste"], cantrips: ["Fire Bolt"], inventory: ["Dagger"] }, bo],
      ["Ogre"],
    );
    strike("Haste", "Mia");
    expect(actions().attacks).toBe(0);
    for (let turns = 0; turns < 3; turns += 1) endTurn();
    expect(actions().attacks).toBe(2);
    strike("Fire Bolt", "Ogre", { values: [2] });
    strike("Dagger", "Ogre", { values: [2] });
    expect(() => strike("Dagger", "Ogre", { values: [2] })).toThrow(/has used the action/);
    expect(view("mia")?.ac).toBe(12);
  });

  test("Invisibility ends when its bearer attacks, and Greater Invisibility does not", () => {
    const knows = { knownSpells: ["Invisibility", "Greater Invisibility"], inventory: ["Dagger"] };
    const { strike, endTurn, conditions } = fight("5.1", [knows], ["Ogre"]);
    strike("Invisibility", "Mia");
    expect(conditions("mia")).toContain("Invisible");
    endTurn();
    endTurn();
    const struck = strike("Dagger", "Ogre", { values: [10, 11, 1] });
    expect(struck).toMatchObject({ encounter: { events: [expect.stringMatching(/Invisible of Mia is over/)] } });
    expect(conditions("mia")).toEqual(["Concentrating (Invisibility)"]);
    endTurn();
    endTurn();
    strike("Greater Invisibility", "Mia");
    endTurn();
    endTurn();
    strike("Dagger", "Ogre", { values: [10, 11, 1] });
    expect(conditions("mia")).toContain("Invisible");
  });

  test("Hunter's Mark adds its die until concentration on another spell", () => {
    const ranger = {
      ...{ characterClass: "Ranger", inventory: ["Shortbow"], stats: { wisdom: 14 } },
      knownSpells: ["Hunter's Mark", "Bless"],
    };
    const { strike, endTurn, state } = fight("5.2", [ranger], ["Ogre"]);
    strike("Hunter's Mark", "Ogre");
    endTurn();
    endTurn();
    const shot = strike("Shortbow", "Ogre", { values: [15, 1, 3] });
    expect(shot).toMatchObject({
      damage: { breakdown: [{ label: "Shortbow" }, { label: "Hunter's Mark", dice: "1d6" }] },
    });
    endTurn();
    endTurn();
    strike("Bless", "Mia");
    expect(state().creatures[0]?.sheet.effects).toEqual([]);
  });

  test("Power Word Stun lasts until a save is passed", () => {
    const { strike, endTurn, conditions } = fight("5.1", [{ knownSpells: ["Power Word Stun"], level: 17 }], ["Ogre"]);
    strike("Power Word Stun", "Ogre");
    endTurn();
    expect(endTurn(2).events.at(0)).toMatch(/save against Power Word Stun: 5 against DC 17/);
    expect(conditions("ogre")).toEqual(["Stunned"]);
    endTurn();
    expect(endTurn(20).events.at(0)).toMatch(/Stunned is over/);
    expect(conditions("ogre")).toEqual([]);
  });
});
