/** What `fairlead build` says where there is no bundler. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { toolVersions } from "../init/project-text.ts";
import { explainMissing } from "./missing-bundler.ts";

const importError = (name: string): Promise<unknown> => {
  const file = join(mkdtempSync(join(tmpdir(), "fairlead-missing-")), "build.mjs");
  writeFileSync(file, `import "${name}";`);
  return import(/* @vite-ignore */ pathToFileURL(file).href).catch((error: unknown) => error);
};

test("names the command that installs it, in the version that this is checked with", async () => {
  const cause = Object.assign(new Error("Cannot find package 'rolldown' imported from /p/build.js"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  expect(() => explainMissing(cause)).toThrow("needs the bundler rolldown");
  const { devDependencies, peerDependencies } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  expect(toolVersions.rolldown).toBe(devDependencies.rolldown);
  expect(peerDependencies.rolldown).toBe(`^${devDependencies.rolldown}`);
});

test("leaves every other failure as it is", async () => {
  const other = await importError("no-such-package-here");
  expect(() => explainMissing(other)).toThrow("no-such-package-here");
});
