import fc from "fast-check";
import { expect, test } from "vitest";
import { findByOwnName, nearest, suggestHint } from "./suggest.ts";

const known = ["up", "call", "ls", "describe", "gen", "version"];

test.each([
  ["verison", "version"],
  ["VERSION", "version"],
  ["cal", "call"],
  ["desc", "describe"],
  ["sl", "ls"],
  ["xylophone", undefined],
  ["", undefined],
])("%s is near to %s", (typed, word) => {
  expect(nearest(typed, known)).toBe(word);
});

test("a known word is nearest to itself, and any text gives a known word or none", () => {
  for (const word of known) expect(nearest(word, known)).toBe(word);
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (typed) => [...known, undefined].includes(nearest(typed, known))),
  );
});

const procedures = ["inspector.eval", "pob.luaStart", "pob.start", "loop.startSession", "rules.roll"];

test.each([
  ["eval", "inspector.eval"],
  ["self__eval", "inspector.eval"],
  ["rules.eval", "inspector.eval"],
  ["pob.lua_start", "pob.luaStart"],
  ["LUA-START", "pob.luaStart"],
  ["lua/start", "pob.luaStart"],
  ["promptwheel_start_session", "loop.startSession"],
  ["Rules/Roll", "rules.roll"],
  ["enroll", undefined],
  ["start.lua", undefined],
  ["", undefined],
])("%s has the words of %s", (typed, name) => {
  expect(findByOwnName(typed, procedures)).toBe(name);
});

test("a name that there is has its own words, and any text some known one's or none's", () => {
  for (const name of procedures) expect(findByOwnName(name, procedures)).toBe(name);
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (typed) =>
      [...procedures, undefined].includes(findByOwnName(typed, procedures)),
    ),
  );
});

test("suggestions are one question", () => {
  expect(suggestHint([undefined], "look")).toBe("look");
  expect(suggestHint([undefined, "a", "b"], "look")).toBe("did you mean a or b?");
});
