/** A test against a fixed number, which checks and saves share: the plan as data, and the rolling of it. */
import type { Change, Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "./dice/source.ts";
import { buildRawSummary } from "./raw.ts";
import { type D20Test, rollD20 } from "./rules/d20.ts";
import { type Cause, signed, traceOf } from "./trace.ts";

export interface Flat {
  /** "Stealth Check". */
  readonly checkType: string;
  readonly subject: "check" | "save";
  readonly dc: number;
  readonly test: D20Test;
  /** Why it fails without a roll. */
  readonly fails: Cause | undefined;
  readonly ends: readonly { readonly label: string; readonly change: Change }[];
  /** What it is against. */
  readonly because: string | undefined;
}

export const rollFlat = (game: Game, plan: Flat, dice: Dice): RollResult => {
  const trace = traceOf(game.edition);
  const against = plan.because === undefined ? "" : ` against ${plan.because}`;
  const dcOrAc = String(plan.dc);
  if (plan.fails !== undefined) {
    trace.add("success", "failure without a roll", plan.fails);
    const parsed = {
      checkType: plan.checkType,
      components: "",
      dieResult: 0,
      totalModifier: "+0",
      total: 0,
      dcOrAc,
      success: false,
      notes: `The ${plan.subject}${against} fails without a roll: ${plan.fails.why}`,
    };
    return finish(game, parsed, { dice, rules: trace.list(), changes: [] });
  }
  const roll = rollD20(plan.test, { dice, trace }, (_, total) => total < plan.dc);
  const success = roll.total >= plan.dc;
  trace.add("dcOrAc", dcOrAc, { rule: "difficulty-class", why: "set by the caller" });
  trace.add("success", success ? "success" : "failure", {
    rule: "d20-test",
    why: `${roll.total} ${success ? "reaches" : "does not reach"} ${plan.dc}`,
  });
  const parsed = {
    checkType: plan.checkType,
    components: roll.components,
    dieResult: roll.die,
    totalModifier: signed(roll.modifier),
    total: roll.total,
    dcOrAc,
    success,
    notes: `${roll.total} against DC ${plan.dc}: the ${plan.subject}${against} ${success ? "succeeds" : "fails"}`,
  };
  const rolled = new Set(dice.record().draws.map(({ purpose }) => purpose));
  const changes = plan.ends.filter(({ label }) => rolled.has(label)).map(({ change }) => change);
  return finish(game, parsed, { dice, rules: trace.list(), changes });
};

type Parsed = Parameters<typeof buildRawSummary>[0];

const finish = (
  game: Game,
  parsed: Parsed,
  { dice, rules, changes }: { dice: Dice } & Pick<RollResult, "rules" | "changes">,
): RollResult => ({
  ...parsed,
  edition: game.edition,
  raw: buildRawSummary(parsed),
  dice: dice.record(),
  rules,
  claims: [],
  changes,
});
