/**
 * What a result begins that ends by itself: timers for its conditions and effects, with the saves that end them early; and what ends with a caster's concentration.
 * Conditions without a stated time have no timer.
 *
 * Not here: counting the turns (`timer.ts`).
 */
import type { Ability, Change, RollResult } from "@fairlead/contracts/rules";
import { asTarget, type Creature, isDead } from "../creatures/creature.ts";
import { allSureSpells } from "../data/boon-spells.ts";
import { allSaveSpells } from "../data/condition-spells.ts";
import { readDamageEnding, readSpellRounds, statedDuration } from "../data/durations.ts";
import type { MonsterEffect } from "../data/monster-row.ts";
import type { Dice } from "../dice/source.ts";
import { resolveSavingThrow } from "../resolve/save.ts";
import { createTrace } from "../result/trace.ts";
import { automaticFailure, creatureSave } from "../rules/creature-save.ts";
import { rollD20 } from "../rules/d20.ts";
import { cannotAct, hasCondition } from "../sheet/character.ts";
import { baseName, sameName } from "../sheet/names.ts";
import { readCasting } from "../sheet/ongoing.ts";
import { applyChanges } from "./change.ts";
import { noScene } from "./scene.ts";
import { currentCreature, type EncounterState, gameFor } from "./state.ts";
import { endTimers, removal, type Timer } from "./timer.ts";

interface BegunBy {
  readonly actor: Creature;
  /** The spell that was cast, as the rules write it. */
  readonly spell: string | undefined;
  /** What a monster did. */
  readonly effect?: MonsterEffect | undefined;
  /** Of the result before its changes got ids. */
  readonly dcOrAc: string;
}

type AppliedChange = Change & { readonly id: string };

/** The timers of what the changes begin. */
export const beginTimers = (
  state: EncounterState,
  changes: readonly AppliedChange[],
  begun: BegunBy,
): readonly Timer[] => changes.flatMap((change) => beginTimer(state, change, begun) ?? []);

const beginTimer = (
  state: EncounterState,
  { id: on, field, op, value: written, why }: AppliedChange,
  { actor, spell, effect, dcOrAc }: BegunBy,
): Timer | undefined => {
  if (op !== "add" || (field !== "conditions" && field !== "effects")) return undefined;
  const value = String(written);
  const bearing = { on, field, value } as const;
  const casting = readCasting(value);
  if (casting !== undefined) {
    const left = readSpellRounds(casting.spell, state.edition);
    return left === undefined ? undefined : { ...bearing, whose: on, at: "start", left };
  }
  const words = statedDuration(why);
  if (words !== undefined) {
    const whose = words.whose === "actor" ? actor.id : on;
    const isNow = words.at === "end" && currentCreature(state).id === whose;
    return { ...bearing, whose, at: words.at, left: isNow ? 2 : 1 };
  }
  if (effect !== undefined) return effectTimer(bearing, { actor, effect, why });
  return spell === undefined ? undefined : spellTimer(state, bearing, { actor, spell, why, dc: Number(dcOrAc) });
};

/** Rounds of a day: only a save, damage or the end of the concentration ends it. */
const untilSaved = 14_400;

interface TimedSpell {
  readonly name: string;
  readonly concentration: boolean;
  readonly ability: Ability | undefined;
  /** The save at the end of each turn that ends it. */
  readonly again: Ability | undefined;
}

const findTimedSpell = (edition: EncounterState["edition"], spell: string): TimedSpell | undefined => {
  const saved = allSaveSpells[edition].find(({ name }) => sameName(name, spell));
  const sure = allSureSpells[edition].find(({ name }) => sameName(name, spell));
  if (sure !== undefined && saved === undefined)
    return { name: sure.name, concentration: sure.concentration, ability: undefined, again: sure.boon?.again };
  if (saved === undefined) return undefined;
  const { name, concentration, ability } = saved;
  const again = "lasting" in saved && saved.lasting.repeats ? ability : undefined;
  return { name, concentration, ability, again };
};

