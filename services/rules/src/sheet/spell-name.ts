/** Which spell is cast: found by name among those the character knows, with its numbers from the sheet or the SRD tables. */
import type { AttackIntent, Game } from "@fairlead/contracts/rules";
import { allSureSpells } from "../data/boon-spells.ts";
import { allSaveSpells, type ConditionSpell } from "../data/condition-spells.ts";
import { type SaveSpell, saveSpells } from "../data/save-spells.ts";
import { type AttackSpell, attackSpells } from "../data/spells.ts";
import type { SureSpell } from "../data/sure-spells.ts";
import { weaponDice } from "../data/weapons.ts";
import type { Sheet } from "./character.ts";
import { lookUp } from "./lookup.ts";
import { baseName, fold, matchName, type NamedValue, sameName, statedBonus } from "./names.ts";

type KnownSpell =
  | { readonly by: "attack"; readonly spell: AttackSpell }
  | { readonly by: "save"; readonly spell: SaveSpell | ConditionSpell }
  /** `unwilling`: the same spell on a creature that does not want it. */
  | { readonly by: "sure"; readonly spell: SureSpell; readonly unwilling: SaveSpell | ConditionSpell | undefined };

/** Types that a caster may choose, in brackets behind the name. */
const elements = ["acid", "cold", "fire", "lightning", "poison", "thunder"] as const;

/** Of Spirit Guardians. */
const holy = ["necrotic", "radiant"] as const;

/** Refuses with `unknown_spell` or `ambiguous_name`. "Chromatic Orb (fire)" chooses the damage type. */
export const findSpell = (game: Game, written: string): KnownSpell => {
  const known = lookUp(baseName(written), spellsKnown(game), {
    what: "spell",
    reason: "unknown_spell",
    several: `${game.player.name} has several spells that this could be`,
    none: `${game.player.name} has no spell of that name that is resolved here`,
    written,
  });
  return withChoice(known, written);
};

/** Spells against creatures by the names that `findSpell` takes, one for each type where the caster chooses. */
export const castableNames = (game: Sheet): readonly string[] =>
  spellsKnown(game).flatMap(({ name, value }) =>
    value.by === "sure" && value.spell.gives !== "damage"
      ? []
      : value.by === "attack" && value.spell.damageType === undefined
        ? elements.map((element) => `${name} (${element})`)
        : [name],
  );

const withChoice = (known: KnownSpell, written: string): KnownSpell => {
  const type = fold(/\((\w+)\)/.exec(written)?.[1] ?? "");
  const damageType = [...elements, ...holy].find((element) => element === type);
  if (known.by === "save") {
    const damage = known.spell.damage.map((one) => ({ ...one, damageType: one.damageType ?? damageType }));
    return { by: "save", spell: { ...known.spell, damage } };
  }
  if (known.by !== "attack" || known.spell.damageType !== undefined) return known;
  return { by: "attack", spell: { ...known.spell, damageType } };
};

/** A spell that the character knows by exactly this name, letters of any case aside. */
export const isKnownSpell = (sheet: Sheet, name: string): boolean => {
  const base = fold(baseName(name));
  return spellsKnown(sheet).some((known) => fold(known.name) === base);
};

/**
 * The spell that an attack is made with, as the call names it; `undefined` for a weapon. A weapon that is a spell of the character's is
 * that spell, whether the call says so or not; `atHand` are the weapons, without spells.
 */
export const intendedSpell = (
  game: Sheet,
  { weapon, is_spell_attack: declared, spell_name: named }: AttackIntent,
  atHand: readonly NamedValue<unknown>[],
): string | undefined => {
  if (declared === true || isKnownSpell(game, weapon)) return named ?? weapon;
  if (matchName(weapon, atHand).kind !== "none") return undefined;
  if (named !== undefined) return named;
  return matchName(baseName(weapon), spellsKnown(game)).kind === "none" ? undefined : weapon;
};

/** A damaging spell of the SRD, known to the character or not. */
export const isSpellName = ({ edition }: Pick<Sheet, "edition">, name: string): boolean =>
  [...attackSpells[edition], ...saveSpells[edition]].some((row) => sameName(row.name, baseName(name)));

/** Entries of the sheet that are spells of the SRD and use no ability of a weapon. */
const spellEntries = ({ player, edition }: Sheet): readonly string[] =>
  Object.entries(player.weaponDamage).flatMap(([name, { stat }]) =>
    stat === "none" && isSpellName({ edition }, name) ? [name] : [],
  );

const spellsKnown = ({ player, edition }: Sheet): readonly NamedValue<KnownSpell>[] => {
  const byName = new Map<string, NamedValue<KnownSpell>>();
  for (const written of [...player.cantrips, ...player.knownSpells, ...spellEntries({ player, edition })]) {
    const base = fold(baseName(written));
    const own = Object.entries(player.weaponDamage).find(([name]) => fold(name) === base);
    const attack = attackSpells[edition].find(({ name }) => fold(name) === base);
    const save = allSaveSpells[edition].find(({ name }) => fold(name) === base);
    const sure = allSureSpells[edition].find(({ name }) => fold(name) === base);
    const stat = own?.[1];
    if (sure !== undefined && own === undefined) {
      byName.set(base, { name: sure.name, value: { by: "sure", spell: sure, unwilling: save } });
    } else if (attack === undefined && save !== undefined) {
      byName.set(base, {
        name: save.name,
        value: { by: "save", spell: stat === undefined ? save : saveFromSheet(save, stat) },
      });
    } else if (own !== undefined && (attack !== undefined || own[1].stat === "none")) {
      const spell = fromSheet(own[0], own[1], attack);
      byName.set(base, { name: own[0], value: { by: "attack", spell } });
    } else if (attack !== undefined) {
      byName.set(base, { name: attack.name, value: { by: "attack", spell: attack } });
    }
  }
  return [...byName.values()];
};

type SheetEntry = Game["player"]["weaponDamage"][string];

/** The sheet's dice and the spell's own rules. Dice of a cantrip that are more than the spell's own have grown with the level already. */
const fromSheet = (name: string, stat: SheetEntry, row: AttackSpell | undefined): AttackSpell => {
  const dice = weaponDice(stat.dice);
  const grown = row?.growth.kind === "dice" && dice.count !== row.dice.count;
  return {
    name,
    level: row?.level ?? 0,
    kind: row?.kind ?? "ranged",
    dice,
    modifier: row?.modifier ?? false,
    damageType: stat.damageType ?? row?.damageType,
    range: row?.range,
    growth: row === undefined || grown ? { kind: "none" } : row.growth,
    splashes: row?.splashes ?? false,
    bonus: stat.bonus === 0 ? statedBonus(name) : stat.bonus,
  };
};

/** The same for a spell that forces a save: the sheet's dice replace those of its first damage. */
const saveFromSheet = (row: SaveSpell, stat: SheetEntry): SaveSpell => {
  const dice = weaponDice(stat.dice);
  const [first, ...others] = row.damage;
  if (first === undefined || dice.count === 0) return row;
  const grown = row.level === 0 && dice.count !== first.dice.count;
  const damage = { ...first, dice, damageType: stat.damageType ?? first.damageType, ...(grown && { grown }) };
  return { ...row, damage: [damage, ...others] };
};
