/**
 * What a hit does in addition to its damage: a push, a condition, an advantage for later. Some riders always happen, others only
 * when the creature fails a saving throw. The result is notes and changes; movement is for the table.
 *
 * Not here: which riders an attack has (`mastery.ts`, `sources/strikes.ts`).
 */
import type { Ability, Change, Npc } from "@fairlead/contracts/rules";
import type { RuleId } from "../data/catalogue.ts";
import type { Edition } from "../data/weapons.ts";
import type { Dice } from "../dice/source.ts";
import type { Trace } from "../result/trace.ts";
import { identify, isProne } from "../sheet/character.ts";
import { automaticFailure, conditionsEndedBySave, creatureSave } from "./creature-save.ts";
import { rollD20 } from "./d20.ts";

export interface Rider {
  /** "Topple": how notes and dice call it. */
  readonly label: string;
  readonly rule: RuleId;
  /** What happens, like "Goblin can be pushed 10 feet straight away". */
  readonly effect: string;
  readonly changes: readonly Change[];
  /** The creature saves against it, and nothing happens when it passes. */
  readonly save?: { readonly ability: Ability; readonly dc: number };
}

/** A condition that a rider gives the creature. */
export const addCondition = (target: Npc, value: string, why: string): Change => ({
  ...identify(target),
  field: "conditions",
  op: "add",
  value,
  why,
});

/** "Goblin falls prone", unless it lies already. */
export const knockProne = (target: Npc, rider: Pick<Rider, "label" | "rule" | "save">): readonly Rider[] =>
  isProne(target)
    ? []
    : [{ ...rider, effect: `${target.name} falls prone`, changes: [addCondition(target, "Prone", rider.label)] }];

interface RiderResult {
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
}

interface RiderTools {
  readonly dice: Dice;
  readonly trace: Trace;
  readonly edition: Edition;
}

/** Applies riders in order, one save after the other. */
export const applyRiders = (target: Npc, riders: readonly Rider[], tools: RiderTools): RiderResult => {
  const ridden = riders.map((rider) => applyRider(target, rider, tools));
  return { notes: ridden.flatMap(({ notes }) => notes), changes: ridden.flatMap(({ changes }) => changes) };
};

const applyRider = (target: Npc, rider: Rider, { dice, trace, edition }: RiderTools): RiderResult => {
  const { label, rule, effect, changes, save } = rider;
  const act = (why: string): void => trace.add("changes", effect, { rule, why });
  if (save === undefined) {
    act(label);
    return { notes: [`${label}: ${effect}`], changes };
  }
  const fails = automaticFailure(target, save.ability);
  if (fails !== undefined) {
    act(`a failed ${save.ability} save without a roll: ${fails.why}`);
    return { notes: [`${label}: ${effect}, without a ${save.ability} save: ${fails.why}`], changes };
  }
  const plain = creatureSave(target, save.ability, { edition });
  const purpose = `${save.ability} save of ${target.name}, ${label}`;
  const test = { ...plain, purpose, stream: `${plain.stream}, ${label}` };
  const parts: Trace = { ...trace, add: (_, part, cause) => trace.add("changes", `${label} save: ${part}`, cause) };
  const { total } = rollD20(test, { dice, trace: parts }, () => false);
  const ended = conditionsEndedBySave(target, edition, save.ability);
  const against = `${total} on the ${save.ability} save, DC ${save.dc}`;
  if (total >= save.dc) {
    trace.add("changes", "nothing", { rule, why: `${target.name} saves: ${against}` });
    return { notes: [`${label}: ${target.name} saves, ${against}`], changes: ended };
  }
  act(against);
  return { notes: [`${label}: ${effect}, ${against}`], changes: [...ended, ...changes] };
};
