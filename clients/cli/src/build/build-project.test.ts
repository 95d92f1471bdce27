/** What `fairlead build` may replace. The build itself: `test/build.long.test.ts`. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isReplaceable } from "./build-project.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-replaceable-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("an empty folder, one that is not there, and an earlier build are replaced", () => {
  expect(isReplaceable(folder)).toBe(true);
  expect(isReplaceable(join(folder, "none"))).toBe(true);
  writeFileSync(join(folder, "package.json"), '{"builtWith":"fairlead 0.1.0"}');
  expect(isReplaceable(folder)).toBe(true);
});

test("a file, a link and a folder with dot files alone are left", () => {
  const [file, link, dots] = ["file", "link", "dots"].map((name) => join(folder, name));
  if (file === undefined || link === undefined || dots === undefined) throw new Error("three paths");
  writeFileSync(file, "");
  symlinkSync(folder, link);
  mkdirSync(join(dots, ".git"), { recursive: true });
  for (const path of [file, link, dots]) expect(isReplaceable(path), path).toBe(false);
});
