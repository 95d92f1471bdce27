/** A test against a fixed number, which checks and saves share: the plan as data, and the rolling of it. */
import type { Change, DiceRecord, Game, RollResult, UnclaimedResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { buildRawSummary } from "../result/raw.ts";
import { type Cause, createTrace, signed, type Trace } from "../result/trace.ts";
import { type D20Test, rollD20 } from "../rules/d20.ts";
import { type IncomingDamage, takeIncomingDamage } from "../rules/incoming-damage.ts";

export interface TestPlan {
  /** "Stealth Check". */
  readonly checkType: string;
  readonly subject: "check" | "save";
  readonly dc: number;
  readonly test: D20Test;
  /** Where the number comes from, when the rules give it. */
  readonly dcCause?: Cause;
  /** Why it fails without a roll. */
  readonly fails: Cause | undefined;
  readonly ends: readonly { readonly label: string; readonly change: Change }[];
  /** Damage that depends on it. */
  readonly incoming: IncomingDamage | undefined;
  /** What it is against. */
  readonly because: string | undefined;
}

/** A result that claims nothing, in the types of both schemas. */
export type ResultWithoutClaims = RollResult & UnclaimedResult;

export const rollTestPlan = (game: Game, plan: TestPlan, dice: Dice): ResultWithoutClaims => {
  const trace = createTrace(game.edition);
  const rolled = plan.fails === undefined ? rollTest(plan, { dice, trace }) : failOutright(plan, plan.fails, trace);
  const taken =
    plan.incoming === undefined
      ? undefined
      : takeIncomingDamage(game, plan.incoming, { dice, trace, success: rolled.success });
  const parsed = {
    checkType: plan.checkType,
    ...rolled,
    dcOrAc: String(plan.dc),
    notes: [rolled.notes, ...(taken?.notes ?? [])].join(". "),
    ...(taken !== undefined && { damage: taken.damage }),
  };
  return buildResult(game, parsed, { dice, trace, ends: plan.ends, changes: taken?.changes ?? [] });
};

/** A result of what was rolled: the record of the dice, the rules applied, and the effects that ended with a die. */
export const buildResult = (
  game: Game,
  parsed: Parameters<typeof buildRawSummary>[0],
  rolling: { readonly dice: Dice; readonly trace: Trace; readonly changes: readonly Change[] } & Pick<TestPlan, "ends">,
): ResultWithoutClaims => {
  const record = rolling.dice.record();
  return {
    ...parsed,
    edition: game.edition,
    raw: buildRawSummary(parsed),
    dice: record,
    rules: rolling.trace.list(),
    claims: [],
    changes: [...endedEffects(record, rolling.ends), ...rolling.changes],
  };
};

/** The ends of those effects whose die was rolled. */
export const endedEffects = ({ draws }: DiceRecord, ends: TestPlan["ends"]): readonly Change[] => {
  const purposes = new Set(draws.map(({ purpose }) => purpose));
  return ends.filter(({ label }) => purposes.has(label)).map(({ change }) => change);
};

type TestOutcome = Pick<RollResult, "components" | "dieResult" | "totalModifier" | "total" | "success" | "notes">;

const describeSubject = ({ subject, because }: TestPlan): string =>
  because === undefined ? `the ${subject}` : `the ${subject} against ${because}`;

const rollTest = (plan: TestPlan, tools: { readonly dice: Dice; readonly trace: Trace }): TestOutcome => {
  const roll = rollD20(plan.test, tools, (_, total) => total < plan.dc);
  const success = roll.total >= plan.dc;
  tools.trace.add("dcOrAc", String(plan.dc), plan.dcCause ?? { rule: "difficulty-class", why: "set by the caller" });
  tools.trace.add("success", success ? "success" : "failure", {
    rule: "d20-test",
    why: `${roll.total} ${success ? "reaches" : "does not reach"} ${plan.dc}`,
  });
  return {
    components: roll.components,
    dieResult: roll.die,
    totalModifier: signed(roll.modifier),
    total: roll.total,
    success,
    notes: `${roll.total} against DC ${plan.dc}: ${describeSubject(plan)} ${success ? "succeeds" : "fails"}`,
  };
};

const failOutright = (plan: TestPlan, cause: Cause, trace: Trace): TestOutcome => {
  trace.add("success", "failure without a roll", cause);
  return {
    components: "",
    dieResult: 0,
    totalModifier: "+0",
    total: 0,
    success: false,
    notes: `${describeSubject(plan)} fails without a roll: ${cause.why}`,
  };
};
