/**
 * The d20 test, which attacks, checks and saves share: a plan of what will be rolled, and the rolling of it.
 *
 * The plan is data, so that the same plan can be rolled with dice or solved exactly (`odds/`).
 * Order of dice: the d20s, a reroll, then bonus dice in the plan's order.
 */
import type { Dice } from "../dice/source.ts";
import { type Cause, signed, type Trace } from "../result/trace.ts";

export interface Modifier extends Cause {
  readonly label: string;
  readonly amount: number;
}

export interface BonusDie extends Cause {
  readonly label: string;
  readonly sides: number;
  readonly sign: 1 | -1;
  /** `on-failure`: rolled only when the test would fail without it. */
  readonly when: "always" | "on-failure";
}

export interface D20Test {
  /** "attack roll", "ability check", "saving throw": what the d20s are for. */
  readonly purpose: string;
  /** Name of their stream; the purpose when left out. */
  readonly stream?: string;
  readonly advantages: readonly Cause[];
  readonly disadvantages: readonly Cause[];
  readonly modifiers: readonly Modifier[];
  readonly bonusDice: readonly BonusDie[];
  /** A natural 1 is rolled again, once. */
  readonly luck?: Cause;
  /** Advantage rolls three dice. */
  readonly thirdDie?: Cause;
  /** A die of 9 or lower counts as 10. */
  readonly floor?: Cause;
}

export type Stance = "advantage" | "disadvantage" | "neither";

/** Any number of sources on each side counts once; both sides cancel. */
export const stance = ({ advantages, disadvantages }: Pick<D20Test, "advantages" | "disadvantages">): Stance => {
  if (advantages.length > 0 === disadvantages.length > 0) return "neither";
  return advantages.length > 0 ? "advantage" : "disadvantage";
};

/** How many d20s are rolled, before a reroll. */
export const dieCount = (test: D20Test): number => {
  const side = stance(test);
  if (side === "neither") return 1;
  return side === "advantage" && test.thirdDie !== undefined ? 3 : 2;
};

/** What a kept face counts for. */
export const countedFace = (face: number, test: D20Test): number => (test.floor !== undefined && face < 10 ? 10 : face);

export const flatModifier = (test: D20Test): number => test.modifiers.reduce((sum, { amount }) => sum + amount, 0);

export interface D20Roll {
  /** The face that was kept. */
  readonly natural: number;
  /** What it counts for; differs from `natural` only under a floor. */
  readonly die: number;
  /** Everything added to it, bonus dice included. */
  readonly modifier: number;
  readonly total: number;
  /** "DEX +4, Prof +3 = +7". */
  readonly components: string;
}

/** Rolls the test. `fails` says whether a total is a failure, for dice that are only spent then. */
export const rollD20 = (
  test: D20Test,
  { dice, trace }: { readonly dice: Dice; readonly trace: Trace },
  fails: (die: number, total: number) => boolean,
): D20Roll => {
  const { purpose, stream = purpose } = test;
  const faces = Array.from({ length: dieCount(test) }, () => dice.roll(20, purpose, stream));
  traceStance(test, trace, faces);
  const unlucky = test.luck === undefined ? -1 : faces.indexOf(1);
  if (test.luck !== undefined && unlucky >= 0) {
    faces[unlucky] = dice.roll(20, `${purpose}, rerolled`, `${stream} reroll`);
    trace.add("dieResult", `natural 1 rolled again: ${faces[unlucky]}`, test.luck);
  }
  const natural = stance(test) === "disadvantage" ? Math.min(...faces) : Math.max(...faces);
  const die = countedFace(natural, test);
  if (test.floor !== undefined && die !== natural) trace.add("dieResult", `${natural} counts as 10`, test.floor);

  const parts: string[] = [];
  let modifier = 0;
  for (const { label, amount, ...cause } of test.modifiers) {
    modifier += amount;
    parts.push(`${label} ${signed(amount)}`);
    trace.add("totalModifier", signed(amount), cause);
  }
  for (const { label, sides, sign, when, ...cause } of test.bonusDice) {
    if (when === "on-failure" && !fails(die, die + modifier)) continue;
    const amount = sign * dice.roll(sides, label, label.toLowerCase());
    modifier += amount;
    parts.push(`${label} ${signed(amount)}`);
    trace.add("totalModifier", `${signed(amount)} (${sign < 0 ? "-" : ""}1d${sides})`, cause);
  }
  const components = `${parts.join(", ") || "no modifier"} = ${signed(modifier)}`;
  return { natural, die, modifier, total: die + modifier, components };
};

const traceStance = (test: D20Test, trace: Trace, faces: readonly number[]): void => {
  for (const cause of test.advantages) trace.add("dieResult", "advantage", cause);
  for (const cause of test.disadvantages) trace.add("dieResult", "disadvantage", cause);
  const side = stance(test);
  const rule = "advantage-and-disadvantage" as const;
  if (side !== "neither") {
    const kept = side === "advantage" ? "highest" : "lowest";
    trace.add("dieResult", `${kept} of ${faces.join(" and ")}`, { rule, why: `the roll has ${side}` });
    if (side === "advantage" && test.thirdDie !== undefined) trace.add("dieResult", "third die", test.thirdDie);
  } else if (test.advantages.length > 0) {
    trace.add("dieResult", "one die", {
      rule,
      why: "advantage and disadvantage cancel, however many there are of each",
    });
  }
};
