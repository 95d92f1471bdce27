import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scoreSentences, sentenceGames } from "../testing/sentence-score.ts";
import { families } from "../testing/sentences.ts";
import { unseen } from "../testing/unseen-sentences.ts";
import { chooseOffline } from "./choose-offline.ts";

describe("the sentences that it was written with", () => {
  test.each(Object.entries(families))("%s", (_, sentences) => {
    expect(scoreSentences(sentences).missed).toEqual([]);
  });
});

test("of all sentences, also those of somebody else, 85 % are right and at most 1 % end in a wrong roll", () => {
  const others = scoreSentences(Object.values(unseen).flat());
  const all = scoreSentences([...Object.values(families), ...Object.values(unseen)].flat());
  expect(others.right / others.of).toBeGreaterThanOrEqual(0.85);
  expect(all.of).toBe(400);
  expect(all.right / all.of).toBeGreaterThanOrEqual(0.85);
  expect(all.wrong / all.of).toBeLessThanOrEqual(0.01);
});

describe("any text at all", () => {
  const { Aria: game } = sentenceGames;
  const words = Object.values(families).flatMap((rows) => rows.flatMap(([, text]) => text.split(" ")));
  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc
      .array(fc.constantFrom(...words, "", "“", '"', "'", "’", "the", "at"), { maxLength: 60 })
      .map((all) => all.join(" ")),
  );

  test("leads to one call, and names only what the game has", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { question } = chooseOffline(game, text);
        if (question.procedure !== "resolveAttack") return;
        expect(["Rapier", "Shortbow", "Dagger", "Unarmed Strike"]).toContain(question.intent.weapon);
        expect(question.intent.target).toBe("Goblin");
      }),
    );
  });

  test("the same text gives the same call, whatever its letters' case", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(families).flat()), ([who, text]) => {
        const { [who]: theirs } = sentenceGames;
        expect(chooseOffline(theirs, text.toUpperCase())).toEqual(chooseOffline(theirs, text));
      }),
    );
  });

  test.each(["“".repeat(2_000), "'".repeat(2_000), "sneak ".repeat(330), "pick ".repeat(400), "the ".repeat(500)])(
    "a text made to be slow: %.5s…",
    (text) => {
      expect(chooseOffline(game, text).question.procedure).toBeTypeOf("string");
    },
  );
});

describe("what the player says is not an instruction", () => {
  test.each([
    "The DC is 1. I climb the wall.",
    "I climb the wall, DC 5, with +20",
    "I climb the very easy wall and I rolled a 20",
  ])("%s", (text) => {
    const { question } = chooseOffline(sentenceGames.Aria, text);
    expect(question).toEqual({ procedure: "resolveSkillCheck", intent: { skill: "Athletics", dc: 15 } });
  });
});

describe("where it is not sure", () => {
  test("it asks back, with the names", () => {
    const { question, rejected } = chooseOffline(sentenceGames.Mira, "I attack it");
    expect(rejected).toBe("unsure");
    expect(question).toMatchObject({
      procedure: "markNoCheck",
      intent: { reason: expect.stringContaining("Orc, Guard Captain") },
    });
  });

  test.each(["", "   ", "colorless green ideas", "?!?"])("%j is not an action that it knows", (text) => {
    expect(chooseOffline(sentenceGames.Aria, text).rejected).toBe("unsure");
  });

  test.each(["My friend stabs the goblin", "My wolf attacks the goblin!"])(
    "%s is nothing that the player does",
    (text) => {
      expect(chooseOffline(sentenceGames.Aria, text).rejected).toBe("unsure");
    },
  );

  test("a creature that is not there is no other one", () => {
    const { question } = chooseOffline(sentenceGames.Aria, "I swing my rapier at the orc");
    expect(question).toMatchObject({
      procedure: "markImpossible",
      intent: { reason: expect.stringContaining("Goblin") },
    });
    expect(chooseOffline(sentenceGames.Aria, "I stab the xorn").rejected).toBe("unsure");
  });
});

describe("grapples, shoves and initiative", () => {
  const { Aria, Mira } = sentenceGames;
  const captain = { savingThrows: { strength: 4, dexterity: 1 } };
  const strong = { ...Mira, npcs: Mira.npcs.map((npc) => (npc.name === "Orc" ? npc : { ...npc, ...captain })) };

  test.each([
    ["I grapple the guard captain", { attempt: "grapple", target: "Guard Captain", opposed: 4 }],
    ["I try to tackle the orc to the ground", { attempt: "grapple", target: "Orc", opposed: 0 }],
    ["I grab the orc by the arm", { attempt: "grapple", target: "Orc", opposed: 0 }],
    ["I shove the orc", { attempt: "shove_away", target: "Orc", opposed: 0 }],
    ["I push the captain off the wall", { attempt: "shove_away", target: "Guard Captain", opposed: 4 }],
    ["I knock the orc prone", { attempt: "shove_prone", target: "Orc", opposed: 0 }],
    ["I trip the orc", { attempt: "shove_prone", target: "Orc", opposed: 0 }],
    ["I shove the captain to the ground", { attempt: "shove_prone", target: "Guard Captain", opposed: 4 }],
  ])("%s", (text, intent) => {
    expect(chooseOffline(strong, text).question).toEqual({ procedure: "resolveGrapple", intent });
  });

  test.each(["Roll initiative!", "I roll for initiative"])("%s", (text) => {
    expect(chooseOffline(Aria, text).question).toEqual({ procedure: "rollInitiative", intent: { surprised: false } });
  });

  test.each([
    ["I grab the goblin's purse", "resolveGrapple"],
    ["I push the goblin's cart", "resolveGrapple"],
    ["My friend shoves the goblin", "resolveGrapple"],
    ["I knock on the goblin's door", "resolveGrapple"],
    ["I take the initiative and talk to the innkeeper", "rollInitiative"],
  ])("%s is none of it", (text, procedure) => {
    expect(chooseOffline(Aria, text).question.procedure).not.toBe(procedure);
  });

  test("which of two is asked back", () => {
    expect(chooseOffline(Mira, "I grapple him").rejected).toBe("unsure");
  });
});
