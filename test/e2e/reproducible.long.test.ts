/** What is published depends on the sources alone: two builds at two places have the same bytes. And its bill of materials is what is locked. */
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { runtimePackages } from "../architecture/supply.ts";
import { repository } from "./command.ts";
import { copyRepository } from "./repository-copy.ts";

/** All that is published and gives the same bytes anywhere; who is built with another's result comes after it. */
const workspaces = [
  "contracts",
  "codegen",
  "kernel",
  "services/inspector/linq",
  "clients/typescript",
  ...["connections", "inspector", "loop", "pob", "rules"].map((service) => `services/${service}`),
  ...["console", "cli", "create"].map((client) => `clients/${client}`),
];

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

test("every other package that is published is built here", () => {
  const manifests = globSync(["*/package.json", "{services,clients}/*/package.json", "services/*/*/package.json"], {
    cwd: repository,
  });
  const published = manifests.filter((path) => {
    const { private: isPrivate } = JSON.parse(readFileSync(join(repository, path), "utf8")) as { private?: boolean };
    return isPrivate !== true;
  });
  expect(workspaces.toSorted()).toEqual(published.map(dirname).toSorted());
});

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
