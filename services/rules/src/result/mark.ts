/** The two answers that roll nothing: the action cannot be done, and the action needs no roll. */
import type { Game, MarkResult, RollResult } from "@fairlead/contracts/rules";
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

const finish = <P extends Parameters<typeof buildRawSummary>[0]>(parsed: P) => ({
  ...parsed,
  raw: buildRawSummary(parsed),
  rules: [],
  claims: [],
  changes: [],
});

export const markImpossible = (reason: string): MarkResult & RollResult =>
  finish({ ...unrolled("IMPOSSIBLE", reason), impossible: true });

export const markNoCheck = (reason: string): MarkResult & RollResult =>
  finish({ ...unrolled("NONE", reason), noCheck: true });

/** A resolver's answer to what the rules forbid. */
export const impossible = (reason: string, edition: Game["edition"]): RollResult => ({
  ...finish({ ...unrolled("IMPOSSIBLE", reason), impossible: true }),
  edition,
});
