import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleTicket } from "../testing/sample.ts";
import { conflicts, selectIndependent } from "../ticket/conflict.ts";
import { derivePolicy, historyRisk } from "../ticket/policy.ts";
import { checkFile, checkFiles, checkLines } from "./check.ts";
import { coversPath, matchesGlob } from "./glob.ts";

describe("globs", () => {
  it.each([
    ["**", "a/b/c.ts", true],
    ["src/**", "src/a.ts", true],
    ["src/**", "src", true],
    ["src/**", "srcx/a.ts", false],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "a/b.ts", true],
    ["*.ts", "a/b.ts", false],
    ["src/*/x.?s", "src/a/x.ts", true],
    ["src/*/x.?s", "src/a/b/x.ts", false],
    ["{src,lib}/**/*.{ts,js}", "lib/a/b.js", true],
    ["{src,lib}/**", "test/a", false],
    ["app/[id]/*", "app/[id]/page.tsx", true],
    ["app/[id]/*", "app/i/page.tsx", false],
    ["a/**/b/**/c", "a/x/b/y/z/c", true],
  ])("%s and %s: %s", (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected);
  });

  it("read a plain path as itself and as a folder", () => {
    expect(coversPath("src", "src/a.ts")).toBe(true);
    expect(coversPath("src/", "src/a.ts")).toBe(true);
    expect(coversPath("src/a", "src/ab")).toBe(false);
  });

  it("cannot be made slow", () => {
    const path = "a".repeat(2_000);
    expect(matchesGlob(`${"*a".repeat(500)}b`, path)).toBe(false);
    expect(matchesGlob(`${"**/".repeat(200)}b`, Array.from({ length: 400 }, () => "a").join("/"))).toBe(false);
    expect(matchesGlob("{a,b}".repeat(40), "x")).toBe(false);
  });

  it("agree with a plain definition on small cases", () => {
    const text = fc
      .string({ unit: fc.constantFrom("a", "b", "/"), minLength: 1, maxLength: 7 })
      .filter((one) => !/^\/|\/\/|\/$/.test(one));
    const pattern = fc
      .string({ unit: fc.constantFrom("a", "b", "/", "*", "?"), minLength: 1, maxLength: 7 })
      .filter((one) => !/^\/|\/\/|\/$|\*\*/.test(one));
    fc.assert(
      fc.property(pattern, text, (glob, path) => {
        const plain = new RegExp(`^${glob.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}$`);
        expect(matchesGlob(glob, path)).toBe(plain.test(path));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a scope policy", () => {
  const policy = derivePolicy(sampleTicket(1, { allowedPaths: ["src/**"] }), []);

  it("holds the reference's numbers", () => {
    expect(policy).toMatchObject({ max_files: 10, max_lines: 500, plan_required: true });
    expect(derivePolicy(sampleTicket(1, { category: "test" }), []).max_lines).toBe(1_000);
    expect(derivePolicy(sampleTicket(1, { category: "docs" }), []).plan_required).toBe(false);
  });

  it("takes the files where no paths are allowed explicitly", () => {
    expect(derivePolicy(sampleTicket(1), []).allowed_paths).toEqual(["src/part-1.ts"]);
  });

  it("becomes tighter where earlier work failed, and wider where it went well", () => {
    const at = (outcome: "done" | "blocked") => ({
      id: sampleTicket(2).id,
      title: "x",
      outcome,
      files: ["src/part-2.ts"],
      at: 0,
    });
    expect(historyRisk(["src/part-1.ts"], [])).toBeUndefined();
    expect(derivePolicy(sampleTicket(1), [at("blocked")])).toMatchObject({ max_files: 5, max_lines: 250 });
    expect(derivePolicy(sampleTicket(1), [at("done")])).toMatchObject({ max_files: 15, max_lines: 750 });
  });

  it("says which file breaks which rule", () => {
    expect(checkFile(policy, "lib/a.ts")).toMatchObject({ rule: "not_allowed", file: "lib/a.ts" });
    expect(checkFile(policy, "src/.env")).toMatchObject({ rule: "denied" });
    expect(checkFile(policy, "src/../x")).toMatchObject({ rule: "path" });
    expect(checkFile(policy, "src/a.ts")).toBeUndefined();
    expect(
      checkFiles(
        policy,
        Array.from({ length: 11 }, (_, n) => `src/${n}.ts`),
      ),
    ).toMatchObject([{ rule: "count" }]);
    expect(checkLines(policy, 501)).toBeDefined();
    expect(checkLines(policy, 500)).toBeUndefined();
  });

  it("keeps docs to documents and tests to tests", () => {
    const docs = derivePolicy(sampleTicket(1, { category: "docs", allowedPaths: ["**"] }), []);
    const tests = derivePolicy(sampleTicket(1, { category: "test", allowedPaths: ["**"] }), []);
    expect(checkFile(docs, "README.md")).toBeUndefined();
    expect(checkFile(docs, "src/a.ts")).toMatchObject({ rule: "category" });
    const named = derivePolicy(sampleTicket(1, { category: "docs", allowedPaths: ["**"], files: ["src/a.ts"] }), []);
    expect(checkFile(named, "src/a.ts")).toBeUndefined();
    expect(checkFile(named, "src/b.ts")).toMatchObject({ rule: "category" });
    for (const file of ["src/a.test.ts", "test/a.py", "tests/b.rb", "a_test.go", "test_a.py", "src/__tests__/a.js"])
      expect(checkFile(tests, file)).toBeUndefined();
    expect(checkFile(tests, "src/contest.ts")).toMatchObject({ rule: "category" });
  });
});

describe("parallel tickets", () => {
  const on = (number: number, ...paths: readonly string[]) => sampleTicket(number, { allowedPaths: paths, files: [] });

  it.each([
    [["src/a.ts"], ["src/b.ts"], false],
    [["src/a.ts"], ["src/a.ts"], true],
    [["src"], ["src/b.ts"], true],
    [["src/**"], ["src/b.ts"], true],
    [["src/*.ts"], ["lib/*.ts"], false],
    [["**/*.ts"], ["lib/a.md"], true],
    [[], ["lib"], true],
    [["src/ui/**"], ["src/**/a.ts"], true],
  ] as const)("%j and %j: %s", (left, right, expected) => {
    expect(conflicts(on(1, ...left), on(2, ...right))).toBe(expected);
    expect(conflicts(on(2, ...right), on(1, ...left))).toBe(expected);
  });

  it("takes the best ones that do not meet", () => {
    const tickets = [on(1, "src/a"), on(2, "src/a/b"), on(3, "lib"), on(4, "docs")];
    expect(selectIndependent(tickets, 2).map(({ order }) => order)).toEqual([1, 3]);
  });
});
