/**
 * What effects do to a d20 test of the character: those of the tables, and what another's Sundering Blow leaves.
 *
 * Not here: the effects themselves (`effects/table.ts`).
 */
import type { Game, Npc, Player } from "@fairlead/contracts/rules";
import { effectsOn, type RollEffects, type RollFacts } from "../effects/apply.ts";
import { conditionSources } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import type { Modifier } from "./d20.ts";

/** Of an attack: on a creature, with these words of it. */
export interface AttackFacts extends Pick<RollFacts, "ability"> {
  readonly target: Npc;
  readonly attack: NonNullable<RollFacts["attack"]>;
}

/** What effects do to an attack roll, and to the damage of its hit. */
export const attackEffects = (game: Game, facts: AttackFacts): RollEffects => {
  const roll = effectsOn(game, { roll: "attack", ...facts });
  const { damage } = effectsOn(game, { roll: "hit", ...facts });
  return { ...roll, damage, modifiers: [...roll.modifiers, ...sunderBonus(game, facts.target)] };
};

/** 5.2: +5 for the next to attack what another has sundered; one blow counts. */
const sunderBonus = ({ player, edition }: Game, target: Npc): readonly Modifier[] =>
  edition === "5.2" && sunderConditions(player, target).length > 0
    ? [{ label: "Sundering Blow", amount: 5, rule: "brutal-strike", why: `${target.name} was sundered` }]
    : [];

/** Sundering Blows of others, as the creature's conditions write them: "Sundered by Bo". */
export const sunderConditions = (player: Player, target: Npc): readonly string[] =>
  target.conditions.filter((written) =>
    conditionSources({ conditions: [written] }, "Sundered").some((by) => !sameName(by, player.name)),
  );
