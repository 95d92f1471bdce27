/** What is published depends on the sources alone: two builds at two places have the same bytes. And its bill of materials is what is locked. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { runtimePackages } from "../architecture/supply.ts";
import { repository } from "./command.ts";
import { copyRepository } from "./repository-copy.ts";

const workspaces = ["contracts", "kernel"];

/** Digests of the packages that a fresh copy of the repository gives, by file. */
const pack = async (): Promise<Readonly<Record<string, string>>> => {
  const copy = await copyRepository();
  const destination = mkdtempSync(join(tmpdir(), "fairlead-packed-"));
  try {
    for (const workspace of workspaces) {
      await execa("npm", ["run", "build", "--ignore-scripts=false"], { cwd: join(copy.folder, workspace) });
      await execa("npm", ["pack", "--ignore-scripts", "--pack-destination", destination], {
        cwd: join(copy.folder, workspace),
      });
    }
    const digest = (name: string) =>
      createHash("sha256")
        .update(readFileSync(join(destination, name)))
        .digest("hex");
    return Object.fromEntries(readdirSync(destination).map((name) => [name, digest(name)]));
  } finally {
    rmSync(destination, { recursive: true });
    await copy.remove();
  }
};

test("two builds give packages of the same bytes", async () => {
  const first = await pack();
  expect(Object.keys(first)).toHaveLength(workspaces.length);
  expect(await pack()).toEqual(first);
});

test("the bill of materials is CycloneDX, and holds what is locked", async () => {
  const { stdout } = await execa("npm", ["run", "--silent", "sbom"], { cwd: repository });
  const { bomFormat, components } = JSON.parse(stdout) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly name: string; readonly group?: string; readonly version: string }[];
  };
  expect(bomFormat).toBe("CycloneDX");
  const listed = new Set(
    components.map(({ group, name, version }) => `${group === undefined ? name : `${group}/${name}`}@${version}`),
  );
  expect(runtimePackages().filter(({ name, version }) => !listed.has(`${name}@${version}`))).toEqual([]);
});
