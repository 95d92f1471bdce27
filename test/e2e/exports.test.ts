/**
 * What packages promise to those who install them, read off the sources: every export leads to a file, and the build leaves the tests out.
 * `outside.long.test.ts` builds, packs and installs them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { packages } from "../architecture/sources.ts";
import { repository } from "./command.ts";

const json = (path: string): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(repository, path), "utf8"));

interface Conditions {
  readonly "@fairlead/source"?: string;
  readonly types?: string;
  readonly default?: string;
}

const isConditions = (target: unknown): target is Conditions => typeof target === "object" && target !== null;

describe.each(packages)("%s", (folder) => {
  const exports = Object.entries(Object(json(`${folder}/package.json`).exports));

  it("exports only files that are there, each built from its source", () => {
    for (const [name, target] of exports) {
      if (!isConditions(target)) continue;
      const { "@fairlead/source": source = "", types, default: built } = target;
      const wild = source.includes("*");
      expect(wild || existsSync(join(repository, folder, source)), `${name}: ${source}`).toBe(true);
      if (!source.endsWith(".ts")) continue;
      const { rootDir = "." } = Object(json(`${folder}/tsconfig.build.json`).compilerOptions);
      const out = `./dist/${relative(String(rootDir), source)}`;
      expect({ name, types, built }).toEqual({
        name,
        types: out.replace(/\.ts$/, ".d.ts"),
        built: out.replace(/\.ts$/, ".js"),
      });
    }
  });

  it("builds no tests", () => {
    const path = `${folder}/tsconfig.build.json`;
    if (!existsSync(join(repository, path))) return;
    const excluded: unknown = json(path).exclude;
    expect(excluded).toEqual(expect.arrayContaining(["**/*.test.ts"]));
    if (existsSync(join(repository, folder, "src/testing"))) expect(excluded).toContain("src/testing");
  });
});
