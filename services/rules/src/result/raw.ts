/**
 * The seven-line text of a result, "LABEL: value" each, which a narrator reads, and the parser of the specification's first client: a roll
 * is "die + modifier = total" with a signed modifier, and each source of damage is dice, a flat number and a type, and ends there. A line
 * never contains a line break, whatever names and reasons the caller sent.
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
    line("COMPONENTS", parsed.components === "" ? "no roll = +0" : parsed.components),
    line("ROLL", `${parsed.dieResult} + ${modifier} = ${parsed.total}`),
    line("DC/AC", parsed.dcOrAc),
    line("RESULT", parsed.success ? "SUCCESS" : "FAILURE"),
    line("DAMAGE", damageText(parsed.damage)),
    line("NOTES", parsed.notes),
  ].join("\n");
};

/** A flat number alone has dice, too, that come to nothing: the parser skips what has none. */
const noDice = "0d1";

const damageText = (damage: ParsedRaw["damage"]): string => {
  if (damage === undefined || damage.breakdown.length === 0) return "N/A";
  return damage.breakdown
    .map(({ label, dice, flatBonus, damageType }) => {
      const flat = flatBonus === 0 ? "" : signed(flatBonus);
      const type = damageType === undefined ? "" : ` ${damageType}`;
      return `${label.replaceAll(/[:;]/g, " ")}: ${dice === "" ? noDice : dice}${flat}${type}`;
    })
    .join("; ");
};
