/** A sheet entry that is a spell of the character's is that spell everywhere, with or without `is_spell_attack`. */
import { describe, expect, test } from "vitest";
import { parseReply } from "../classify/reply.ts";
import { buildTools } from "../classify/tools.ts";
import { scriptedDice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { buildGame, type Case, runCases } from "../testing/case.ts";

const entry = { dice: "1d10", stat: "none", bonus: 0 } as const;
const wizard = {
  characterClass: "Wizard",
  stats: { intelligence: 16 },
  cantrips: ["Fire Bolt", "Sacred Flame"],
  weaponDamage: { "Fire Bolt": entry },
} satisfies Case["player"];

const bolt = (
  name: string,
  row: Partial<Case>,
  level: number,
  lines: readonly string[],
  dice: readonly number[],
): Case => ({
  name,
  player: { ...wizard, level, ...row.player },
  attack: { weapon: "Fire Bolt", ...row.attack },
  npc: {},
  dice,
  want: { success: true, lines, rules: ["spell-attack"] },
});

runCases("a spell among the sheet's weapons", "spell-attack", [
  bolt("by its name alone", {}, 1, ["Fire Bolt 1d10 fire"], [15, 4]),
  bolt("with the flag", { attack: { is_spell_attack: true } }, 1, ["Fire Bolt 1d10 fire"], [15, 4]),
  bolt("with the spell's name", { attack: { spell_name: "fire bolt" } }, 1, ["Fire Bolt 1d10 fire"], [15, 4]),
  bolt("denied by the caller", { attack: { is_spell_attack: false } }, 1, ["Fire Bolt 1d10 fire"], [15, 4]),
  bolt("two dice at level 5", {}, 5, ["Fire Bolt 2d10 fire"], [15, 4, 4]),
  bolt("three dice at level 11", {}, 11, ["Fire Bolt 3d10 fire"], [15, 4, 4, 4]),
  bolt(
    "dice that the sheet has grown already",
    { player: { weaponDamage: { "Fire Bolt": { ...entry, dice: "2d10" } } } },
    5,
    ["Fire Bolt 2d10 fire"],
    [15, 4, 4],
  ),
  bolt("without the list of cantrips", { player: { cantrips: [] } }, 5, ["Fire Bolt 2d10 fire"], [15, 4, 4]),
  bolt(
    "with the bonus of a wand",
    { player: { weaponDamage: { "Fire Bolt": { ...entry, bonus: 1 } } } },
    1,
    ["Fire Bolt 1d10+1 fire"],
    [9, 4],
  ),
  bolt("known, and in no weapons", { player: { weaponDamage: {} } }, 1, ["Fire Bolt 1d10 fire"], [15, 4]),
  {
    name: "a spell that forces a save stays one",
    source: "spell-save-dc",
    player: { ...wizard, level: 5, weaponDamage: { "Sacred Flame": { ...entry, dice: "1d8" } } },
    attack: { weapon: "Sacred Flame" },
    dice: [5, 3, 3],
    want: { success: true, lines: ["Sacred Flame 2d8 radiant"], damage: 6 },
  },
  {
    name: "a weapon's name comes before a spell's beginning",
    source: "weapon-damage",
    player: { ...wizard, inventory: ["Shortsword"], cantrips: ["Shocking Grasp"], weaponDamage: {} },
    attack: { weapon: "Sh" },
    dice: [18, 3],
    want: { lines: ["Shortsword 1d6 piercing"] },
  },
  {
    name: "a weapon under a spell is a weapon",
    source: "weapon-damage",
    player: { ...wizard, inventory: ["Quarterstaff"], knownSpells: ["Shillelagh"] },
    attack: { weapon: "Quarterstaff", spell_name: "Shillelagh" },
    dice: [18, 3],
    want: { lines: ["Quarterstaff 1d6 bludgeoning"] },
  },
]);

describe("the classifier offers it as a spell", () => {
  const game = buildGame({ player: { ...wizard, inventory: ["Dagger"] } }, "5.1");
  const reply = (input: object) =>
    parseReply({ content: [{ type: "tool_use", name: "resolve_attack", input }] }, buildTools(game));

  test.each([
    { weapon: "Fire Bolt", target: "Goblin" },
    { weapon: "Fire Bolt", target: "Goblin", spell_name: "Fire Bolt" },
    { weapon: "Fire Bolt", target: "Goblin", is_spell_attack: true, spell_name: "Fire Bolt" },
  ])("%o", (input) => {
    expect(reply(input)).toMatchObject({
      question: {
        procedure: "resolveAttack",
        intent: { weapon: "Fire Bolt", is_spell_attack: true, spell_name: "Fire Bolt" },
      },
    });
    expect(reply(input).rejected).toBeUndefined();
  });
});

describe("an unknown weapon that is a spell", () => {
  const attack = (weapon: string) => () =>
    resolveAttack(
      buildGame({ player: { inventory: ["Dagger"] } }, "5.1"),
      { weapon, target: "Goblin" },
      scriptedDice([]),
    );

  test("is named as one", () => {
    expect(attack("Fire Bolt")).toThrow("Fire Bolt is a spell that Aria does not know: add it to `player.cantrips`");
    expect(attack("Elder Wand")).toThrow("for a spell attack set `is_spell_attack` and `spell_name`");
  });
});
