/** `raw` means to the parser of the specification's first client what the result says, for every kind of outcome. */
import type { RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { type ResolverInput, resolvers } from "../resolve/resolvers.ts";
import { buildGame, type Case, features } from "../testing/case.ts";
import { parseAsClient } from "../testing/client-parser.ts";
import { markImpossible, markNoCheck } from "./mark.ts";

const rogue: Case["player"] = {
  characterClass: "Rogue",
  stats: { dexterity: 16, strength: 8 },
  inventory: ["Rapier", "Blowgun", "Mace"],
  weaponProficiencies: ["Simple Weapons", "Martial Weapons"],
  cantrips: ["Fire Bolt", "Sacred Flame"],
  spellcastingAbility: "intelligence",
  ...features("Sneak Attack"),
};
const game = (row: Pick<Case, "player" | "npc" | "scene"> = {}) =>
  buildGame({ ...row, player: { ...rogue, ...row.player } }, "5.1");

const attack = (intent: Partial<ResolverInput<"resolveAttack">["intent"]>, dice: number[], row = {}) =>
  resolvers.resolveAttack(
    { game: game(row), intent: { weapon: "Rapier", target: "Goblin", ...intent } },
    scriptedDice(dice),
  );
const save = (dice: number[], row: Pick<Case, "player" | "scene"> = {}) =>
  resolvers.resolveSavingThrow({ game: game(row), intent: { ability: "dexterity", dc: 15 } }, scriptedDice(dice));
const fireball = { incoming: { dice: "8d6", damageType: "fire", onSuccess: "half" } } as const;
const hurt = (damage: string, player: Case["player"] = {}) =>
  resolvers.takeDamage(
    {
      game: game({ player: { currentHP: 10, maxHP: 12, ...player } }),
      intent: { damage, crit: false, doubled: false, source: "A club", damageType: "bludgeoning" },
    },
    scriptedDice([]),
  );

const outcomes: Readonly<Record<string, () => Omit<RollResult, "claims">>> = {
  hit: () => attack({}, [15, 4]),
  "hit with a second source": () => attack({ extra_damage_sources: ["Sneak Attack"] }, [15, 4, 6]),
  miss: () => attack({}, [2]),
  "critical hit": () => attack({}, [20, 4, 5]),
  "natural 1": () => attack({}, [1]),
  "negative modifier": () => attack({ weapon: "Mace" }, [19, 4], { player: { weaponProficiencies: [] } }),
  "damage without dice": () => attack({ weapon: "Blowgun" }, [18]),
  "spell attack": () => attack({ weapon: "Fire Bolt" }, [15, 4]),
  "spell that a creature fails to save against": () => attack({ weapon: "Sacred Flame" }, [2, 4]),
  "spell that a creature saves against": () => attack({ weapon: "Sacred Flame" }, [20]),
  "attack that cannot be made": () => attack({}, [], { player: { conditions: ["Stunned"] } }),
  "check that succeeds": () =>
    resolvers.resolveSkillCheck({ game: game(), intent: { skill: "Stealth", dc: 10 } }, scriptedDice([12])),
  "check that fails, below 0": () =>
    resolvers.resolveSkillCheck({ game: game(), intent: { skill: "Athletics", dc: 10 } }, scriptedDice([1])),
  "ability check": () =>
    resolvers.resolveAbilityCheck({ game: game(), intent: { ability: "strength", dc: 11 } }, scriptedDice([12])),
  "saving throw": () => save([13]),
  "saving throw for half of the damage": () => save([15, 1, 2, 3, 4, 5, 6, 1, 2], { scene: fireball }),
  "saving throw that fails without a roll": () => save([], { player: { conditions: ["Paralyzed"] } }),
  "saving throw without a roll, and its damage": () =>
    save([1, 2, 3, 4, 5, 6, 1, 2], { player: { conditions: ["Paralyzed"] }, scene: fireball }),
  initiative: () => resolvers.rollInitiative({ game: game(), intent: { surprised: false } }, scriptedDice([9])),
  contest: () =>
    resolvers.resolveContest(
      { game: game(), intent: { skill: "Deception", target: "Goblin", opposed: -1 } },
      scriptedDice([11, 14]),
    ),
  grapple: () =>
    resolvers.resolveGrapple(
      { game: game(), intent: { attempt: "grapple", target: "Goblin", opposed: 2 } },
      scriptedDice([11, 4]),
    ),
  concentration: () => resolvers.resolveConcentration({ game: game(), intent: { damage: 23 } }, scriptedDice([11])),
  "damage taken": () => hurt("6"),
  "damage that drops to 0": () => hurt("11"),
  "damage that kills": () => hurt("24"),
  "damage at 0": () => hurt("3", { currentHP: 0 }),
  impossible: () => markImpossible("Aria has no wings."),
  "no check": () => markNoCheck("The door is open."),
};

describe.each(Object.entries(outcomes))("%s", (_, play) => {
  const result = play();
  const client = parseAsClient(result.raw);

  test("the parser reads what the result says", () => {
    expect(client).toMatchObject({
      checkType: result.checkType,
      totalModifier: result.totalModifier,
      total: result.total,
      dcOrAc: result.dcOrAc,
      success: result.success,
      notes: result.notes,
      impossible: result.impossible ?? false,
      noCheck: result.noCheck ?? false,
    });
    if (result.components !== "") expect(client.components).toBe(result.components);
    const lines = result.success ? (result.damage?.breakdown ?? []) : [];
    expect(client.damage).toEqual(
      lines.map(({ label, dice, flatBonus, damageType }) => ({ label, dice: dice || "0d1", flatBonus, damageType })),
    );
  });
});

test("the texts are those of the golden file", async () => {
  const texts = Object.entries(outcomes).map(([name, play]) => `# ${name}\n${play().raw}\n`);
  await expect(texts.join("\n")).toMatchFileSnapshot("raw-golden.txt");
});
