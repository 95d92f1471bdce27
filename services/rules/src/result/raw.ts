/**
 * The seven-line text of a result, "LABEL: value" each, which a narrator reads. A line never contains a line break, whatever names
 * and reasons the caller sent.
 */
import type { RollResult } from "@fairlead/contracts/rules";
import { signed } from "./trace.ts";

type ParsedRaw = Omit<RollResult, "raw" | "rules" | "claims" | "changes" | "dice" | "edition">;

/** One line of text: white space, line breaks of every kind and control characters become single spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

const line = (label: string, value: string): string => `${label}: ${oneLine(value)}`;

export const buildRawSummary = (parsed: ParsedRaw): string => {
  if (parsed.impossible === true) return `${line("CHECK", "IMPOSSIBLE")}\n${line("NOTES", parsed.notes)}`;
  if (parsed.noCheck === true) return `${line("CHECK", "NONE")}\n${line("NOTES", parsed.notes)}`;
  const modifier = Number(parsed.totalModifier);
  return [
    line("CHECK", parsed.checkType),
    line("COMPONENTS", parsed.components),
    line("ROLL", `${parsed.dieResult} ${modifier < 0 ? "-" : "+"} ${Math.abs(modifier)} = ${parsed.total}`),
    line("DC/AC", parsed.dcOrAc),
    line("RESULT", parsed.success ? "SUCCESS" : "FAILURE"),
    line("DAMAGE", damageText(parsed.damage)),
    line("NOTES", parsed.notes),
  ].join("\n");
};

const damageText = (damage: ParsedRaw["damage"]): string => {
  if (damage === undefined) return "N/A";
  const sources = damage.breakdown.map(({ label, dice, flatBonus, damageType }) => {
    const flat = dice === "" ? String(flatBonus) : flatBonus === 0 ? "" : signed(flatBonus);
    return `${label}: ${dice}${flat}${damageType === undefined ? "" : ` ${damageType}`}`;
  });
  if (sources.length === 0) return `${damage.totalDamage} total`;
  return `${sources.join("; ")} = ${damage.totalDamage} total${damage.isCrit ? " (CRITICAL)" : ""}`;
};
