/** Smites of 5.2 that are spells like any other: prepared, a slot, a bonus action. */
import type { Change, DamageType } from "@fairlead/contracts/rules";
import { paySpellSlot } from "../../sheet/casting.ts";
import { identify } from "../../sheet/character.ts";
import { sameName } from "../../sheet/names.ts";
import { markUsed } from "../../sheet/spending.ts";
import type { DamageSpec } from "../damage.ts";
import { smiteObstacle, usesMeleeWeapon } from "./smites.ts";
import { type DamageSource, deny } from "./source.ts";

interface SmiteSpell {
  readonly name: string;
  /** Its own level, at which it rolls `count` d6s; each slot level above adds one. */
  readonly level: number;
  readonly count: number;
  readonly damageType: DamageType;
  /** What it leaves on the creature. */
  readonly mark: Omit<Change, "who" | "id">;
}

const smiteSpell = ({ name, level, count, damageType, mark }: SmiteSpell): DamageSource => ({
  name,
  optional: true,
  verify(blow) {
    const { game, target } = blow;
    if (game.edition === "5.1") return deny(`${name} is not in the SRD 5.1`);
    if (!game.player.knownSpells.some((spell) => sameName(spell, name))) {
      return deny(`${game.player.name} has not prepared ${name}`);
    }
    if (!usesMeleeWeapon(blow)) return deny(`${name} needs a hit with a melee weapon`);
    const hindered = smiteObstacle(game, name);
    if (hindered !== undefined) return deny(hindered);
    const slot = paySpellSlot(game, blow.slot ?? game.scene.slotLevel, level);
    if (!slot.ok) return deny(slot.why);
    const why = `a slot of level ${slot.level}`;
    const cause = { rule: "smite-spell", why } as const;
    const spec: DamageSpec = { label: name, count: count + slot.level - level, sides: 6, flats: [], damageType, cause };
    const onHit = [...slot.changes, markUsed(game, "Bonus Action"), { ...mark, ...identify(target) }];
    return { granted: true, why, specs: [spec], onHit };
  },
});

export const searingSmite = smiteSpell({
  name: "Searing Smite",
  level: 1,
  count: 1,
  damageType: "fire",
  mark: {
    field: "conditions",
    op: "add",
    value: "Burning",
    why: "the same fire damage at the start of each of its turns, until a constitution save",
  },
});

export const shiningSmite = smiteSpell({
  name: "Shining Smite",
  level: 2,
  count: 2,
  damageType: "radiant",
  mark: { field: "conditions", op: "add", value: "Shining", why: "attack rolls against it have advantage" },
});
