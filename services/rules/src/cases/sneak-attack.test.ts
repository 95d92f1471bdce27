/** Sneak Attack: a claim that is verified against weapon, circumstances, allies and turn. */
import { type Case, runCases } from "../testing/case.ts";

const sneak = { name: "Sneak Attack" };
const rogue = {
  characterClass: "Rogue",
  level: 5,
  stats: { strength: 10, dexterity: 16 },
  inventory: ["Rapier", "Longsword", "Shortbow", "Handaxe"],
  weaponProficiencies: ["Simple Weapons", "Martial Weapons"],
  features: [sneak],
};
const stab = { weapon: "Rapier", extra_damage_sources: ["Sneak Attack"] };

const sneaks = (
  name: string,
  row: Partial<Case>,
  dice: readonly number[],
  granted: boolean,
  want: Case["want"] = {},
): Case => ({
  attack: stab,
  npc: { engaged: true },
  ...row,
  name,
  player: { ...rogue, ...row.player },
  dice,
  want: { ...want, granted: [granted] },
});

runCases("Sneak Attack", "sneak-attack", [
  sneaks("an ally beside the target is enough", {}, [12, 1, 1, 2, 3], true, { damage: 10 }),
  sneaks("no ally and no advantage", { npc: { engaged: false } }, [12, 1], false, {
    damage: 4,
    notes: /No Sneak Attack/,
  }),
  sneaks("advantage is enough", { npc: {}, scene: { advantage: ["hidden"] } }, [12, 3, 1, 1, 2, 3], true, {
    damage: 10,
  }),
  sneaks(
    "cancelled advantage is none, but the ally counts",
    { scene: { advantage: ["a"], disadvantage: ["b"] } },
    [12, 1, 1, 2, 3],
    true,
  ),
  sneaks(
    "cancelled advantage without an ally",
    { npc: { engaged: false }, scene: { advantage: ["a"], disadvantage: ["b"] } },
    [12, 1],
    false,
  ),
  sneaks("disadvantage rules it out, ally or not", { scene: { disadvantage: ["fog"] } }, [12, 13, 1], false),
  sneaks("a longsword is not finesse", { attack: { ...stab, weapon: "Longsword" } }, [12, 1], false, {
    notes: /neither a finesse/,
  }),
  sneaks(
    "a thrown handaxe is not a ranged weapon",
    { attack: { ...stab, weapon: "Handaxe" }, npc: { engaged: true, distance: 15 } },
    [14, 1],
    false,
  ),
  sneaks("a shortbow will do", { attack: { ...stab, weapon: "Shortbow" } }, [12, 1, 1, 2, 3], true, {
    lines: ["Shortbow 1d6+3 piercing", "Sneak Attack 3d6 piercing"],
  }),
  sneaks("bare hands will not", { attack: { ...stab, weapon: "Unarmed Strike" } }, [14], false),
  sneaks("once a turn", { scene: { usedThisTurn: ["Sneak Attack"] } }, [12, 1], false),
  sneaks("only with the feature", { player: { features: [] } }, [12, 1], false, {
    notes: /does not have Sneak Attack/,
  }),
  sneaks("level 1: 1d6", { player: { level: 1 } }, [12, 1, 6], true, { damage: 10 }),
  sneaks("level 19: 10d6", { player: { level: 19 } }, [12, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], true, { damage: 14 }),
  sneaks(
    "the sheet's own formula",
    { player: { features: [{ name: "sneak attack", scalingFormula: "2d4" }] } },
    [12, 1, 4, 4],
    true,
    {
      lines: ["Rapier 1d8+3 piercing", "Sneak Attack 2d4 piercing"],
    },
  ),
  sneaks(
    "a formula of the level",
    { player: { level: 7, features: [{ name: "Sneak Attack", scalingFormula: "Floor(level / 2)D6" }] } },
    [12, 1, 1, 2, 3],
    true,
    { lines: ["Rapier 1d8+3 piercing", "Sneak Attack 3d6 piercing"] },
  ),
  sneaks("a miss spends nothing", {}, [2], true, { changes: [] }),
  sneaks("a hit spends it for the turn", {}, [12, 1, 1, 1, 1], true, {
    changes: ["Aria scene.usedThisTurn+Sneak Attack", "Goblin currentHp=93"],
  }),
  {
    name: "claimed twice, counted once",
    player: rogue,
    npc: { engaged: true },
    attack: { weapon: "Rapier", extra_damage_sources: ["Sneak Attack", "sneak attack"] },
    dice: [12, 1, 1, 1, 1],
    want: { damage: 7, granted: [true, false] },
  },
  {
    name: "its type is the weapon's",
    player: { ...rogue, inventory: ["Scimitar"] },
    npc: { engaged: true },
    attack: { weapon: "Scimitar", extra_damage_sources: ["Sneak"] },
    dice: [12, 1, 1, 1, 1],
    want: { lines: ["Scimitar 1d6+3 slashing", "Sneak Attack 3d6 slashing"] },
  },
]);
