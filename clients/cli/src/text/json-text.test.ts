import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "./json-text.ts";

test("JSON is taken as it is, with or without a byte order mark", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("", "\uFEFF"), (json, mark) => {
      expect(parseJson(`${mark}${json}`)).toEqual({ ok: true, value: JSON.parse(json) });
    }),
  );
});

test("any other text has a place where it stops being JSON, an empty one none", () => {
  expect(parseJson(" \n")).toMatchObject({ ok: false, place: "", fix: "give it a JSON object, like {}" });
  fc.assert(
    fc.property(fc.json({ maxDepth: 2 }), fc.nat(), (json, at) => {
      const parsed = parseJson(`${json.slice(0, at % json.length)}\u0000`);
      expect(parsed).toMatchObject({ ok: false, place: expect.stringMatching(/^ at line \d+, column \d+$/) });
    }),
  );
});

test.each([
  ["{a: 1}", "line 1, column 2"],
  ['{"a":\n 1,, }', "line 2, column 4"],
  ['{"a":\n', "line 2, column 1"],
  ['{"a": tru}', "line 1, column 10"],
  ["x", "line 1, column 1"],
])("says where %j stops being JSON", (text, place) => {
  expect(parseJson(text)).toMatchObject({ ok: false, place: ` at ${place}` });
});
