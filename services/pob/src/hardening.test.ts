import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeContainment } from "@fairlead/kernel/subprocess";
import { afterEach, describe, expect, test } from "vitest";
import { buildXml, closeTestKernels, hasLuajit, openTestKernel } from "./testing/test-kernel.ts";

afterEach(closeTestKernels);

describe.runIf(hasLuajit)("the shim", () => {
  test("a checkout that wants more than to calculate does not get it", async () => {
    const hostile = openTestKernel("hostile");
    await hostile.call("luaLoadBuild", { build_xml: buildXml() });
    const printed = await hostile.printed();
    expect(printed).toEqual(expect.arrayContaining(["text is loaded: 7", "tries: over"]));
    expect(printed.filter((line) => line.includes("ESCAPED"))).toEqual([]);
    expect(await hostile.call("luaCalcWith", { level: 21 })).toMatchObject({ changed: expect.any(Number) });
  });

  test("a build loads after one that left its mark in the cache", async () => {
    const kernel = openTestKernel("stock");
    await kernel.call("luaLoadBuild", { build_xml: buildXml() });
    await kernel.call("luaApply", { items: [{ slot: "Weapon 1" }] });
    expect(await kernel.call("luaLoadBuild", { build_xml: buildXml() })).toMatchObject({ meta: { recovered: false } });
  });
});

const { denials } = await probeContainment();

test.runIf(hasLuajit && denials.includes("writing"))(
  "a fork that wants to write cannot: not in its checkout, not beside it",
  async () => {
    const copy = mkdtempSync(join(tmpdir(), "fairlead-pob-"));
    for (const folder of ["lua", "src/testing/engine"]) {
      cpSync(new URL(`../${folder}`, import.meta.url), join(copy, folder), { recursive: true });
    }
    const checkout = join(copy, "src/testing/engine/hostile");
    const before = readdirSync(copy, { recursive: true }).toSorted();
    const hostile = openTestKernel("hostile", { POB_FORK_PATH: checkout, POB_DRIVER: "fork" });
    await hostile.call("luaLoadBuild", { build_xml: buildXml() });
    const escaped = (await hostile.printed()).filter((line) => line.startsWith("ESCAPED by"));
    expect(escaped).toContain("ESCAPED by ffi");
    for (const one of ["write", "append", "output", "temporary", "remove", "rename"]) {
      expect(escaped).not.toContain(`ESCAPED by ${one}`);
    }
    expect(readdirSync(copy, { recursive: true }).toSorted()).toEqual(before);
    rmSync(copy, { recursive: true });
  },
);
