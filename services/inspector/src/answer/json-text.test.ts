import { runToEnd } from "@fairlead/linq";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeJson } from "./json-text.ts";

test("property: the text is that of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect(runToEnd(writeJson(value, undefined))).toBe(JSON.stringify(value));
    }),
  );
  expect(runToEnd(writeJson({ a: undefined, b: [undefined, 1] }, undefined))).toBe('{"b":[null,1]}');
});
