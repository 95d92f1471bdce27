/**
 * The attack of a foe that is sent by its numbers. Clients write them in many forms, as in "1d6 + 2" with a bonus beside it; a sheet takes one form.
 * What no sheet can say is refused by the name of its field, never left out.
 *
 * Not here: the attacks of SRD monsters (`monster.ts`).
 */
import type { Npc } from "@fairlead/contracts/rules";
import { type Expression, listAddends } from "../dice/expression.ts";
import { parseDice } from "../dice/notation.ts";
import { Refusal } from "../result/refusal.ts";

interface FoeAttack {
  readonly dice: string;
  readonly stat: "none";
  readonly toHit: number;
  readonly extra?: readonly { readonly dice: string }[];
}

/** What a sheet takes at most. */
const limits = { toHit: [-10, 30], flat: 99, dice: 99, sides: 999, kinds: 5 } as const;

/** Refuses with `bad_foe`; `path` is the foe's place in the input, like "foes[0]". */
export const foeAttack = (npc: Npc, path: string): FoeAttack => {
  const refuse = (field: string, expected: string): Refusal<"bad_foe"> =>
    new Refusal("bad_foe", `${path}.${field} cannot be read: ${expected} was expected`, {
      field: `${path}.${field}`,
      expected,
    });
  const toHit = wholeNumber(npc.attackBonus);
  const [least, most] = limits.toHit;
  if (toHit < least || toHit > most) throw refuse("attackBonus", `a number from ${least} to ${most}`);
  const parsed = parseDice(damageText(npc.damageDice));
  if (!parsed.ok) throw refuse("damageDice", parsed.expected);
  const counts = countBySides(parsed.expression);
  if (counts === undefined) throw refuse("damageDice", "dice that are all added and all kept");
  const dice = [...counts].map(([sides, count]) => ({ sides, count }));
  if (dice.length > limits.kinds || dice.some(({ sides, count }) => sides > limits.sides || count > limits.dice))
    throw refuse("damageDice", `at most ${limits.dice} dice of ${limits.sides} sides, of ${limits.kinds} kinds`);
  const added = listAddends(parsed.expression).reduce(
    (sum, { sign, of }) => sum + (of.kind === "flat" ? sign * of.amount : 0),
    0,
  );
  const flat = added + wholeNumber(npc.damageBonus);
  if (Math.abs(flat) > limits.flat)
    throw refuse(
      Math.abs(added) > limits.flat ? "damageDice" : "damageBonus",
      `at most ${limits.flat} beside the dice`,
    );
  const [own, ...extra] = dice.map(({ sides, count }) => `${count}d${sides}`);
  return {
    dice: own === undefined ? String(Math.max(0, flat)) : `${own}${flat > 0 ? "+" : ""}${flat === 0 ? "" : flat}`,
    stat: "none",
    toHit,
    ...(extra.length > 0 && { extra: extra.map((each) => ({ dice: each })) }),
  };
};

const wholeNumber = (value: Npc["attackBonus"]): number => {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
};

/** Without dice the base is 1, as of an unarmed strike. */
const damageText = (sent: Npc["damageDice"]): string => {
  const text = String(sent ?? "").trim();
  return text === "" ? "1" : text;
};

/** How many dice of each size; `undefined` where some are subtracted, not kept, or computed with. */
const countBySides = (expression: Expression): ReadonlyMap<number, number> | undefined => {
  const counts = new Map<number, number>();
  for (const { sign, of } of listAddends(expression)) {
    if (of.kind === "flat") continue;
    if (of.kind !== "dice" || sign < 0 || of.operations.length > 0) return undefined;
    counts.set(of.sides, (counts.get(of.sides) ?? 0) + of.count);
  }
  return counts;
};
