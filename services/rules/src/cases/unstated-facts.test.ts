/** Facts have three states: a claim about an unstated one is granted and marked, and a stated one decides. */
import { decoder, type HandlerInput } from "@fairlead/contracts";
import rules from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { seededDice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { buildGame, type Case, features } from "../testing/case.ts";

const marked = /^taken from the caller: /;

interface ClaimRow {
  readonly name: string;
  readonly claim: string;
  readonly weapon: string;
  readonly edition: "5.1" | "5.2";
  readonly player: Case["player"];
  /** Nothing said. */
  readonly unstated: Pick<Case, "npc" | "scene"> & { readonly player?: Case["player"] };
  readonly holds: ClaimRow["unstated"];
  readonly denied: ClaimRow["unstated"];
}

const armed = { inventory: ["Rapier", "Greataxe", "Longsword", "Longbow"], weaponProficiencies: ["Martial Weapons"] };
const raging = { name: "Rage" } as const;
const reckless = { name: "Reckless Attack" } as const;

const rows: readonly ClaimRow[] = [
  {
    name: "an enemy beside the target",
    claim: "Sneak Attack",
    weapon: "Rapier",
    edition: "5.1",
    player: features("Sneak Attack"),
    unstated: {},
    holds: { npc: { engaged: true } },
    denied: { npc: { engaged: false } },
  },
  {
    name: "a rage",
    claim: "Rage",
    weapon: "Greataxe",
    edition: "5.1",
    player: features("Rage"),
    unstated: {},
    holds: { player: { effects: [raging] } },
    denied: { player: { effects: [] } },
  },
  {
    name: "a reckless attack",
    claim: "Brutal Strike",
    weapon: "Greataxe",
    edition: "5.2",
    player: { ...features("Brutal Strike"), level: 9, stats: { strength: 18 } },
    unstated: {},
    holds: { player: { effects: [reckless] } },
    denied: { player: { effects: [] } },
  },
  {
    name: "rage and a reckless attack",
    claim: "Frenzy",
    weapon: "Greataxe",
    edition: "5.2",
    player: features("Frenzy", "Rage"),
    unstated: {},
    holds: { player: { effects: [raging, reckless] } },
    denied: { player: { effects: [raging] } },
  },
  {
    name: "a spell at work",
    claim: "Hunter's Mark",
    weapon: "Longbow",
    edition: "5.1",
    player: { knownSpells: ["Hunter's Mark"] },
    unstated: {},
    holds: { player: { effects: [{ name: "Hunter's Mark" }] } },
    denied: { player: { effects: [] } },
  },
  {
    name: "hit points that are missing",
    claim: "Colossus Slayer",
    weapon: "Longbow",
    edition: "5.1",
    player: features("Colossus Slayer"),
    unstated: { npc: { maxHp: undefined } },
    holds: { npc: { currentHp: 99 } },
    denied: { npc: { currentHp: 100 } },
  },
  {
    name: "an empty hand",
    claim: "Dueling",
    weapon: "Longsword",
    edition: "5.1",
    player: { features: [{ name: "Fighting Style", chosenOption: "Dueling" }] },
    unstated: {},
    holds: { scene: { otherWeaponHeld: false } },
    denied: { scene: { otherWeaponHeld: true } },
  },
];

const verdict = (row: ClaimRow, said: ClaimRow["unstated"]) => {
  const game = buildGame(
    { player: { ...armed, ...row.player, ...said.player }, npc: said.npc ?? {}, scene: said.scene ?? {} },
    row.edition,
  );
  const intent = { weapon: row.weapon, target: "Goblin", extra_damage_sources: [row.claim] };
  return resolveAttack(game, intent, seededDice("facts", "caller")).claims[0];
};

describe.each(rows)("$claim: $name", (row) => {
  test("unstated: granted, taken from the caller", () => {
    expect(verdict(row, row.unstated)).toMatchObject({ granted: true, why: expect.stringMatching(marked) });
  });

  test("stated: granted by the game", () => {
    expect(verdict(row, row.holds)).toMatchObject({ granted: true, why: expect.not.stringMatching(marked) });
  });

  test("denied by the game", () => {
    expect(verdict(row, row.denied)).toMatchObject({ granted: false });
  });
});

test("a spell that the character does not know is not at work, whoever says so", () => {
  const [row] = rows.filter(({ claim }) => claim === "Hunter's Mark");
  const claim = row && verdict({ ...row, player: {} }, {});
  expect(claim).toMatchObject({ granted: false, why: "Aria does not know Hunter's Mark" });
});

test("a kit that the sheet does not list is taken from the caller, and a list without it denies", () => {
  const poison = (inventory: readonly string[] | undefined) => {
    const game = buildGame(
      {
        player: {
          ...features("Sneak Attack", "Cunning Strike"),
          level: 5,
          weaponDamage: { Rapier: { dice: "1d8", stat: "finesse", bonus: 0 } },
          ...(inventory !== undefined && { inventory: [...inventory] }),
        },
        npc: { engaged: true },
      },
      "5.2",
    );
    const intent = { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack", "Poison"] };
    return resolveAttack(game, intent, seededDice("kit", "caller")).claims[1];
  };
  expect(poison(undefined)).toMatchObject({ granted: true, why: expect.stringMatching(/taken from the caller/) });
  expect(poison([])).toMatchObject({ granted: false });
});

test("the specification's own creature: nothing is said about who is near", () => {
  const decoded = decoder<HandlerInput<(typeof rules)["procedures"]["resolveAttack"]>>(
    rules.procedures.resolveAttack.input,
  )({
    game: {
      player: {
        name: "Aria",
        characterClass: "Rogue",
        level: 5,
        features: [{ name: "Sneak Attack", level: 1, scalingFormula: null }],
        weaponDamage: { Rapier: { dice: "1d8", stat: "finesse", bonus: 0 } },
      },
      npcs: [
        {
          id: "g1",
          name: "Goblin",
          ac: 5,
          currentHp: 7,
          maxHp: 7,
          attackBonus: 4,
          damageDice: "1d6",
          damageBonus: 2,
          savingThrowBonus: 0,
          xpValue: 50,
          disposition: "hostile",
          conditions: [],
          notes: "",
        },
      ],
    },
    intent: { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack"] },
  });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  const { game, intent } = decoded.value;
  const { damage, claims } = resolveAttack(game, intent, seededDice("spec", "caller"));
  expect(claims).toMatchObject([{ granted: true }]);
  expect(damage?.breakdown[1]).toMatchObject({ label: "Sneak Attack", dice: "3d6" });
});
