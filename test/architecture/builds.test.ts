/** Builds are fresh: each empties its `dist`, and a cached one is not used when what all builds read has changed. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { files, read, root } from "./sources.ts";

interface DryRun {
  readonly globalCacheInputs: { readonly files: Readonly<Record<string, string>> };
}

interface Boundaries {
  readonly tags: Readonly<Record<string, { readonly dependencies?: { readonly allow?: readonly string[] } }>>;
}

const built = files.filter(
  (path) => /^(contracts|codegen|kernel|services|clients)\b.*package\.json$/.test(path) && !path.includes("/gen/"),
);

it.each(built)("%s empties its dist before it builds", (path) => {
  const { scripts = {} } = JSON.parse(read(path)) as { readonly scripts?: Readonly<Record<string, string>> };
  const { build = "" } = scripts;
  if (build.includes("tsc")) expect(build).toContain("rmSync('dist'");
});

it("a change of what all builds read makes the cache stale", () => {
  const turbo = join(root, "node_modules/.bin/turbo");
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
  const dryRun = execFileSync(turbo, ["run", "build", "--dry=json"], { cwd: root, env, maxBuffer: 64 * 1_048_576 });
  const { globalCacheInputs }: DryRun = JSON.parse(dryRun.toString());
  expect(Object.keys(globalCacheInputs.files)).toEqual(
    expect.arrayContaining(["tsconfig.base.json", "tsconfig.build.json"]),
  );
  for (const path of built
    .map((each) => each.replace("package.json", "tsconfig.build.json"))
    .filter((each) => files.includes(each))) {
    const base: unknown = JSON.parse(read(path)).extends;
    expect(String(base), path).toMatch(/\/tsconfig\.build\.json$/);
  }
});

it("turbo's boundaries let no client, no command and no kernel depend on a service", () => {
  const { boundaries }: { readonly boundaries: Boundaries } = JSON.parse(read("turbo.json"));
  const allowed = (tag: string) => boundaries.tags[tag]?.dependencies?.allow;
  expect(allowed("client")).toEqual(["contracts"]);
  expect(allowed("kernel")).toEqual(["contracts"]);
  expect(allowed("codegen")).toEqual(["contracts"]);
  expect(allowed("cli")).not.toContain("service");
});
