import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { read } from "./sources.ts";
import { licencesPage, lockedPackages, runtimePackages } from "./supply.ts";

describe("what is installed", () => {
  it("is locked by its bytes, and names no place that it comes from", () => {
    const packages = lockedPackages();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(packages.filter(([, { integrity }]) => integrity?.startsWith("sha512-") !== true)).toEqual([]);
    expect(read("package-lock.json")).not.toMatch(
      /https?:\/\/(?!opencollective|github|.*(?:sponsor|fund|donat|paypal|patreon|tidelift))[^"]*\.tgz/,
    );
  });

  it("runs no code when it is installed", () => {
    expect(lockedPackages().filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    expect(read(".npmrc")).toContain("ignore-scripts=true");
  });

  it("is under licences that ask for no more than their notices, and docs/licences.md lists them", () => {
    const permitted = new Set(["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Unlicense", "0BSD"]);
    const packages = runtimePackages();
    expect(packages.filter(({ license }) => !permitted.has(license))).toEqual([]);
    expect(read("docs/licences.md")).toBe(licencesPage(packages));
  });
});

/** The claims of SECURITY.md: one list item each. */
const claims = (): readonly string[] => {
  const [, promised = ""] = read("SECURITY.md").split("## What we promise\n");
  const [list = ""] = promised.split("\n## ");
  return list
    .split(/^- /m)
    .slice(1)
    .map((claim) => claim.replaceAll(/\s+/g, " ").trim());
};

describe("each claim of SECURITY.md", () => {
  it.each(claims())("names a test that proves it: %s", (claim) => {
    const named = [...claim.matchAll(/`([\w./-]+\.(?:test|soak)\.ts)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url))))).toEqual([]);
  });
});
