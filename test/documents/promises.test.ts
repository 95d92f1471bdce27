/** Every promise of SECURITY.md names a test that proves it, and that test is there. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const repository = fileURLToPath(new URL("../..", import.meta.url));

interface SecurityPromise {
  readonly text: string;
  /** Paths of tests that it names. */
  readonly tests: readonly string[];
}

const readPromises = (document: string): readonly SecurityPromise[] => {
  const section = document.split(/^## /m).find((part) => part.startsWith("What we promise")) ?? "";
  return section
    .split(/^- /m)
    .slice(1)
    .map((text) => ({
      text: text.replaceAll(/\s+/g, " ").trim(),
      tests: [...text.matchAll(/`([^`\s]+\.test\.ts)`/g)].map(([, path = ""]) => path),
    }));
};

const promises = readPromises(readFileSync(join(repository, "SECURITY.md"), "utf8"));

it("sees a promise without a test", () => {
  const document = "## What we promise\n\n- One (`a.test.ts`).\n- Two,\n  without.\n\n## Other\n\n- Three.\n";
  expect(readPromises(document).map(({ text, tests }) => [text, tests.length])).toEqual([
    ["One (`a.test.ts`).", 1],
    ["Two, without.", 0],
  ]);
});

it("no promise lacks a test", () => {
  expect(promises.length).toBeGreaterThan(20);
  expect(promises.filter(({ tests }) => tests.length === 0).map(({ text }) => text)).toEqual([]);
});

it("every test that a promise names is there", () => {
  const missing = promises.flatMap(({ tests }) => tests.filter((path) => !existsSync(join(repository, path))));
  expect(missing).toEqual([]);
});
