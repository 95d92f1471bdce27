/** One edit of a schema gets one verdict, whatever its kind. */
import { expect, test } from "vitest";
import { schemaEdits } from "../testing/schema-edits.ts";
import { schemaChanges } from "./schema-changes.ts";

const place = { service: "notes", where: "notes.add input" };

test.each(schemaEdits)("$name", ({ before, after, relation }) => {
  for (const position of ["input", "output"] as const) {
    const changes = schemaChanges(position, [before, after], place);
    const verdicts = new Set(
      changes.filter(({ kind }) => !/field_removed|default/.test(kind)).map(({ verdict }) => verdict),
    );
    const isBreaking = relation === (position === "input" ? "less" : "more");
    if (relation === "same") expect(verdicts).toEqual(new Set());
    else if (relation === "other") expect(verdicts).toContain("breaking");
    else expect(verdicts).toEqual(new Set([isBreaking ? "breaking" : "compatible"]));
  }
});