/** A minute of a monster's effect, and the save that ends it early. */
const effectTimer = (
  bearing: Pick<Timer, "on" | "field" | "value">,
  { actor, effect, why }: { readonly actor: Creature; readonly effect: MonsterEffect; readonly why: string },
): Timer | undefined => {
  if (!why.includes("for 1 minute")) return undefined;
  const { name, ability, dc } = effect;
  return {
    ...bearing,
    ...{ whose: actor.id, at: "start", left: 10, spell: { name, by: actor.id, concentration: false } },
    ...(why.includes("with a save at the end of each of its turns") && { again: { ability, dc } }),
  };
};

/** Who lies on the ground lies there after the spell, too. */
const outlasting = ["Prone", "Dead"];

const spellTimer = (
  { edition }: EncounterState,
  bearing: Pick<Timer, "on" | "field" | "value">,
  {
    actor,
    spell,
    why,
    dc,
  }: { readonly actor: Creature; readonly spell: string; readonly why: string; readonly dc: number },
): Timer | undefined => {
  const row = findTimedSpell(edition, baseName(spell));
  const rounds = readSpellRounds(row?.name ?? spell, edition);
  const isOwn =
    sameName(why, row?.name ?? spell) || /\bwhile the spell lasts|\buntil the spell ends|\bfor 1 minute/.test(why);
  const again = row?.again ?? (why.includes("with a save at the end of each of its turns") ? row?.ability : undefined);
  const isEndedOtherwise =
    row !== undefined && (row.concentration || row.again !== undefined || readDamageEnding(row.name) !== undefined);
  const isTimed = rounds !== undefined || isEndedOtherwise || why.includes("for 1 minute");
  if (!isTimed || !isOwn || outlasting.includes(bearing.value)) return undefined;
  return {
    ...bearing,
    whose: actor.id,
    at: "start",
    left: rounds ?? (why.includes("for 1 minute") ? 10 : untilSaved),
    spell: { name: row?.name ?? spell, by: actor.id, concentration: row?.concentration ?? false },
    ...(again !== undefined && { again: { ability: again, dc } }),
    ...(row?.ability !== undefined &&
      readDamageEnding(row.name)?.save !== undefined && { saved: { ability: row.ability, dc } }),
  };
};

/** A change to the fight that time or concentration made. */
interface LapseOutcome {
  readonly state: EncounterState;
  readonly changes: readonly AppliedChange[];
  readonly events: readonly string[];
}

const nameConcentration = (creature: Creature): readonly string[] =>
  creature.sheet.conditions.filter((written) => hasCondition({ conditions: [written] }, "Concentrating"));

/** Ends concentration of those who cannot act, what hung on concentration that is over, and timers of what was ended otherwise. */
export const settleLasting = (state: EncounterState): LapseOutcome => {
  const isIdle = state.creatures.every(({ sheet }) => !hasCondition(sheet, "Concentrating"));
  if (isIdle && state.timers.length === 0) return { state, changes: [], events: [] };
  const lost = state.creatures.flatMap((creature): readonly AppliedChange[] => {
    const why = cannotAct(creature.sheet);
    if (why === undefined) return [];
    const { id, sheet } = creature;
    return nameConcentration(creature).map((value) => {
      return { who: sheet.name, id, field: "conditions", op: "remove", value, why: `${sheet.name} ${why}` };
    });
  });
  const idle = applyLapse(state, lost);
  const loose = idle.timers.filter(({ spell }) => spell?.concentration === true && !isKept(idle, spell));
  const lapsed = endTimers(idle.timers, loose, idle.creatures);
  const why = "the concentration on it is over";
  const ended = lapsed.ended.map((change) => ({ ...change, why }));
  const after = applyLapse({ ...idle, timers: lapsed.timers }, ended);
  const timers = after.timers.filter((timer) => removal(timer, after.creatures) !== undefined);
  return {
    state: { ...after, timers },
    changes: [...lost, ...ended],
    events: [
      ...lost.map(({ who }) => `${who} concentrates no longer`),
      ...ended.map(({ who, value }) => `${value} of ${who} is over: ${why}`),
    ],
  };
};

