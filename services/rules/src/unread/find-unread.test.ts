/** Nothing is silently ignored: every name that no rule read comes back, with the known one nearest to it. */
import { readdirSync, readFileSync } from "node:fs";
import type { AttackIntent } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { resolvers } from "../resolve/resolvers.ts";
import { buildGame, type Case, features } from "../testing/case.ts";
import { findUnread, findUnreadEntrants } from "./find-unread.ts";
import { knownNames } from "./known-names.ts";

type State = Pick<Case, "player" | "npc" | "scene"> & { readonly intent?: AttackIntent };

const unread = ({ intent, ...state }: State) => findUnread(buildGame(state, "5.1"), intent);

const as = <T>(value: unknown): T => value as T;

describe("a name that no rule reads", () => {
  test.each<[string, State, string, string, string | undefined]>([
    ["skill", { player: { skillProficiencies: ["Steatlh"] } }, "player.skillProficiencies[0]", "Steatlh", "Stealth"],
    [
      "save",
      { player: { savingThrowProficiencies: ["Dexteriy"] } },
      "player.savingThrowProficiencies[0]",
      "Dexteriy",
      "dexterity",
    ],
    ["weapon", { player: { weaponProficiencies: ["Rapeir"] } }, "player.weaponProficiencies[0]", "Rapeir", "rapier"],
    [
      "armor",
      { player: { armorProficiencies: ["Lihgt Armor"] } },
      "player.armorProficiencies[0]",
      "Lihgt Armor",
      "light armor",
    ],
    ["mastery", { player: { weaponMasteries: ["Mual"] } }, "player.weaponMasteries[0]", "Mual", "Maul"],
    ["class", { player: { characterClass: "Rouge" } }, "player.characterClass", "Rouge", "Rogue"],
    ["feature", { player: features("Sneek Attack") }, "player.features[0].name", "Sneek Attack", "Sneak Attack"],
    [
      "feature without a rule",
      { player: features("Thieves' Cant") },
      "player.features[0].name",
      "Thieves' Cant",
      undefined,
    ],
    [
      "condition",
      { player: { conditions: ["Poisond by Goblin"] } },
      "player.conditions[0]",
      "Poisond by Goblin",
      "Poisoned",
    ],
    ["condition of a creature", { npc: { conditions: ["Pronee"] } }, "npcs[0].conditions[0]", "Pronee", "Prone"],
    ["trait", { npc: { traits: ["Evason"] } }, "npcs[0].traits[0]", "Evason", "Evasion"],
    ["effect", { player: { effects: [{ name: "Blss" }] } }, "player.effects[0]", "Blss", "Bless"],
    ["cantrip", { player: { cantrips: ["Fire Blot"] } }, "player.cantrips[0]", "Fire Blot", "Fire Bolt"],
    [
      "belonging",
      { player: { inventory: ["Rope", "Longswrod +1"] } },
      "player.inventory[1]",
      "Longswrod +1",
      "Longsword",
    ],
    ["field", { player: as({ temporaryHp: 3 }) }, "player.temporaryHp", "temporaryHp", "temporaryHP"],
    ["field of a creature", { npc: as({ resistence: ["fire"] }) }, "npcs[0].resistence", "resistence", undefined],
    ["field of the scene", { scene: as({ advantages: ["high"] }) }, "scene.advantages", "advantages", "advantage"],
    [
      "formula",
      { player: { features: [{ name: "Sneak Attack", scalingFormula: "lots" }] } },
      "player.features[0].scalingFormula",
      "lots",
      undefined,
    ],
    [
      "formula of a feature without dice",
      { player: { features: [{ name: "Rage", scalingFormula: "1d6" }] } },
      "player.features[0].scalingFormula",
      "1d6",
      undefined,
    ],
    [
      "option",
      { player: { features: [{ name: "Expertise", chosenOption: "Steatlh, Arcana" }] } },
      "player.features[0].chosenOption",
      "steatlh",
      "Stealth",
    ],
    [
      "spell beside a weapon",
      { player: { inventory: ["Mace"] }, intent: { weapon: "Mace", target: "Goblin", spell_name: "Bless" } },
      "intent.spell_name",
      "Bless",
      undefined,
    ],
  ])("%s", (_, state, at, name, nearest) => {
    const path = at.startsWith("intent") ? at : `game.${at}`;
    const [found] = unread(state) ?? [];
    expect(found).toMatchObject({ at: path, name, ...(nearest !== undefined && { nearest }) });
  });
});

test("nothing is reported of a sheet that every rule reads", () => {
  const player: Case["player"] = {
    characterClass: "rogue",
    savingThrowProficiencies: ["DEX", "intelligence"],
    skillProficiencies: ["stealth", "Sleight of Hand"],
    weaponProficiencies: ["Simple Weapons", "Crossbows, hand", "Longswords", "Rapier +1"],
    armorProficiencies: ["Light Armor", "Shields"],
    features: [
      { name: "Sneak Attack", scalingFormula: "ceil(level/2)d6" },
      { name: "Expertise", chosenOption: "Skills: Stealth" },
    ],
    conditions: ["Charmed by Goblin", "Exhaustion 2", "Concentrating"],
    inventory: ["Rapier", "Rope", "Torch"],
    gold: 12,
  };
  expect(unread({ player: { ...player, ...as<object>({ maxCantrips: 2, pendingLevelUp: {} }) } })).toBeUndefined();
});

test("at most 40, those near to a known name first", () => {
  const names = Array.from({ length: 60 }, (_, index) => `Feature ${index}`);
  const found = unread({ player: { ...features(...names), skillProficiencies: ["Steatlh"] } });
  expect(found).toHaveLength(40);
  expect(found?.[0]).toMatchObject({ nearest: "Stealth" });
});

test("it is in the answer, and in no answer without such a name", () => {
  const check = (skillProficiencies: readonly string[]) =>
    resolvers.resolveSkillCheck(
      {
        game: buildGame({ player: { skillProficiencies: [...skillProficiencies] } }, "5.1"),
        intent: { skill: "Stealth", dc: 10 },
      },
      scriptedDice([10]),
    );
  expect(check(["Steatlh"]).notRead).toEqual([
    { at: "game.player.skillProficiencies[0]", name: "Steatlh", nearest: "Stealth" },
  ]);
  expect(Object.keys(check(["Stealth"]))).not.toContain("notRead");
});

test("the list of features is what the rules ask for", () => {
  const folder = new URL("../", import.meta.url);
  const asked = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) => [
      ...readFileSync(new URL(path, folder), "utf8").matchAll(
        /(?:feature|chosenOptions|hasFightingStyle)\([\w.]*player, "([^"]+)"/g,
      ),
    ])
    .flatMap(([, name]) => name ?? []);
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter((name) => !knownNames["5.1"].features.includes(name))).toEqual([]);
});

test("those who begin a fight are read as a game is, each by its place", () => {
  const { player, rulings } = buildGame({ player: { skillProficiencies: ["Steatlh"] } }, "5.1");
  const [npc] = buildGame({ npc: { conditions: ["Pronee"] } }, "5.1").npcs;
  if (npc === undefined) throw new Error("no creature");
  expect(findUnreadEntrants({ edition: "5.1", party: ["Wolf", player], foes: [npc, "Goblin"], rulings })).toEqual([
    { at: "party[1].skillProficiencies[0]", name: "Steatlh", nearest: "Stealth" },
    { at: "foes[0].conditions[0]", name: "Pronee", nearest: "Prone" },
  ]);
  expect(findUnreadEntrants({ edition: "5.1", party: ["Wolf"], foes: ["Goblin"], rulings })).toBeUndefined();
});
