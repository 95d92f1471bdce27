/**
 * The weapon in the character's hand: found by name among `weaponDamage`, the inventory and bare hands, with its numbers from
 * the state where they are given and from the SRD table otherwise.
 *
 * Not here: whether it hits (`circumstances.ts`, `attack-bonus.ts`) and what it does (`weapon-damage.ts`).
 */
import type { DamageType, Player } from "@fairlead/contracts/rules";
import { type Edition, type Property, type WeaponDice, type WeaponRow, weaponDice, weapons } from "../data/weapons.ts";
import type { Sheet } from "./character.ts";
import { lookUp } from "./lookup.ts";
import { baseName, fold, type NamedValue, statedBonus } from "./names.ts";
import { isKnownSpell, isSpellName } from "./spell-name.ts";

export interface Weapon {
  /** As the character's sheet writes it. */
  readonly name: string;
  /** Name in the SRD table, when it is one of those. */
  readonly row: WeaponRow | undefined;
  readonly unarmed: boolean;
  readonly ranged: boolean;
  readonly properties: readonly Property[];
  readonly dice: WeaponDice;
  /** Damage with two hands; never for a weapon whose dice the sheet changes. */
  readonly versatile: WeaponDice | undefined;
  readonly damageType: DamageType | undefined;
  /** Ability the sheet prescribes; `undefined` leaves it to the rules. */
  readonly stat: "str" | "dex" | "finesse" | "none" | undefined;
  /** Magic bonus on attack and damage. */
  readonly bonus: number;
  /** The whole attack bonus, as a stat block prints it. */
  readonly toHit?: number;
  /** What a hit deals in addition. */
  readonly extra?: NonNullable<Player["weaponDamage"][string]["extra"]>;
}

const unarmedStrike: Weapon = {
  name: "Unarmed Strike",
  row: undefined,
  unarmed: true,
  ranged: false,
  properties: [],
  dice: { count: 0, sides: 0, flat: 1 },
  versatile: undefined,
  damageType: "bludgeoning",
  stat: undefined,
  bonus: 0,
};

const rowsByName = (edition: Edition): ReadonlyMap<string, WeaponRow> =>
  new Map(
    weapons[edition].flatMap((row) =>
      [row.name, ...(row.alias === undefined ? [] : [row.alias])].map((name) => [fold(name), row] as const),
    ),
  );

const byName: Readonly<Record<Edition, ReadonlyMap<string, WeaponRow>>> = {
  "5.1": rowsByName("5.1"),
  "5.2": rowsByName("5.2"),
};

/** The row of the SRD table that a written name means: "+1 Crossbow, hand" is the Hand Crossbow. */
const weaponRow = (written: string, edition: Edition): WeaponRow | undefined =>
  byName[edition].get(fold(baseName(written)));

const fromSheet = (name: string, stat: Player["weaponDamage"][string], edition: Edition): Weapon => {
  const row = weaponRow(name, edition);
  const dice = weaponDice(stat.dice);
  const asInTable =
    row !== undefined && row.dice.count === dice.count && row.dice.sides === dice.sides && dice.flat === row.dice.flat;
  return {
    name,
    row,
    unarmed: fold(baseName(name)) === "unarmed strike",
    ranged: stat.kind === undefined ? (row?.ranged ?? stat.stat === "dex") : stat.kind === "ranged",
    properties: row?.properties ?? (stat.stat === "finesse" ? ["finesse"] : []),
    dice,
    versatile: asInTable ? row.versatile : undefined,
    damageType: stat.damageType ?? row?.damageType,
    stat: stat.stat,
    bonus: stat.bonus === 0 ? statedBonus(name) : stat.bonus,
    ...(stat.toHit !== undefined && { toHit: stat.toHit }),
    ...(stat.extra !== undefined && { extra: stat.extra }),
  };
};

const fromTable = (name: string, row: WeaponRow): Weapon => ({
  name,
  row,
  unarmed: false,
  ranged: row.ranged,
  properties: row.properties,
  dice: row.dice,
  versatile: row.versatile,
  damageType: row.damageType,
  stat: undefined,
  bonus: statedBonus(name),
});

