import { expect, test } from "vitest";
import { schemaPositions } from "../testing/schema-edits.ts";
import { judgeEdits } from "../testing/schema-verdicts.ts";

test.each(Object.keys(schemaPositions))(
  "each edit in %s is judged as it was made; 1,000 values refute none",
  (position) => {
    expect(judgeEdits(position, { values: 1_000 })).toEqual([]);
  },
);
