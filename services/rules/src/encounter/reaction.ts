/**
 * Who may react to an attack or a spell before it happens, and what the reaction costs: the Shield spell, Counterspell, Uncanny Dodge.
 *
 * Not here: the action that waits (`interrupt.ts`), and attacks made as a reaction, which a caller decides on (`budget.ts`).
 */
import type { AttackIntent, Change, Damage, Game, RollResult, Scene } from "@fairlead/contracts/rules";
import { type Creature, isDead } from "../creatures/creature.ts";
import type { Edition } from "../data/weapons.ts";
import type { AreaPart } from "../resolve/area.ts";
import { planAssault } from "../resolve/attack.ts";
import { buildRawSummary } from "../result/raw.ts";
import { createTrace } from "../result/trace.ts";
import { shieldMark, shieldSpell } from "../rules/shield-spell.ts";
import { castingAbility, castingObstacle, paySpellSlot } from "../sheet/casting.ts";
import { cannotAct, feature, hasCondition } from "../sheet/character.ts";
import { baseName, sameName } from "../sheet/names.ts";
import { ongoingCasting } from "../sheet/ongoing.ts";
import { intendedSpell } from "../sheet/spell-name.ts";
import { findTarget } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import { canResist, legendaryResistance } from "./legendary.ts";
import { noScene } from "./scene.ts";
import { type EncounterState, gameFor, type Reaction } from "./state.ts";

export const counterspell = "Counterspell";
export const uncannyDodge = "Uncanny Dodge";

/** An attack or a spell as it would happen. */
interface WaitingAction {
  readonly actor: Creature;
  readonly game: Game;
  readonly intent: AttackIntent;
  readonly parts: readonly AreaPart[];
}

/** The spell that the call casts; `undefined` for a weapon, and for later rays and turns of a spell that was cast. */
const castSpell = ({ game, intent }: WaitingAction): string | undefined => {
  const spell = intendedSpell(game, intent, weaponsAtHand(game));
  if (spell === undefined || game.scene.usedThisTurn.some((used) => sameName(used, spell))) return undefined;
  return ongoingCasting(game, spell) === undefined ? spell : undefined;
};

/** Those that are not declined, in the order in which they come: those that stop the casting, saves that are passed after all, those of whoever is hit. */
export const findReactions = (
  state: EncounterState,
  waiting: WaitingAction,
  declined: readonly Reaction[],
): readonly Reaction[] => {
  const isOpen = ({ actor, weapon }: Reaction): boolean =>
    !declined.some((one) => one.actor === actor && one.weapon === weapon);
  const stages = [findCounterspells, findResistances, findDefences];
  for (const find of stages) {
    const open = find(state, waiting).filter(isOpen);
    if (open.length > 0) return open;
  }
  return [];
};

/** Who failed a save that it may pass instead. Another use is for another save, so one that passes is asked no more. */
const findResistances = (state: EncounterState, { game, intent, parts }: WaitingAction): readonly Reaction[] =>
  parts.flatMap(({ target, result }) => {
    if (planAssault(game, { ...intent, target }).by !== "save") return [];
    const npc = findTarget(game, target);
    const saver = state.creatures.find(({ id }) => id === npc.id);
    if (saver === undefined || !canResist(saver, result)) return [];
    return [
      { actor: saver.id, weapon: legendaryResistance, to: `${npc.name} fails the save against ${intent.weapon}` },
    ];
  });

const findCounterspells = (state: EncounterState, waiting: WaitingAction): readonly Reaction[] => {
  const spell = castSpell(waiting);
  if (spell === undefined) return [];
  const { actor } = waiting;
  return state.creatures
    .filter((creature) => creature.side !== actor.side && canCast(state, creature, counterspell))
    .map(({ id }) => ({ actor: id, weapon: counterspell, to: `${actor.sheet.name} casts ${spell}` }));
};

const findDefences = (state: EncounterState, { actor, game, intent, parts }: WaitingAction): readonly Reaction[] =>
  parts.flatMap(({ target, result }) => {
    if (result.damage === undefined || !result.success) return [];
    const npc = findTarget(game, target);
    const struck = state.creatures.find(({ id }) => id === npc.id);
    if (struck === undefined) return [];
    const { by, planned } = planAssault(game, { ...intent, target });
    const isDart = by === "sure" && planned.ok && planned.plan.name === "Magic Missile";
    if (by !== "attack" && !isDart) return [];
    const to = isDart
      ? `a dart of ${actor.sheet.name}`
      : `${actor.sheet.name} hits ${npc.name} with ${result.total} against AC ${result.dcOrAc}`;
    return [
      ...(shieldSpell(npc) === undefined && canCast(state, struck, shieldMark)
        ? [{ actor: struck.id, weapon: shieldMark, to }]
        : []),
      ...(by === "attack" && canDodge(state, struck, game.scene)
        ? [{ actor: struck.id, weapon: uncannyDodge, to }]
        : []),
    ];
  });

