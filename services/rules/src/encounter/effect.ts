/**
 * What a monster does without an attack roll, like a breath: everybody in its area saves against its own Difficulty Class, the damage is rolled once, and some of it has to
 * recharge. Characters save by their sheets, monsters by their stat blocks. Not here: who may act (`budget.ts`), and the recharging (`turn.ts`).
 */
import type { Game, RollResult, Scene } from "@fairlead/contracts/rules";
import type { Creature } from "../creatures/creature.ts";
import type { MonsterEffect, MonsterMark } from "../data/monster-row.ts";
import { weaponDice } from "../data/weapons.ts";
import type { Dice } from "../dice/source.ts";
import { type AreaPart, joinParts, resolveParts, splitTargets } from "../resolve/area.ts";
import { resolveSavingThrow } from "../resolve/save.ts";
import { resolveSpellSave } from "../resolve/spell-save.ts";
import { impossible } from "../result/mark.ts";
import { buildRawSummary } from "../result/raw.ts";
import { automaticFailure, creatureSave, hasTrait } from "../rules/creature-save.ts";
import { creatureDefender } from "../rules/defender.ts";
import { canEvade } from "../rules/incoming-damage.ts";
import { addCondition } from "../rules/rider.ts";
import { hasCondition } from "../sheet/character.ts";
import { fold, sameName } from "../sheet/names.ts";
import { findTarget } from "../sheet/target.ts";
import { unable } from "./budget.ts";
import { type EncounterState, gameFor } from "./state.ts";

/** The effect of that name that the creature has; `undefined` where an attack is meant. */
export const findEffect = ({ effects = [] }: Creature, name: string): MonsterEffect | undefined =>
  effects.find((effect) => sameName(effect.name, name));

/** The state in which the effect is spent. Refuses with `cannot_act` while it is not recharged. */
export const spendEffect = (
  state: EncounterState,
  actor: Creature,
  { name, recharge }: MonsterEffect,
): EncounterState => {
  const { spent = [] } = actor;
  if (spent.includes(name)) throw unable(actor, `has used ${name}, which is not recharged yet`);
  if (recharge === undefined) return state;
  const creatures = state.creatures.map((one) => (one.id === actor.id ? { ...one, spent: [...spent, name] } : one));
  return { ...state, creatures };
};

interface EffectUse {
  readonly state: EncounterState;
  readonly game: Game;
  readonly effect: MonsterEffect;
  /** "Aria; Bo". */
  readonly target: string;
  readonly scene: Scene;
}

/** The saves of every creature that the target names, in that order. */
export const resolveEffect = (
  use: EffectUse,
  dice: Dice,
): { readonly parts: readonly AreaPart[]; readonly result: RollResult } => {
  const { game } = use;
  const targets = splitTargets(use.target);
  const ids = targets.map((name) => findTarget(game, name).id);
  const twice = targets.find((_, index) => ids.indexOf(ids[index] ?? "") !== index);
  if (twice !== undefined) {
    const result = impossible(`${twice} is named twice`, game.edition);
    return { parts: [{ target: twice, result }], result };
  }
  const parts = resolveParts(game, targets, { dice, resolve: (_, name, shared) => resolveOn(use, name, shared) });
  return { parts, result: joinParts(game, parts, dice) };
};

const resolveOn = (use: EffectUse, name: string, dice: Dice): RollResult => {
  const { state, game, effect } = use;
  const npc = findTarget(game, name);
  const creature = state.creatures.find(({ id }) => id === npc.id);
  const result =
    creature?.kind === "character" ? saveBySheet(use, creature, dice) : saveByBlock(game, { effect, npc }, dice);
  const leaves = result.success ? (effect.leaves ?? []).filter((mark) => !hasCondition(npc, mark.name)) : [];
  if (leaves.length === 0) return result;
  const left = leaves.map((mark) => addCondition(npc, mark.name, sayMark(mark)));
  const notes = `${result.notes}. ${npc.name} ${leaves.map(sayMark).join(" and ")}`;
  return { ...result, notes, raw: buildRawSummary({ ...result, notes }), changes: [...result.changes, ...left] };
};

