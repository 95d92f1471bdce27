import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  buildXml,
  closeTestKernels,
  hasLuajit,
  load,
  openTestKernel,
  type PobTestKernel,
} from "../testing/test-kernel.ts";

const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeTestKernels);

const helmet = (...lines: readonly string[]) => ({
  items: [{ slot: "Helmet", text: ["Rarity: RARE", "Test Hat", "Rusted Helmet", ...lines].join("\n") }],
});

describe.runIf(hasLuajit)("what Path of Building did not take as written", () => {
  let kernel: PobTestKernel;
  beforeEach(async () => {
    kernel = openTestKernel("stock");
    await load(kernel);
  });

  test.each(
    (
      [
        [
          "a mistyped line",
          helmet("+50 to maximum Lfe", "+50 to maximum Life"),
          { kind: "unknown_line", where: "Helmet", text: "+50 to maximum Lfe", nearest: "+50 to maximum Life" },
        ],
        [
          "a line that is understood in part",
          helmet("30% increased Spell Damage with flowers"),
          {
            kind: "unknown_line",
            nearest: "30% increased Spell Damage",
            message: expect.stringContaining('"with flowers"'),
          },
        ],
        [
          "a line of no kind",
          helmet("Smells of roses"),
          { kind: "unknown_line", text: "Smells of roses", where: "Helmet" },
        ],
        ["a level that is not reached", helmet("LevelReq: 60"), { kind: "requirement", where: "Helmet" }],
        [
          "an attribute that is missing",
          helmet("Str: 90"),
          {
            kind: "requirement",
            where: "Helmet",
            message: expect.stringContaining("90 Strength and the character has 14"),
          },
        ],
        [
          "a unique without its lines",
          { items: [{ slot: "Helmet", text: "Rarity: UNIQUE\nGoldrim\nRusted Helmet" }] },
          { kind: "completed", text: "Goldrim, Rusted Helmet" },
        ],
        [
          "a support that supports nothing",
          { gems: [{ group: 1, gem: 2, name: "Melee Physical Damage" }] },
          { kind: "unused_support", where: "group 1, gem 2" },
        ],
        [
          "a level that a gem does not have",
          { gems: [{ group: 1, gem: 2, name: "Spark", level: 40 }] },
          { kind: "read_as", text: "Spark level 40", message: expect.stringContaining("30 is used") },
        ],
        [
          "custom modifiers",
          { config: { customMods: "+10 to maximum Life\n\n+10 to maxmum Life" } },
          { kind: "unknown_line", where: "customMods, line 3", nearest: "+10 to maximum Life" },
        ],
      ] as const
    ).filter((_, at) => inLongTier || at % 3 === 0),
  )("an edit and its what-if answer %s", async (_name, changes, notice) => {
    const answer = { notices: [expect.objectContaining(notice)] };
    expect(await kernel.call("luaCalcWith", changes)).toMatchObject(answer);
    expect(await kernel.call("luaApply", changes)).toMatchObject(answer);
    expect(await kernel.call("luaApply", { level: 21 })).toMatchObject({ notices: [] });
  });

  test("a unique without its lines counts with them, and an unknown one is refused with the nearest", async () => {
    const wear = (title: string) => ({ items: [{ slot: "Helmet", text: `Rarity: UNIQUE\n${title}` }] });
    expect(await kernel.call("luaCalcWith", { ...wear("Goldrim"), fields: ["Life"] })).toMatchObject({
      changes: [{ name: "Life", delta: 77 }],
    });
    expect(await kernel.callForError("luaApply", wear("Goldrin"))).toMatchObject({
      reason: "bad_change",
      message: expect.stringContaining("did you mean Goldrim?"),
    });
  });

  test.each(
    (
      [
        [{ enemyLevel: "abc" }, 'the option enemyLevel takes a whole number from 0, not "abc"'],
        [{ enemyLevel: 1.5 }, "the option enemyLevel takes a whole number from 0, not 1.5"],
        [{ usePowerCharges: "yes" }, 'the option usePowerCharges takes true or false, not "yes"'],
        [{ customMods: true }, "the option customMods takes a text, not true"],
      ] as const
    ).filter((_, at) => inLongTier || at % 2 === 0),
  )("an option is refused a value of another type: %j", async (config, message) => {
    for (const name of ["luaApply", "luaCalcWith"])
      expect(await kernel.callForError(name, { config })).toMatchObject({ reason: "bad_change", message });
  });

  if (inLongTier) {
    test("a stat that there is not is refused by a what-if, and one that this build lacks is named", async () => {
      expect(await kernel.callForError("luaCalcWith", { level: 30, fields: ["Life", "Lfe"] })).toMatchObject({
        code: "invalid_argument",
        issues: [{ path: "fields[1]", fix: "did you mean Life?" }],
      });
      expect(await kernel.call("luaCalcWith", { level: 30, fields: ["Life", "EnergyShield"] })).toMatchObject({
        changes: [{ name: "Life" }],
        unknown: ["EnergyShield"],
      });
    });
  }

  test("a load says what was left out or read as something else, and the parts what is still so", async () => {
    const lost = '<Item id="2">\nRarity: RARE\nLost Hat\nRustd Helmet\n+9 to maximum Life\n</Item>';
    const xml = buildXml({ gem: "Ar" })
      .replace("+20 to maximum Life", "+20 to maximum Lief")
      .replace('<ItemSet id="1">', `${lost}<ItemSet id="1"><Slot name="Helmet" itemId="2"/>`)
      .replace("<Config>", '<Config><Input name="mood" string="good"/>');
    const line = { kind: "unknown_line", where: "Weapon 1", nearest: "+20 to maximum Life" };
    const option = { kind: "bad_option", where: "config mood", text: "good" };
    expect(await load(kernel, xml)).toMatchObject({
      status: expect.stringMatching(/did not take 4 parts of it as written: see notices\.$/),
      notices: [
        { kind: "unknown_base", where: "Helmet", nearest: "Rusted Helmet" },
        { kind: "read_as", where: "group 1, gem 1", text: "Ar", message: expect.stringContaining("takes it for Arc") },
        line,
        option,
      ],
    });
    expect(await kernel.call("luaGetParts")).toMatchObject({ notices: [line, option] });
  });

  test("a good build has no notices, and a gem by a part of its name is refused", async () => {
    expect(await load(kernel)).toMatchObject({ notices: [] });
    expect(await kernel.callForError("luaApply", { gems: [{ group: 1, gem: 2, name: "Ar" }] })).toMatchObject({
      reason: "bad_change",
      message: expect.stringContaining("no gem Ar; did you mean Arc?"),
    });
    expect(
      await kernel.call("luaApply", { gems: [{ group: 1, gem: 2, name: "added lightning damage support" }] }),
    ).toMatchObject({ notices: [] });
  });
});

test.runIf(hasLuajit)("a fork says that it does not say", async () => {
  const kernel = openTestKernel("fork");
  expect(await load(kernel)).toMatchObject({
    status: "Loaded test: level 20 Witch, 4 nodes.",
    notices: [{ kind: "not_checked" }],
  });
  expect(await kernel.call("luaApply", { level: 30 })).toMatchObject({ notices: [{ kind: "not_checked" }] });
  expect(await kernel.callForError("luaCalcWith", { level: 40, fields: ["Lfe"] })).toMatchObject({
    issues: [{ path: "fields[0]" }],
  });
});
