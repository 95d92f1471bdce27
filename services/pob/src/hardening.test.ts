import { afterEach, describe, expect, test } from "vitest";
import { buildXml, closeStages, hasLuajit, openStage } from "./stage.fixture.ts";

afterEach(closeStages);

describe.runIf(hasLuajit)("the shim", () => {
  test("a checkout that wants more than to calculate does not get it", async () => {
    const hostile = openStage("hostile");
    await hostile.call("luaLoadBuild", { build_xml: buildXml() });
    const printed = await hostile.printed();
    expect(printed).toEqual(expect.arrayContaining(["text is loaded: 7", "tries: over"]));
    expect(printed.filter((line) => line.includes("ESCAPED"))).toEqual([]);
    expect(await hostile.call("luaCalcWith", { level: 21 })).toMatchObject({ changed: expect.any(Number) });
  });

  test("a build loads after one that left its mark in the cache", async () => {
    const stage = openStage("stock");
    await stage.call("luaLoadBuild", { build_xml: buildXml() });
    await stage.call("luaApply", { items: [{ slot: "Weapon 1" }] });
    expect(await stage.call("luaLoadBuild", { build_xml: buildXml() })).toMatchObject({ meta: { recovered: false } });
  });
});
