import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleTicket } from "../testing/sample.ts";
import { derivePolicy } from "../ticket/policy.ts";
import { checkFile, findDenial } from "./check.ts";
import { foldPath, parsePath } from "./path.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

describe("a path", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src/./b/", "src/b"],
    ["app/[id]/page.tsx", "app/[id]/page.tsx"],
    ["docs/Ärger & Co.md", "docs/Ärger & Co.md"],
    ["100%.md", "100%.md"],
    ["a/..b/c...d", "a/..b/c...d"],
  ])("%j is %j", (given, path) => {
    expect(parsePath(given)).toEqual({ ok: true, path });
  });

  it.each([
    "",
    " ",
    ".",
    "./",
    "..",
    "../x",
    "a/../../x",
    "a/..",
    "/etc/passwd",
    "//host/share",
    "C:/x",
    "c:x",
    "~/x",
    "~root/x",
    "a\\..\\..\\x",
    "..\\x",
    "a\0b",
    "a\nb",
    "%2e%2e/x",
    "a/%2E%2e/x",
    "..%2fx",
    "%252e%252e/x",
    "..%c0%afx",
    "a/.\u200b./x",
    "\u202e../x",
    "\u2024\u2024/x",
    "\uff0e\uff0e/x",
    "a\uff0fb",
    "a\uff3cb",
    ".git\u200c/config",
    ".g\u00adit/config",
    "a/ ",
    "a./b",
    ".git./config",
    ".git /config",
    ".git::$INDEX_ALLOCATION/config",
    "a:b",
    "./~",
    "nul",
    "a/CON.txt",
    "x".repeat(3_000),
    "\ud800",
  ])("%j is refused", (given) => {
    expect(parsePath(given).ok).toBe(false);
  });

  it("of any make is refused or normal: relative, without dots, and stays as it is when read again", () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const verdict = parsePath(given);
        if (!verdict.ok) return;
        const parts = verdict.path.split("/");
        expect(parts.every((part) => part !== "" && part !== "." && part !== "..")).toBe(true);
        expect(verdict.path).not.toMatch(/[\\\0:]|^[/~]/);
        expect(foldPath(verdict.path).split("/")).not.toContain("..");
        expect(parsePath(verdict.path)).toEqual(verdict);
      }),
      { numRuns: inLongTier ? 5_000 : 1_000 },
    );
  });
});

/** Paths put together from what escapes are made of. */
const hostile = fc
  .array(
    fc.constantFrom(
      "..",
      ".",
      "/",
      "//",
      "\\",
      "a",
      "src",
      ".git",
      ".GIT",
      "git~1",
      ".env",
      "%2e",
      "%2E%2e",
      "%2f",
      "%5c",
      "%00",
      "\0",
      " ",
      "~",
      "C:",
      "\u200b",
      "\u202e",
      "\uff0e",
      "\u2024",
      "\uff0f",
      "\u2215",
      "…",
      "\r",
      "\n",
      "nul",
      ":",
      "*",
      "\ud800",
      "é",
      "e\u0301",
      "\ufeff",
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

describe("what is always denied", () => {
  it.each([
    ".env",
    ".env.local",
    "a/.env",
    "a/.ENV.production",
    "node_modules/x/y.js",
    "a/node_modules/x",
    ".git/config",
    ".GIT/hooks/x",
    "sub/.git",
    "git~1/config",
    ".promptwheel/state.sqlite",
    "dist/a.js",
    "build/a",
    "coverage/x",
    "package-lock.json",
    "a/package-lock.json",
    "key.pem",
    "a/id.KEY",
    "credentials.json",
    "my-secrets.ts",
  ])("%s", (path) => {
    expect(findDenial(path)).toBeDefined();
  });

  it.each([
    "src/environment.ts",
    "src/a.ts",
    "gitignore.md",
    ".github/workflows/ci.yml",
    ".gitignore",
    "src/keys.ts",
    "distance.ts",
  ])("but not %s", (path) => {
    expect(findDenial(path)).toBeUndefined();
  });

  it("stays denied whatever a ticket allows, and however it is spelt", () => {
    const policy = derivePolicy(sampleTicket(1, { allowedPaths: ["**", ".git", ".env"] }), []);
    fc.assert(
      fc.property(
        fc.constantFrom(".git/config", ".env", "node_modules/a.js", ".promptwheel/x", "a/.git/hooks/pre-commit"),
        fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
        fc.constantFrom("", "./", ".//", "src/../"),
        (path, upper, prefix) => {
          const spelt = [...path]
            .map((character, index) => (upper[index] ? character.toUpperCase() : character))
            .join("");
          expect(checkFile(policy, prefix + spelt)).toBeDefined();
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
