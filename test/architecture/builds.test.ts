/** Builds are fresh: each empties its `dist`, and a cached one is not used when what all builds read has changed. */
import { expect, it } from "vitest";
import { files, read } from "./sources.ts";

const built = files.filter(
  (path) => /^(contracts|codegen|kernel|services|clients)\b.*package\.json$/.test(path) && !path.includes("/gen/"),
);

it.each(built)("%s empties its dist before it builds", (path) => {
  const { scripts = {} } = JSON.parse(read(path)) as { readonly scripts?: Readonly<Record<string, string>> };
  expect(scripts.build ?? "rmSync('dist'").toContain("rmSync('dist'");
});

it("a change of what all builds read makes the cache stale", () => {
  const { globalDependencies } = JSON.parse(read("turbo.json")) as { readonly globalDependencies: readonly string[] };
  for (const path of built
    .map((each) => each.replace("package.json", "tsconfig.build.json"))
    .filter((each) => files.includes(each))) {
    const base: unknown = JSON.parse(read(path)).extends;
    expect(String(base), path).toMatch(/\/tsconfig\.build\.json$/);
  }
  expect(globalDependencies).toEqual(expect.arrayContaining(["tsconfig.base.json", "tsconfig.build.json"]));
});
