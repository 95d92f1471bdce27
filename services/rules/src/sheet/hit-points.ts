/**
 * Damage taken off a creature: temporary hit points first, then hit points, down to 0; what that means for a creature and for a
 * character. Answers with the changes to make, and changes nothing.
 */
import type { Change, Npc } from "@fairlead/contracts/rules";
import type { Trace } from "../result/trace.ts";
import { identify } from "./character.ts";

/** Changes for a creature that takes damage, down to `least`. A creature at 0 is for the table to declare dead or dying. */
export const damageCreature = (
  npc: Npc,
  amount: number,
  { trace, least = 0 }: { readonly trace: Trace; readonly least?: number },
): Change[] => {
  if (amount === 0) return [];
  const absorbed = Math.min(npc.temporaryHp, amount);
  traceAbsorbed(npc.name, absorbed, trace);
  const left = Math.max(Math.min(least, npc.currentHp), npc.currentHp - (amount - absorbed));
  const set = (field: string, value: number, why: string): Change => ({
    ...identify(npc),
    field,
    op: "set",
    value,
    why,
  });
  return [
    ...(absorbed > 0 ? [set("temporaryHp", npc.temporaryHp - absorbed, `${absorbed} damage absorbed first`)] : []),
    ...(left !== npc.currentHp ? [set("currentHp", left, `${amount - absorbed} damage`)] : []),
  ];
};

/** Notes what temporary hit points took. */
export const traceAbsorbed = (who: string, absorbed: number, trace: Trace): void => {
  if (absorbed === 0) return;
  trace.add("changes", `${absorbed} absorbed`, { rule: "temporary-hit-points", why: `${who} loses those first` });
};

type DamageEffect =
  | { readonly kind: "standing"; readonly temporary: number; readonly current: number }
  | { readonly kind: "unconscious"; readonly temporary: 0; readonly current: 0 }
  | { readonly kind: "dead"; readonly temporary: 0; readonly current: 0 }
  /** At 0 before the damage: failed death saves are added. */
  | { readonly kind: "dying"; readonly temporary: number; readonly current: 0; readonly failures: 1 | 2 };

interface HitPoints {
  readonly current: number;
  readonly maximum: number;
  readonly temporary: number;
}

/** What damage does to a character. The remainder after 0 kills when it reaches the maximum. */
export const damageCharacter = (
  { current, maximum, temporary }: HitPoints,
  amount: number,
  crit: boolean,
): DamageEffect => {
  const through = Math.max(0, amount - temporary);
  const cushion = Math.max(0, temporary - amount);
  if (current === 0 && through > 0) {
    if (through >= maximum) return { kind: "dead", temporary: 0, current: 0 };
    return { kind: "dying", temporary: cushion, current: 0, failures: crit ? 2 : 1 };
  }
  if (through < current || through === 0) return { kind: "standing", temporary: cushion, current: current - through };
  const remainder = through - current;
  return { kind: remainder >= maximum ? "dead" : "unconscious", temporary: 0, current: 0 };
};
