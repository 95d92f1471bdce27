/** What a session may still use, and how that went down. Pure. */
import type { SessionLine } from "./api.ts";

export interface Budget {
  readonly title: string;
  /** What is left, in words. */
  readonly left: string;
  readonly detail: string;
  /** 0 to 1 of it used; null without a limit. */
  readonly used: number | null;
}

type State = Readonly<Record<string, unknown>>;

const number = (state: State, name: string): number | null => {
  const value = state[name];
  return typeof value === "number" ? value : null;
};

const time = (state: State, name: string): number | null => {
  const value = state[name];
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
};

const part = (used: number, of: number): number => (of <= 0 ? 1 : Math.min(1, Math.max(0, used / of)));

interface BudgetTime {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds in words. */
  readonly duration: (ms: number) => string;
}

/** The budgets of a session as `state.json` has them. */
export const listBudgets = (state: State, clock: BudgetTime): readonly Budget[] => [
  ...counted(state, { title: "Prompts", used: "step_count", of: "step_budget" }),
  ...(typeof state.current_ticket_id === "string"
    ? counted(state, { title: "Prompts of this ticket", used: "ticket_step_count", of: "ticket_step_budget" })
    : []),
  ...timeBudget(state, clock),
  ...limited({
    title: "Cost",
    used: number(state, "total_cost_usd"),
    of: number(state, "max_cost_usd"),
    format: (usd) => `$${usd.toFixed(2)}`,
  }),
  ...limited({
    title: "Tokens",
    used: tokens(state),
    of: number(state, "max_tokens"),
    format: (count) => count.toLocaleString("en"),
  }),
  ...(state.create_prs === true ? counted(state, { title: "Pull requests", used: "prs_created", of: "max_prs" }) : []),
  ...counted(state, { title: "Scout cycles", used: "scout_cycles", of: "max_cycles" }),
];

const tokens = (state: State): number | null => {
  const [read, written] = [number(state, "total_input_tokens"), number(state, "total_output_tokens")];
  return read === null && written === null ? null : (read ?? 0) + (written ?? 0);
};

const counted = (state: State, names: { title: string; used: string; of: string }): readonly Budget[] => {
  const [used, of] = [number(state, names.used), number(state, names.of)];
  if (used === null || of === null || of < 0) return [];
  const left = `${Math.max(0, of - used)} left`;
  return [{ title: names.title, left, detail: `${used} of ${of} used`, used: part(used, of) }];
};

interface LimitedAmount {
  readonly title: string;
  readonly used: number | null;
  readonly of: number | null;
  readonly format: (value: number) => string;
}

const limited = ({ title, used, of, format }: LimitedAmount): readonly Budget[] => {
  if (used === null || (of === null && used === 0)) return [];
  if (of === null) return [{ title, left: format(used), detail: "no limit", used: null }];
  const left = `${format(Math.max(0, of - used))} left`;
  return [{ title, left, detail: `${format(used)} of ${format(of)} used`, used: part(used, of) }];
};

const timeBudget = (state: State, { now, duration }: BudgetTime): readonly Budget[] => {
  const [from, to] = [time(state, "started_at"), time(state, "expires_at")];
  if (from === null) return [];
  const gone = Math.max(0, now - from);
  if (to === null) return [{ title: "Time", left: duration(gone), detail: "no limit", used: null }];
  const left = `${duration(Math.max(0, to - now))} left`;
  return [{ title: "Time", left, detail: `of ${duration(to - from)}`, used: part(gone, to - from) }];
};

interface BurnPoint {
  /** 0 to 1 of the time. */
  readonly x: number;
  /** 0 to 1 of the prompts that are left. */
  readonly y: number;
}

/** Prompts that were left over time, as corners of a line. */
export const burnDown = (lines: readonly SessionLine[], budget: number, at: number): readonly BurnPoint[] => {
  const shown = lines.filter(({ seq }) => seq <= at);
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined || budget <= 0) return [];
  const begin = Date.parse(first.ts);
  const span = Math.max(1, Date.parse(last.ts) - begin);
  const points: BurnPoint[] = [];
  for (const { ts, step } of shown) {
    const y = Math.max(0, budget - step) / budget;
    if (points.at(-1)?.y !== y) points.push({ x: (Date.parse(ts) - begin) / span, y });
  }
  return [...points, { x: 1, y: points.at(-1)?.y ?? 1 }];
};
