import fc from "fast-check";
import { expect, test } from "vitest";
import { findPlace, firstName } from "./completion.ts";

test.each([
  ["Pla|", "", "Pla"],
  ["Player.Pos|", "Player", "Pos"],
  ["Player?.Pos|", "Player", "Pos"],
  ["Player.GetComponent<Life>().Cur|", "Player.GetComponent<Life>()", "Cur"],
  ['Entities[0].Components["Life"].|', 'Entities[0].Components["Life"]', ""],
  ["a < Player.|", "Player", ""],
  ["(Player.Position).X|", "(Player.Position)", "X"],
  ["Entities.Where(it.Distance < 3 && it.Ra|", "it", "Ra"],
  ["new { Id, Ren|", "", "Ren"],
  ['f("a)").|', 'f("a)")', ""],
  ["@0.Le|", "@0", "Le"],
])("%s", (marked, base, word) => {
  const cursor = marked.indexOf("|");
  expect(findPlace(marked.replace("|", ""), cursor)).toMatchObject({ base, word, from: cursor - word.length });
});

test("nothing is completed inside of a text", () => {
  expect(findPlace('Name == "Pla', 12)).toBe(undefined);
  expect(findPlace('"a" + Pla', 9)).toMatchObject({ word: "Pla" });
});

test("any text at any place gives a place inside of it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(..."ab.<>()[]\"'? \\@&"), maxLength: 30 }),
      fc.nat(30),
      (text, at) => {
        const cursor = Math.min(at, text.length);
        const place = findPlace(text, cursor);
        if (place === undefined) return;
        expect(place.from + place.word.length).toBe(cursor);
        expect(text).toContain(place.base);
        expect(typeof firstName(place.base)).toBe("string");
      },
    ),
  );
});
