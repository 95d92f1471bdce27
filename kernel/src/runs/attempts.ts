/**
 * How often a run is tried, and what becomes of its attempts when its kernel ends: its contract's rules, but for what may not be repeated.
 *
 * Not here: when an attempt begins (`runner.ts`).
 */
import { type Procedure, type RunPolicy, runDefaults } from "@fairlead/contracts";

/** The rules for runs of a procedure; `undefined` for one that cannot be started. A contract in JavaScript may say more than its types allow. */
export const effectiveRunPolicy = ({ run, retry }: Procedure): Required<RunPolicy> | undefined => {
  if (run === undefined) return undefined;
  const isRepeatable = retry === "safe" || retry === "idempotent";
  return { ...runDefaults, ...run, ...(!isRepeatable && { attempts: 1, onRestart: "fail" }) };
};
