/** The two answers that roll nothing: the action cannot be done, and the action needs no roll. */
import type { RollResult } from "@fairlead/contracts/rules";
import { buildRawSummary } from "./raw.ts";

const unrolled = (checkType: "IMPOSSIBLE" | "NONE", notes: string) => ({
  checkType,
  components: "",
  dieResult: 0,
  totalModifier: "+0",
  total: 0,
  dcOrAc: "N/A",
  success: false,
  notes,
});

const nothing = { rules: [], claims: [], changes: [] };

export const impossible = (reason: string, edition?: RollResult["edition"]): RollResult => {
  const parsed = { ...unrolled("IMPOSSIBLE", reason), impossible: true } as const;
  return { ...parsed, ...(edition !== undefined && { edition }), raw: buildRawSummary(parsed), ...nothing };
};

export const noCheck = (reason: string): RollResult => {
  const parsed = { ...unrolled("NONE", reason), noCheck: true } as const;
  return { ...parsed, raw: buildRawSummary(parsed), ...nothing };
};
