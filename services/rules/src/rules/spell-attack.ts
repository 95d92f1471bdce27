/**
 * A spell attack as a plan. A spell with several beams or rays is one call for each; the first spends the slot, and
 * `scene.usedThisTurn` with the spell's name says that a call is about a later one.
 */
import type { Ability, AttackIntent, Change, Game, Npc } from "@fairlead/contracts/rules";
import { cantripTier, classCastingAbility } from "../data/classes.ts";
import { type AttackSpell, attackSpells } from "../data/spells.ts";
import { weaponDice } from "../data/weapons.ts";
import { baseName, fold, match, type Named } from "../names.ts";
import { Refusal } from "../refusal.ts";
import { armorClass, helplessCrit } from "./attack-bonus.ts";
import { luckAndAccuracy, type Planned } from "./attack-plan.ts";
import { boonsFor } from "./boons.ts";
import { abilityLabel, abilityModifier, cannotAct, chosen, effect, feature, proficiencyBonus } from "./character.ts";
import { circumstances } from "./circumstances.ts";
import { type Modifier, stance } from "./d20.ts";
import type { DamageSpec } from "./damage.ts";
import { chooseSlot } from "./slots.ts";
import { grant, readClaims } from "./sources/claims.ts";
import { findTarget } from "./target.ts";

export const planSpellAttack = (game: Game, intent: AttackIntent): Planned => {
  const { player, scene } = game;
  const no = (why: string): Planned => ({ ok: false, why });
  const spell = findSpell(game, intent.spell_name ?? intent.weapon);
  const target = findTarget(game, intent.target);
  const claimed = readClaims(intent.extra_damage_sources ?? []);
  const idle = cannotAct(player);
  if (idle !== undefined) return no(`${player.name} ${idle} and cannot cast a spell`);
  if (effect(player, "Rage") !== undefined) return no(`${player.name} is raging and cannot cast a spell`);
  const unreachable = outOfReach(spell, target);
  if (unreachable !== undefined) return no(unreachable);
  const ability = player.spellcastingAbility ?? classCastingAbility(fold(player.characterClass));
  if (ability === undefined) return no(`${player.name} has no spellcasting ability`);

  const later = scene.usedThisTurn.some((name) => fold(name) === fold(spell.name));
  const slot = spell.level === 0 || later ? undefined : chooseSlot(game, scene.slotLevel, spell.level);
  if (slot?.ok === false) return no(`${spell.name} needs a spell slot: ${slot.why}`);
  const slotLevel = slot?.level ?? Math.max(spell.level, scene.slotLevel ?? 0);

  const { kind } = spell;
  const around = circumstances({ game, target, kind, ability });
  const granted = grant({ game, target, kind, ability, stance: stance(around), armed: undefined }, claimed);
  const boons = boonsFor(game, { kind: "attack" });
  const { ac, causes: acCauses } = armorClass(target);
  const spec = spellDamage(game, spell, { ability, slotLevel });
  const rolls = rollCount(game, spell, slotLevel);
  return {
    ok: true,
    plan: {
      checkType: `${spell.name} Attack`,
      target,
      test: {
        purpose: "attack roll",
        ...around,
        modifiers: [...spellModifiers(game, ability), ...boons.modifiers],
        bonusDice: boons.bonusDice,
        ...luckAndAccuracy(game, ability),
      },
      ac,
      acCauses,
      crit: { from: 20, cause: { rule: "natural-20", why: "a natural 20" } },
      wideCritNeedsHit: true,
      helpless: helplessCrit(target, kind),
      specs: [spec, ...granted.specs],
      onMiss: spell.splashes ? { spec, halved: true } : undefined,
      claims: granted.verdicts,
      always: [...(slot === undefined ? [] : [slot.change]), ...(rolls > 1 && !later ? [cast(game, spell)] : [])],
      onHit: granted.onHit,
      ends: boons.ends,
      notes: rolls > 1 ? [`${spell.name} makes ${rolls} such attacks; resolve each one`] : [],
      afterHit: () => undefined,
    },
  };
};

/** Spells known that are in the table, and spells whose numbers the sheet gives among its weapons. */
const spellsKnown = ({ player, edition }: Game): readonly Named<AttackSpell>[] => {
  const known = [...player.cantrips, ...player.knownSpells].flatMap((written): Named<AttackSpell>[] => {
    const base = fold(baseName(written));
    const row = attackSpells[edition].find(({ name }) => fold(name) === base);
    return row === undefined ? [] : [{ name: row.name, value: row }];
  });
  const sheet = Object.entries(player.weaponDamage)
    .filter(([name]) => [...player.cantrips, ...player.knownSpells].some((spell) => fold(spell) === fold(name)))
    .map(([name, stat]): Named<AttackSpell> => {
      const row = attackSpells[edition].find((spell) => fold(spell.name) === fold(name));
      const custom: AttackSpell = {
        name,
        level: row?.level ?? 0,
        kind: row?.kind ?? "ranged",
        dice: weaponDice(stat.dice),
        modifier: false,
        damageType: stat.damageType ?? row?.damageType,
        range: row?.range,
        growth: { kind: "none" },
        splashes: false,
      };
      return { name, value: custom };
    });
  const own = new Set(sheet.map(({ name }) => fold(name)));
  const unique = new Map(known.filter(({ name }) => !own.has(fold(name))).map((spell) => [spell.name, spell]));
  return [...sheet, ...unique.values()];
};