const untilWords: Readonly<Record<NonNullable<MonsterMark["until"]>, string>> = {
  minute: " for 1 minute",
  "own start": " until the start of its next turn",
  "own end": " until the end of its next turn",
  start: " until the start of your next turn",
  end: " until the end of your next turn",
};

/** In the words that timers read: "is frightened for 1 minute, with a save at the end of each of its turns". */
const sayMark = ({ name, until, again }: MonsterMark): string =>
  `is ${fold(name)}${until === undefined ? "" : untilWords[until]}${again ? ", with a save at the end of each of its turns" : ""}`;

const effectTitle = ({ name, ability }: MonsterEffect): string =>
  `${name} (${ability[0]?.toUpperCase()}${ability.slice(1)} Save)`;

/** A character's own saving throw; its success is the effect's failure. */
const saveBySheet = ({ state, effect, scene }: EffectUse, creature: Creature, dice: Dice): RollResult => {
  const { damage, onSuccess, ability, dc, name } = effect;
  const incoming = damage && {
    dice: damage.dice,
    onSuccess,
    ...(damage.type !== undefined && { damageType: damage.type }),
  };
  const around = { ...scene, ...(incoming !== undefined && { incoming }), magical: scene.magical };
  const own = gameFor(state, creature, around);
  const {
    raw: _,
    rules,
    claims,
    changes,
    dice: record,
    edition,
    ...saved
  } = resolveSavingThrow(own, { ability, dc, source: name }, dice);
  const parsed = {
    ...saved,
    checkType: effectTitle(effect),
    success: !saved.success,
    notes: `${creature.sheet.name}: ${saved.notes}`,
  };
  return {
    ...parsed,
    raw: buildRawSummary(parsed),
    rules,
    claims,
    changes: changes.map((change) => ({ ...change, id: change.id ?? creature.id })),
    ...(record !== undefined && { dice: record }),
    ...(edition !== undefined && { edition }),
  };
};

const saveByBlock = (
  game: Game,
  { effect, npc }: { readonly effect: MonsterEffect; readonly npc: Game["npcs"][number] },
  dice: Dice,
): RollResult => {
  const { name, ability, dc, damage, onSuccess } = effect;
  const cause = { rule: "spell-damage", why: name } as const;
  const written = damage === undefined ? undefined : weaponDice(damage.dice);
  const nimble = hasTrait(npc, "Evasion") && canEvade(npc, { ability, onSuccess, edition: game.edition });
  return resolveSpellSave(
    game,
    {
      ok: true,
      plan: {
        ...{
          checkType: effectTitle(effect),
          name,
          target: npc,
          defender: creatureDefender(game, npc),
          ability,
          dc,
          onSuccess,
          least: 0,
          claims: [],
          changes: [],
        },
        most: Number.POSITIVE_INFINITY,
        test: creatureSave(npc, ability, { edition: game.edition }),
        fails: automaticFailure(npc, ability),
        specs:
          written === undefined
            ? []
            : [
                {
                  label: name,
                  count: written.count,
                  sides: written.sides,
                  flats: written.flat === 0 ? [] : [{ label: name, amount: written.flat, ...cause }],
                  damageType: damage?.type,
                  cause,
                },
              ],
        evasion: nimble
          ? { rule: "creature-trait", why: `Evasion of ${npc.name}: nothing on a success, half on a failure` }
          : undefined,
        riders: () => [],
      },
    },
    dice,
  );
};

/** What is rolled at the start of a turn: each spent effect, in the order in which they were used. */
export const rechargeEffects = (
  creature: Creature,
  dice: Dice,
): { readonly creature: Creature; readonly events: readonly string[] } => {
  const { spent = [], sheet } = creature;
  if (spent.length === 0) return { creature, events: [] };
  const events: string[] = [];
  const still = spent.filter((name) => {
    const least = findEffect(creature, name)?.recharge ?? 1;
    const face = dice.roll(6, `recharge of ${name}`, `recharge of ${fold(name)}`);
    if (face >= least) events.push(`${sheet.name}'s ${name} is recharged: ${face}`);
    return face < least;
  });
  return { creature: { ...creature, spent: still }, events };
};