/** Its reaction is still to be used, and nothing prevents it. */
const canReact = ({ edition }: EncounterState, creature: Creature): boolean =>
  creature.reaction &&
  !isDead(creature) &&
  cannotAct(creature.sheet) === undefined &&
  !(edition === "5.1" && hasCondition(creature.sheet, "Shocking Grasp"));

const canCast = (state: EncounterState, creature: Creature, spell: string): boolean => {
  if (!canReact(state, creature)) return false;
  const { sheet } = creature;
  if (!sheet.knownSpells.some((known) => sameName(baseName(known), spell))) return false;
  const game = gameFor(state, creature, noScene);
  return (
    castingObstacle(game) === undefined &&
    castingAbility(sheet) !== undefined &&
    paySpellSlot(game, undefined, leastSlot(spell)).ok
  );
};

const leastSlot = (spell: string): number => (spell === counterspell ? 3 : 1);

/** Of an attacker that can be seen. */
const canDodge = (state: EncounterState, creature: Creature, scene: Scene): boolean =>
  feature(creature.sheet, uncannyDodge) !== undefined && !scene.attackerUnseen && canReact(state, creature);

/** The damage halved before defences, as a whole: an odd point stays with the first type that has one. */
const halveDamage = (damage: Damage): Damage => {
  const rolled = damage.byType.reduce((sum, type) => sum + type.rolled, 0);
  let odd = Math.floor(rolled / 2) - damage.byType.reduce((sum, type) => sum + Math.floor(type.rolled / 2), 0);
  const byType = damage.byType.map((type) => {
    const extra = type.rolled % 2 === 1 && odd > 0 ? 1 : 0;
    odd -= extra;
    const half = Math.floor(type.rolled / 2) + extra;
    return { ...type, rolled: half, dealt: afterDefence(half, type.defence) };
  });
  return { ...damage, byType, totalDamage: byType.reduce((sum, { dealt }) => sum + dealt, 0) };
};

const afterDefence = (amount: number, defence: Damage["byType"][number]["defence"]): number => {
  switch (defence) {
    case "none":
      return amount;
    case "immunity":
      return 0;
    case "resistance":
      return Math.floor(amount / 2);
    case "vulnerability":
      return amount * 2;
    case "resistance and vulnerability":
      return Math.floor(amount / 2) * 2;
  }
};

/** The result for a creature that dodges uncannily. */
export const dodgeUncannily = (result: RollResult, edition: Edition): RollResult => {
  if (result.damage === undefined) return result;
  const damage = halveDamage(result.damage);
  const trace = createTrace(edition);
  trace.add("damage.totalDamage", "halved", { rule: "uncanny-dodge", why: "the attack's damage is halved" });
  const dodged = { ...result, damage, notes: `${result.notes}. ${uncannyDodge} leaves ${damage.totalDamage}` };
  return { ...dodged, raw: buildRawSummary(dodged), rules: [...result.rules, ...trace.list()] };
};

/** What is shown while somebody may react: the roll, and nothing of the damage. */
export const previewResult = (result: RollResult, reactions: readonly Reaction[], edition: Edition): RollResult => {
  const isCasting = reactions.some(({ weapon }) => weapon === counterspell);
  const who = reactions.map(({ actor, weapon }) => `${actor} may use ${weapon}`).join(", ");
  const how = "resolve_attack with that `actor` and `weapon` reacts, mark_no_check lets it happen";
  const [{ to } = { to: "" }] = reactions;
  const unrolled = { components: "", dieResult: 0, totalModifier: "+0", total: 0, dcOrAc: "N/A", success: false };
  const { damage: _, targets: __, dice, ...rest } = result;
  const shown = { ...rest, ...(isCasting && unrolled), notes: `${to}: ${who}. ${how}` };
  const draws = dice?.draws.filter(({ stream }) => !isCasting && !/(?:^|\/)damage: /.test(stream)) ?? [];
  return {
    ...shown,
    edition,
    raw: buildRawSummary(shown),
    rules: isCasting
      ? []
      : result.rules.filter(({ number }) => !number.startsWith("damage") && !number.startsWith("changes")),
    claims: [],
    changes: [],
    ...(dice !== undefined && { dice: { ...dice, draws, unused: dice.unused + dice.draws.length - draws.length } }),
  };
};

/** A slot, for a spell that is cast as a reaction. */
export const payReaction = (
  state: EncounterState,
  creature: Creature,
  { spell, slotLevel }: { readonly spell: string; readonly slotLevel: number | undefined },
): { readonly ok: true; readonly level: number; readonly changes: readonly Change[] } | { ok: false; why: string } =>
  paySpellSlot(gameFor(state, creature, noScene), slotLevel, leastSlot(spell));
