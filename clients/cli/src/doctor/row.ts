/** A row of what `fairlead doctor` finds. */
import type { Context } from "../command/context.ts";

export interface CheckRow {
  readonly check: string;
  readonly result: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do; empty when nothing. */
  readonly fix: string;
}

export type Check = (context: Context) => Promise<readonly CheckRow[]>;

export const ok = (check: string, detail: string): CheckRow => ({ check, result: "ok", detail, fix: "" });