/** Everything the character can attack with, spells aside; the sheet's own numbers come before the table's. */
export const weaponsAtHand = ({ player, edition }: Sheet): readonly NamedValue<Weapon>[] => {
  const sheet = Object.entries(player.weaponDamage)
    .filter(([name]) => !isKnownSpell({ player, edition }, name))
    .map(([name, stat]) => fromSheet(name, stat, edition));
  const taken = new Set(sheet.map(({ name }) => fold(name)));
  const carried: Weapon[] = [];
  for (const item of player.inventory ?? []) {
    const row = weaponRow(item, edition);
    if (row === undefined || taken.has(fold(item))) continue;
    taken.add(fold(item));
    carried.push(fromTable(item.trim(), row));
  }
  const hands = taken.has("unarmed strike") ? [] : [unarmedStrike];
  return [...sheet, ...carried, ...hands].map((value) => ({ name: value.name, aliases: weaponAliases(value), value }));
};

const weaponAliases = ({ name, row, unarmed }: Weapon): readonly string[] => [
  baseName(name),
  ...(row === undefined ? [] : [row.name, ...(row.alias === undefined ? [] : [row.alias])]),
  ...(unarmed ? ["Unarmed", "Fist", "Punch", "Kick"] : []),
];

/** Refuses with `unknown_weapon` or `ambiguous_name`. */
export const findWeapon = (game: Sheet, name: string): Weapon =>
  lookUp(name, weaponsAtHand(game), {
    what: "weapon",
    reason: "unknown_weapon",
    several: `${game.player.name} has several weapons that this could be`,
    none: isSpellName(game, name)
      ? `${name} is a spell that ${game.player.name} does not know: add it to \`player.cantrips\` or \`player.knownSpells\``
      : `${game.player.name} has no weapon of that name at hand; for a spell attack set \`is_spell_attack\` and \`spell_name\``,
  });

/** True for a name or category among the proficiencies; a magic bonus in either name changes nothing. */
export const isProficient = (player: Player, weapon: Weapon): boolean => {
  if (weapon.unarmed) return true;
  const trained = new Set(player.weaponProficiencies.map((name) => fold(baseName(name))));
  const names = [weapon.name, baseName(weapon.name), ...(weapon.row === undefined ? [] : [weapon.row.name])];
  const alias = weapon.row?.alias;
  const written = [...names, ...(alias === undefined ? [] : [alias])].map(fold);
  if (written.some((name) => trained.has(name) || trained.has(`${name}s`) || trained.has(plural(name)))) return true;
  return weapon.row !== undefined && hasCategoryProficiency(trained, weapon.row);
};

/** Names of weapons and categories, as class tables and sheets write them. */
export const weaponProficiencyNames = (edition: Edition): readonly string[] => [
  ...weapons[edition].flatMap(({ name, alias }) => {
    const written = fold(name);
    return [written, `${written}s`, plural(written), ...(alias === undefined ? [] : [fold(alias)])];
  }),
  ...["simple", "martial"].flatMap((category) => [category, `${category} weapon`, `${category} weapons`]),
  ...["martial weapons that have the light property", "martial weapons that have the finesse or light property"],
];

/** "light crossbow" is "crossbows, light" in a class table. */
const plural = (name: string): string => {
  const [kind = "", last = ""] = name.split(" ");
  return last === "crossbow" ? `crossbows, ${kind}` : `${name}es`;
};

const hasCategoryProficiency = (trained: ReadonlySet<string>, row: WeaponRow): boolean => {
  const { category } = row;
  if ([category, `${category} weapon`, `${category} weapons`].some((name) => trained.has(name))) return true;
  if (category !== "martial") return false;
  const light = row.properties.includes("light");
  const finesse = row.properties.includes("finesse");
  if (light && trained.has("martial weapons that have the light property")) return true;
  return (light || finesse) && trained.has("martial weapons that have the finesse or light property");
};
