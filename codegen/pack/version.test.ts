import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { closeChangelog, lockWithVersion, requireNewer, withVersion } from "./version.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

test("versions go up, in the order of semver", () => {
  const rising = [
    "0.1.0",
    "0.2.0-1",
    "0.2.0-2",
    "0.2.0-10",
    "0.2.0-a",
    "0.2.0-a.1",
    "0.2.0-rc",
    "0.2.0",
    "0.10.0",
    "1.0.0",
  ];
  for (const [at, version] of rising.entries())
    for (const [other, next] of rising.entries()) {
      const act = () => requireNewer(version, next);
      if (other > at) expect(act, `${version} ${next}`).not.toThrow();
      else expect(act, `${version} ${next}`).toThrow("is not after");
    }
  for (const wrong of ["", "1", "1.2", "v1.2.3", "1.2.3-", "1.2.3+x", "1.2.3 ", "01.2.x"])
    expect(() => requireNewer("0.1.0", wrong), wrong).toThrow("is not a version");
});

test("a package has the new version, and asks for it of its neighbours alone", () => {
  const change = { current: "0.1.0", next: "0.2.0", own: new Set(["@fairlead/kernel", "fairlead"]) };
  const before = {
    name: "fairlead",
    version: "0.1.0",
    dependencies: { "@fairlead/kernel": "0.1.0", other: "0.1.0" },
    peerDependencies: { "@fairlead/kernel": "^0.1.0" },
  };
  const after = {
    name: "fairlead",
    version: "0.2.0",
    dependencies: { "@fairlead/kernel": "0.2.0", other: "0.1.0" },
    peerDependencies: { "@fairlead/kernel": "^0.1.0" },
  };
  expect(withVersion(before, change)).toEqual(after);
  const lock = { version: "0.1.0", packages: { cli: before, "node_modules/other": { version: "0.1.0" } } };
  expect(lockWithVersion(lock, change, new Set(["cli"]))).toEqual({
    version: "0.2.0",
    packages: { cli: after, "node_modules/other": { version: "0.1.0" } },
  });
});

test("a changelog is closed where it says something", () => {
  const text = "# Changelog\n\n## 0.1.0 (unreleased)\n\n- One thing.\n\n## 0.0.1 (2026-01-01)\n\n- Another.\n";
  expect(closeChangelog(text, "0.2.0", "2026-12-01")).toBe(text.replace("0.1.0 (unreleased)", "0.2.0 (2026-12-01)"));
  expect(() => closeChangelog(text.replace("- One thing.\n", ""), "0.2.0", "")).toThrow("is empty");
  expect(() => closeChangelog("# Changelog\n", "0.2.0", "")).toThrow("no section");
});

test("the command changes this repository as a whole or not at all", () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-release-"));
  try {
    const { workspaces } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    const manifests = [
      "package.json",
      ...globSync(
        workspaces.map((each: string) => `${each}/package.json`),
        { cwd: repository },
      ),
    ];
    for (const path of [...manifests, "package-lock.json", "CHANGELOG.md"]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      cpSync(join(repository, path), join(folder, path));
    }
    const release = (version: string): string =>
      execFileSync(process.execPath, [join(repository, "codegen/pack/release.ts"), version], {
        cwd: folder,
        encoding: "utf8",
        stdio: "pipe",
      });
    const { version: current } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(() => release("0.0.1")).toThrow("is not after");
    expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(
      readFileSync(join(repository, "package.json"), "utf8"),
    );
    expect(release("7.8.9")).toContain("git tag v7.8.9");
    const own = manifests.map((path) => JSON.parse(readFileSync(join(folder, path), "utf8")));
    const names = new Set(own.map(({ name }) => name));
    const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
    const locked = Object.entries<Record<string, string>>(lock.packages).filter(
      ([place]) => !place.includes("node_modules/"),
    );
    for (const each of [...own, ...locked.map(([, entry]) => entry)]) {
      expect(each.version ?? "7.8.9", each.name).toBe("7.8.9");
      const asked = Object.entries({ ...each.dependencies, ...each.devDependencies, ...each.peerDependencies });
      expect(asked.filter(([name, version]) => names.has(name) && version === current)).toEqual([]);
    }
    expect(() => release("7.8.9")).toThrow("no section that is unreleased");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
