/** Edits whose meaning is known, at a few positions; at all of them in `witness.long.test.ts`. */
import { describe, expect, test } from "vitest";
import { schemaEdits, schemaPositions } from "../testing/schema-edits.ts";
import { judgeEdits } from "../testing/schema-verdicts.ts";

test("there are more than 40 kinds of edits", () => {
  expect(schemaEdits.length).toBeGreaterThan(40);
  expect(new Set(schemaEdits.map(({ name }) => name)).size).toBe(schemaEdits.length);
});

describe.each(Object.keys(schemaPositions).slice(0, 1))("in %s", (position) => {
  test("each edit is judged as it was made, and no value refutes it", () => {
    expect(judgeEdits(position, { values: 20 })).toEqual([]);
  });
});
