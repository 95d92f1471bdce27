/** Builds saved into the folder, and read again from there. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { expect, it, onTestFinished } from "vitest";
import { saveBuildFile } from "../build/saved-build.ts";
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

it("the copy of what was there replaces a link at its name, and leaves what the link leads to", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-builds-"));
  const outside = mkdtempSync(join(tmpdir(), "fairlead-outside-"));
  onTestFinished(() => {
    for (const one of [folder, outside]) rmSync(one, { recursive: true });
  });
  const save = start({ POB_BUILDS_PATH: folder });
  writeFileSync(join(outside, "secret"), "untouched");
  writeFileSync(join(folder, "witch.xml"), "before");
  symlinkSync(join(outside, "secret"), join(folder, "witch.xml.bak"));
  expect(await save({ file: "witch", overwrite: true })).toMatchObject({ backup: "witch.xml.bak" });
  expect(readFileSync(join(outside, "secret"), "utf8")).toBe("untouched");
  expect(readFileSync(join(folder, "witch.xml.bak"), "utf8")).toBe("before");
  expect(readFileSync(join(folder, "witch.xml"), "utf8")).toBe(build);
  mkdirSync(join(folder, "mage.xml.bak"));
  writeFileSync(join(folder, "mage.xml"), "before");
  expect(await save({ file: "mage", overwrite: true })).toMatchObject({ reason: "not_saved" });
  expect(readFileSync(join(folder, "mage.xml"), "utf8")).toBe("before");
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

it("saves of one build at once: one gets the name, or each replaces the one before as a whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-builds-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const of = (level: number): string =>
    build.replace("7", String(level)).replace("></Build>", `>${" ".repeat(level * 500)}</Build>`);
  const saveAll = (overwrite: boolean) =>
    Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        saveBuildFile(folder, { name: "witch", xml: of(at + 1), overwrite }).then(
          ({ bytes }) => bytes,
          (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
        ),
      ),
    );
  const sizes = Array.from({ length: 12 }, (_, at) => of(at + 1).length);
  for (let round = 0; round < 10; round += 1) {
    rmSync(join(folder, "witch.xml"), { force: true });
    const first = await saveAll(false);
    const saved = first.filter((one) => typeof one === "number");
    expect(saved).toHaveLength(1);
    expect(readFileSync(join(folder, "witch.xml"), "utf8")).toBe(of(sizes.indexOf(saved[0] ?? 0) + 1));
    expect(new Set(first.filter((one) => one !== saved[0]))).toEqual(new Set(["there is a witch.xml already"]));
    expect(await saveAll(true)).toEqual(sizes);
    expect(readFileSync(join(folder, "witch.xml"), "utf8")).toBe(of(12));
    expect(readFileSync(join(folder, "witch.xml.bak"), "utf8")).toBe(of(11));
  }
  expect(readdirSync(folder).toSorted()).toEqual(["witch.xml", "witch.xml.bak"]);
});

it("without a folder it says what to set", async () => {
  expect(await start({})({ file: "x" })).toMatchObject({
    reason: "not_saved",
    message: "no folder of builds is configured",
  });
});
