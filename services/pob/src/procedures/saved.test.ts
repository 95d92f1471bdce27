/** Builds saved into the folder, and read again from there. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { expect, it, onTestFinished } from "vitest";
import service from "../service.ts";

const build = '<PathOfBuilding><Build level="7" className="Witch"></Build></PathOfBuilding>';

const start = (env: Readonly<Record<string, string>>) => {
  const kernel = openMemoryKernel([service], { config: { pob: {} }, env });
  onTestFinished(() => kernel.close());
  return async (input: object) => {
    const reply = await kernel.call("pob.saveBuild", { source: { build }, ...input });
    return reply.ok
      ? reply.value
      : { code: reply.error.code, reason: reply.error.reason, message: reply.error.message };
  };
};

it("a build is saved once, replaced when asked to, and never through a link or out of the folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-builds-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const save = start({ POB_BUILDS_PATH: folder });
  expect(await save({ file: "my witch" })).toEqual({ file: "my witch.xml", bytes: build.length, backup: null });
  expect(readFileSync(join(folder, "my witch.xml"), "utf8")).toBe(build);
  expect(await save({ file: "my witch.xml" })).toMatchObject({
    reason: "not_saved",
    message: expect.stringContaining("already"),
  });
  writeFileSync(join(folder, "my witch.xml"), "before");
  expect(await save({ file: "my witch", overwrite: true })).toMatchObject({ backup: "my witch.xml.bak" });
  expect(readFileSync(join(folder, "my witch.xml.bak"), "utf8")).toBe("before");
  symlinkSync(join(folder, "elsewhere"), join(folder, "link.xml"));
  expect(await save({ file: "link", overwrite: true })).toMatchObject({
    message: expect.stringContaining("not a file"),
  });
  for (const file of ["../out", "a/b", ".hidden", "a\\b", "", "con:"]) {
    expect(await save({ file })).toMatchObject({ code: "invalid_argument" });
  }
  expect(await save({ file: "bad", source: { build: "no build" } })).toMatchObject({ reason: "bad_build" });
  expect(readdirSync(folder).toSorted()).toEqual(["link.xml", "my witch.xml", "my witch.xml.bak"]);
});

it("without a folder it says what to set", async () => {
  expect(await start({})({ file: "x" })).toMatchObject({
    reason: "not_saved",
    message: "no folder of builds is configured",
  });
});
