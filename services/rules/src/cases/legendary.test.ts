/** Legendary actions and Legendary Resistance, and the conditions that effects of monsters leave. */
import { describe, expect, test } from "vitest";
import { monsterRows } from "../creatures/monster.ts";
import { describeRule } from "../testing/case.ts";
import { fight } from "../testing/fight.ts";

const wizard = { knownSpells: ["Hold Monster", "Fireball"], level: 17, maxHP: 200, currentHP: 200 };
const dragon = "Adult Red Dragon";

describe("legendary actions", () => {
  test("an attack at the end of another's turn, one a turn, three between its own", () => {
    const { strike, endTurn, view } = fight("5.1", [wizard, { name: "Bo", stats: { dexterity: 14 } }], [dragon]);
    const id = "adult-red-dragon";
    expect(view(id)?.legendary).toEqual({
      left: 3,
      actions: [
        { name: "Detect", cost: 1 },
        { name: "Tail Attack", cost: 1 },
        { name: "Wing Attack", cost: 2 },
      ],
      resistances: 3,
    });
    const tail = strike("Tail Attack", "Mia", { actor: id, values: [10, 1, 1] });
    expect(tail).toMatchObject({ checkType: "Tail Attack", total: 24, damage: { totalDamage: 10 } });
    expect(view(id)?.legendary?.left).toBe(2);
    expect(() => strike("Detect", "Mia", { actor: id })).toThrow(/one a turn is allowed/);
    endTurn();
    strike("Wing Attack", "Mia; Bo", { actor: id, values: [2, 1, 1, 20] });
    expect(view(id)?.legendary?.left).toBe(0);
    expect([view("mia")?.conditions, view("bo")?.conditions]).toEqual([["Prone"], []]);
    endTurn();
    expect(view(id)?.legendary?.left).toBe(3);
    expect(() => strike("Wing Attack", "Mia", { values: [1] })).toThrow(/not in its own/);
  });

  test("too few left", () => {
    const { strike, endTurn } = fight("5.1", [wizard, { name: "Bo" }, { name: "Cy" }], [dragon]);
    const actor = "adult-red-dragon";
    strike("Wing Attack", "Mia", { actor, values: [20, 1, 1] });
    endTurn();
    expect(() => strike("Wing Attack", "Mia", { actor, values: [20] })).toThrow(/1 legendary actions left/);
  });

  test("one that nothing is rolled for is paid for and said", () => {
    const { strike, view } = fight("5.1", [wizard], [dragon]);
    const done = strike("Detect", "Mia", { actor: "adult-red-dragon" });
    expect(done).toMatchObject({
      noCheck: true,
      notes: "Adult Red Dragon uses Detect, which the rules here do not roll",
    });
    expect(view("adult-red-dragon")?.legendary?.left).toBe(2);
  });

  test("one that comes back at the start of its turn is not taken twice", () => {
    const { strike, endTurn } = fight("5.2", [wizard, { name: "Bo" }], ["Adult Black Dragon"]);
    const actor = "adult-black-dragon";
    strike("Cloud of Insects", "Mia", { actor, values: [20] });
    endTurn();
    expect(() => strike("Cloud of Insects", "Bo", { actor })).toThrow(/comes back at the start of its turn/);
  });

  test("creatures without any, and plain attacks out of turn, are as they were", () => {
    const { strike } = fight("5.1", [wizard], ["Ogre", dragon]);
    expect(() => strike("Greatclub", "Mia", { actor: "ogre" })).toThrow(/it is the turn of Mia/);
    expect(() => strike("Bite", "Mia", { actor: "adult-red-dragon" })).toThrow(/it is the turn of Mia/);
  });

  test("every one that names an attack names one of its own", () => {
    for (const edition of ["5.1", "5.2"] as const)
      for (const { attacks = [], legendary = [] } of monsterRows[edition])
        for (const { attack } of legendary)
          if (attack !== undefined) expect(attacks.map(({ name }) => name)).toContain(attack);
  });
});

describe(describeRule("Legendary Resistance", "creature-trait"), () => {
  const failed = () => {
    const played = fight("5.1", [wizard], [dragon]);
    const answer = played.strike("Hold Monster", dragon, { values: [2] });
    return { ...played, answer };
  };

  test("a failed save waits, and passes when it is used", () => {
    const { answer, strike, view } = failed();
    expect(answer).toMatchObject({
      changes: [],
      encounter: { reactions: [{ actor: "adult-red-dragon", weapon: "Legendary Resistance" }] },
    });
    const resisted = strike("Legendary Resistance", dragon, { actor: "adult-red-dragon" });
    expect(resisted).toMatchObject({
      success: false,
      encounter: { events: [expect.stringMatching(/passes the save/)] },
    });
    expect(view("adult-red-dragon")).toMatchObject({ conditions: [], reaction: true, legendary: { resistances: 2 } });
  });

  test("or fails when it is not", () => {
    const { decline, view } = failed();
    decline();
    expect(view("adult-red-dragon")).toMatchObject({ conditions: ["Paralyzed"], legendary: { resistances: 3 } });
  });

  test("half of the damage of a Fireball, of which nothing was shown before", () => {
    const { strike, view } = fight("5.1", [wizard], ["Adult Black Dragon"]);
    const waiting = strike("Fireball", "Adult Black Dragon", { values: [2, 6, 6, 6, 6, 6, 6, 6, 6] });
    expect(JSON.stringify(waiting)).not.toContain("48");
    strike("Legendary Resistance", "Adult Black Dragon", { actor: "adult-black-dragon" });
    expect(view("adult-black-dragon")?.hp).toBe(195 - 24);
  });

  test("a passed save asks no question", () => {
    const { strike } = fight("5.1", [wizard], [dragon]);
    expect(strike("Hold Monster", dragon, { values: [20] })).not.toHaveProperty("encounter.reactions");
  });
});

describe("what effects of monsters leave", () => {
  test("Frightful Presence frightens for a minute, with a save at the end of each turn", () => {
    const { strike, endTurn, view } = fight("5.1", [wizard, { name: "Bo" }], [dragon]);
    endTurn();
    endTurn();
    strike("Frightful Presence", "Mia; Bo", { values: [2, 20] });
    expect(view("mia")).toMatchObject({
      conditions: ["Frightened"],
      ends: [{ name: "Frightened", turn: "adult-red-dragon", at: "start", left: 10, save: "wisdom DC 19" }],
    });
    expect(view("bo")?.conditions).toEqual([]);
    endTurn();
    expect(endTurn(20).events.at(0)).toMatch(/Frightened is over/);
    expect(view("mia")?.conditions).toEqual([]);
  });

  test("until the monster's next turn ends", () => {
    const { strike, endTurn, view } = fight("5.1", [wizard], ["Vrock"]);
    endTurn();
    strike("Stunning Screech", "Mia", { values: [2] });
    expect(view("mia")).toMatchObject({ conditions: ["Stunned"], ends: [{ turn: "vrock", at: "end", left: 2 }] });
  });
});