/** Spells that are over for a creature that attacks or casts; Sanctuary only where that is against the other side. */
const endedByAttack = ["Invisibility", "Mislead"];

/** What attacking, or casting a spell, ends for the actor. `before` has the timers as they were. */
export const endHiding = (
  state: EncounterState,
  before: EncounterState,
  { actor, harms }: { readonly actor: string; readonly harms: boolean },
): LapseOutcome => {
  const open = before.timers.filter(
    ({ on, spell }) =>
      on === actor &&
      spell !== undefined &&
      (endedByAttack.includes(spell.name) || (harms && spell.name === "Sanctuary")),
  );
  const ending = state.timers.filter((timer) => open.includes(timer));
  if (ending.length === 0) return { state, changes: [], events: [] };
  const lapsed = endTimers(state.timers, ending, state.creatures);
  const ended = lapsed.ended.map((change) => ({ ...change, why: "an attack or a spell ends it" }));
  return {
    state: applyLapse({ ...state, timers: lapsed.timers }, ended),
    changes: ended,
    events: ended.map(({ who, value }) => `${value} of ${who} is over: ${who} attacked or cast a spell`),
  };
};

const isKept = ({ creatures }: EncounterState, { name, by }: NonNullable<Timer["spell"]>): boolean =>
  creatures.some(
    (creature) =>
      creature.id === by &&
      nameConcentration(creature).some((value) => sameName(readCasting(value)?.spell ?? "", name)),
  );

const applyLapse = (state: EncounterState, changes: readonly AppliedChange[]): EncounterState =>
  changes.length === 0
    ? state
    : { ...state, creatures: applyChanges({ creatures: state.creatures, usedThisTurn: [] }, "", changes).creatures };

/** The saves of a creature, at the end of its turn, against what allows one then. */
export const saveAgain = (state: EncounterState, creature: Creature, dice: Dice): LapseOutcome => {
  if (isDead(creature)) return { state, changes: [], events: [] };
  const open = state.timers.filter(({ on, again }) => on === creature.id && again !== undefined);
  const spells = [...new Set(open.map(({ spell }) => `${spell?.by} ${spell?.name}`))];
  return spells.reduce<LapseOutcome>(
    (before, key) => {
      const those = open.filter(({ spell }) => `${spell?.by} ${spell?.name}` === key);
      const [first] = those;
      if (first?.again === undefined || first.spell === undefined) return before;
      const { total, dc, success, changes } = rollAgain(
        before.state,
        { creature, timer: first, again: first.again },
        dice,
      );
      const after = endTimers(before.state.timers, success ? those : [], before.state.creatures);
      const freed = after.ended;
      const made = [...changes, ...freed].map((change) => ({ ...change, why: success ? "a passed save" : change.why }));
      const event = `${creature.sheet.name}'s save against ${first.spell.name}: ${total} against DC ${dc}${
        freed.length === 0 ? "" : `, ${freed.map(({ value }) => value).join(" and ")} is over`
      }`;
      return {
        state: applyLapse({ ...before.state, timers: after.timers }, made),
        changes: [...before.changes, ...made],
        events: [...before.events, event],
      };
    },
    { state, changes: [], events: [] },
  );
};

