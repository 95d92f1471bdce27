/** Which spell is cast: found by name among those the character knows, with its numbers from the sheet or the SRD tables. */
import type { Game } from "@fairlead/contracts/rules";
import { type SaveSpell, saveSpells } from "../data/save-spells.ts";
import { type AttackSpell, attackSpells } from "../data/spells.ts";
import { weaponDice } from "../data/weapons.ts";
import { lookUp } from "./lookup.ts";
import { baseName, fold, type NamedValue } from "./names.ts";

type KnownSpell =
  | { readonly by: "attack"; readonly spell: AttackSpell }
  | { readonly by: "save"; readonly spell: SaveSpell };

/** Types that a caster may choose, in brackets behind the name. */
const elements = ["acid", "cold", "fire", "lightning", "poison", "thunder"] as const;

/** Refuses with `unknown_spell` or `ambiguous_name`. "Chromatic Orb (fire)" chooses the damage type. */
export const findSpell = (game: Game, written: string): KnownSpell => {
  const known = lookUp(baseName(written), spellsKnown(game), {
    what: "spell",
    reason: "unknown_spell",
    several: `${game.player.name} knows several spells that this could be`,
    none: `${game.player.name} knows no damaging spell of that name`,
    written,
  });
  return withChoice(known, written);
};

/** Damaging spells by the names that `findSpell` takes, one for each type where the caster chooses. */
export const castableNames = (game: Game): readonly string[] =>
  spellsKnown(game).flatMap(({ name, value }) =>
    value.by === "attack" && value.spell.damageType === undefined
      ? elements.map((element) => `${name} (${element})`)
      : [name],
  );

const withChoice = (known: KnownSpell, written: string): KnownSpell => {
  if (known.by === "save" || known.spell.damageType !== undefined) return known;
  const type = fold(/\((\w+)\)/.exec(written)?.[1] ?? "");
  const damageType = elements.find((element) => element === type);
  return { by: "attack", spell: { ...known.spell, damageType } };
};

const spellsKnown = ({ player, edition }: Game): readonly NamedValue<KnownSpell>[] => {
  const byName = new Map<string, NamedValue<KnownSpell>>();
  for (const written of [...player.cantrips, ...player.knownSpells]) {
    const base = fold(baseName(written));
    const own = Object.entries(player.weaponDamage).find(([name]) => fold(name) === base);
    const attack = attackSpells[edition].find(({ name }) => fold(name) === base);
    const save = saveSpells[edition].find(({ name }) => fold(name) === base);
    if (own !== undefined) {
      const spell = fromSheet(own[0], own[1], attack);
      byName.set(base, { name: own[0], value: { by: "attack", spell } });
    } else if (attack !== undefined) {
      byName.set(base, { name: attack.name, value: { by: "attack", spell: attack } });
    } else if (save !== undefined) {
      byName.set(base, { name: save.name, value: { by: "save", spell: save } });
    }
  }
  return [...byName.values()];
};

const fromSheet = (
  name: string,
  stat: Game["player"]["weaponDamage"][string],
  row: AttackSpell | undefined,
): AttackSpell => ({
  name,
  level: row?.level ?? 0,
  kind: row?.kind ?? "ranged",
  dice: weaponDice(stat.dice),
  modifier: false,
  damageType: stat.damageType ?? row?.damageType,
  range: row?.range,
  growth: { kind: "none" },
  splashes: false,
});