/** Refuses with `unknown_spell` or `ambiguous_name`. A choice in brackets, "Chromatic Orb (fire)", is the damage type. */
const findSpell = (game: Game, written: string): AttackSpell => {
  const known = spellsKnown(game);
  const found = match(baseName(written), known);
  switch (found.kind) {
    case "one": {
      const type = /\((\w+)\)/.exec(written)?.[1]?.toLowerCase();
      const spell = found.found.value;
      const chosenType = elements.find((element) => element === type);
      return spell.damageType === undefined && chosenType !== undefined ? { ...spell, damageType: chosenType } : spell;
    }
    case "several":
      throw new Refusal("ambiguous_name", `${game.player.name} knows several spells that this could be`, {
        what: "spell",
        name: written,
        candidates: found.found.map(({ name }) => name).slice(0, 20),
      });
    case "none":
      throw new Refusal("unknown_spell", `${game.player.name} knows no spell of that name with an attack roll`, {
        name: written,
        known: known.map(({ name }) => name).slice(0, 40),
      });
  }
};

/** Types that a caster may choose. */
const elements = ["acid", "cold", "fire", "lightning", "poison", "thunder"] as const;

const outOfReach = (spell: AttackSpell, { cover, distance = 0, name }: Npc): string | undefined => {
  if (cover === "total") return `${name} has total cover and cannot be targeted`;
  return spell.range !== undefined && distance > spell.range
    ? `${name} is ${distance} feet away, beyond the range of ${spell.range} feet`
    : undefined;
};

const spellModifiers = ({ player }: Game, ability: Ability): readonly Modifier[] => [
  {
    label: abilityLabel(ability),
    amount: abilityModifier(player.stats[ability]),
    rule: "spell-attack",
    why: `spellcasting ability, ${ability}`,
  },
  {
    label: "Prof",
    amount: proficiencyBonus(player.level),
    rule: "proficiency-bonus",
    why: "spell attacks are always proficient",
  },
];

const rollCount = ({ player }: Game, { growth, level }: AttackSpell, slotLevel: number): number => {
  if (growth.kind === "beams") return cantripTier(player.level);
  return growth.kind === "rays" ? growth.rays + slotLevel - level : 1;
};

const spellDamage = (game: Game, spell: AttackSpell, cast: { ability: Ability; slotLevel: number }): DamageSpec => {
  const { player } = game;
  const { growth } = spell;
  const scaled = growth.kind === "dice" ? cantripTier(player.level) : 1;
  const more = growth.kind === "slot" ? growth.count * Math.floor((cast.slotLevel - spell.level) / growth.levels) : 0;
  const amount = abilityModifier(player.stats[cast.ability]);
  const flats: Modifier[] = [];
  if (spell.dice.flat > 0)
    flats.push({ label: spell.name, amount: spell.dice.flat, rule: "spell-damage", why: spell.name });
  if (spell.modifier)
    flats.push({ label: cast.ability, amount, rule: "spell-damage", why: `${spell.name} adds ${cast.ability}` });
  if (agonizing(game, spell)) {
    const charisma = abilityModifier(player.stats.charisma);
    flats.push({ label: "charisma", amount: charisma, rule: "agonizing-blast", why: "Agonizing Blast adds charisma" });
  }
  return {
    label: spell.name,
    count: spell.dice.count * scaled + more,
    sides: spell.dice.sides,
    flats,
    damageType: spell.damageType,
    cause:
      scaled > 1
        ? { rule: "cantrip-scaling", why: `character level ${player.level}` }
        : { rule: "spell-damage", why: more > 0 ? `cast with a slot of level ${cast.slotLevel}` : spell.name },
  };
};

const agonizing = ({ player, edition }: Game, spell: AttackSpell): boolean => {
  if (feature(player, "Agonizing Blast") === undefined) return false;
  const options = chosen(player, "Agonizing Blast");
  const eldritch = spell.name === "Eldritch Blast";
  return edition === "5.1" || options.length === 0 ? eldritch : options.includes(fold(spell.name));
};

const cast = ({ player }: Game, spell: AttackSpell): Change => ({
  who: player.name,
  field: "scene.usedThisTurn",
  op: "add",
  value: spell.name,
  why: "its other attacks cost nothing more",
});
