import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryProject } from "../testing/fixture.ts";
import { digestFiles, proofSources, proofVersion } from "./proof-version.ts";

test("what proves, lowers, prints and decodes is part of the version, tests aside", () => {
  const names = proofSources().map((file) => basename(file));
  expect(names).toEqual(
    expect.arrayContaining([
      "prove.ts",
      "values.ts",
      "lower.ts",
      "types.ts",
      "decoder.ts",
      "encoder.ts",
      "package.json",
    ]),
  );
  expect(names.filter((name) => name.includes(".test."))).toEqual([]);
  expect(proofVersion()).toMatch(/^[\w-]{27}$/);
});

test("an edit changes it, and nothing else does", () => {
  using project = temporaryProject({ "a.ts": "1", "b.ts": "2" });
  const files = ["a.ts", "b.ts"].map((name) => join(project.root, name));
  const before = digestFiles(files);
  expect(digestFiles(files)).toBe(before);
  writeFileSync(join(project.root, "b.ts"), "3");
  expect(digestFiles(files)).not.toBe(before);
});