/** What damage makes of the spells on a creature: some are over, of others it saves again. `state` is after the damage. */
export const endByDamage = (
  state: EncounterState,
  { hurt, by, amount }: { readonly hurt: string | undefined; readonly by: Creature; readonly amount: number },
  dice: Dice,
): LapseOutcome => {
  const creature = state.creatures.find(({ id }) => id === hurt);
  const nothing: LapseOutcome = { state, changes: [], events: [] };
  if (creature === undefined || amount === 0 || isDead(creature)) return nothing;
  const spells = new Map<string, readonly Timer[]>();
  for (const timer of state.timers) {
    const { on, spell } = timer;
    if (on !== hurt || spell === undefined) continue;
    const ending = readDamageEnding(spell.name);
    const caster = state.creatures.find(({ id }) => id === spell.by);
    if (ending === undefined || (ending.by === "caster's side" && caster?.side !== by.side)) continue;
    const key = `${spell.by} ${spell.name}`;
    spells.set(key, [...(spells.get(key) ?? []), timer]);
  }
  return [...spells.values()].reduce<LapseOutcome>((before, those) => {
    const after = endOneByDamage(before.state, { creature, those, amount }, dice);
    return {
      state: after.state,
      changes: [...before.changes, ...after.changes],
      events: [...before.events, ...after.events],
    };
  }, nothing);
};

const endOneByDamage = (
  state: EncounterState,
  {
    creature,
    those,
    amount,
  }: { readonly creature: Creature; readonly those: readonly Timer[]; readonly amount: number },
  dice: Dice,
): LapseOutcome => {
  const [first] = those;
  const name = first?.spell?.name ?? "";
  const isSaved = readDamageEnding(name)?.save;
  const rolled =
    isSaved === undefined || first?.saved === undefined
      ? undefined
      : rollAgain(
          state,
          {
            creature,
            timer: first,
            again: first.saved,
            ...(isSaved === "advantage" && { advantage: `hurt by ${amount} damage` }),
          },
          dice,
        );
  const isOver = rolled === undefined || rolled.success;
  const after = endTimers(state.timers, isOver ? those : [], state.creatures);
  const freed = after.ended.map((change) => ({
    ...change,
    why: rolled === undefined ? `${amount} damage` : "a passed save",
  }));
  const made = [...(rolled?.changes ?? []), ...freed];
  const said = freed.map(({ value }) => value).join(" and ");
  const { name: who } = creature.sheet;
  const event =
    rolled === undefined
      ? `${said} of ${who} is over: ${amount} damage`
      : `${who}'s save against ${name}: ${rolled.total} against DC ${rolled.dc}${freed.length === 0 ? "" : `, ${said} is over`}`;
  return {
    state: applyLapse({ ...state, timers: after.timers }, made),
    changes: made,
    events: rolled === undefined && freed.length === 0 ? [] : [event],
  };
};

interface RepeatedSave {
  readonly creature: Creature;
  readonly timer: Timer;
  readonly again: { readonly ability: Ability; readonly dc: number };
  /** Why it has advantage. */
  readonly advantage?: string;
}

/** A character saves by the sheet, a monster by its stat block. */
const rollAgain = (
  state: EncounterState,
  { creature, timer, again: { ability, dc }, advantage }: RepeatedSave,
  dice: Dice,
): {
  readonly total: number;
  readonly dc: number;
  readonly success: boolean;
  readonly changes: readonly AppliedChange[];
} => {
  const source = timer.spell?.name ?? timer.value;
  if (creature.kind === "character") {
    const game = gameFor(state, creature, {
      ...noScene,
      magical: true,
      advantage: advantage === undefined ? [] : [advantage],
    });
    const { total, success, changes }: Pick<RollResult, "total" | "success" | "changes"> = resolveSavingThrow(
      game,
      { ability, dc, source },
      dice,
    );
    return { total, dc, success, changes: changes.map((change) => ({ ...change, id: change.id ?? creature.id })) };
  }
  const target = asTarget(creature);
  if (automaticFailure(target, ability) !== undefined) return { total: 0, dc, success: false, changes: [] };
  const plain = creatureSave(target, ability, { edition: state.edition, magical: true });
  const { total } = rollD20(
    {
      ...plain,
      advantages: [
        ...plain.advantages,
        ...(advantage === undefined ? [] : [{ rule: "spell-effect", why: advantage } as const]),
      ],
      stream: `${plain.stream}, ${source}`,
    },
    { dice, trace: createTrace(state.edition) },
    () => false,
  );
  return { total, dc, success: total >= dc, changes: [] };
};
