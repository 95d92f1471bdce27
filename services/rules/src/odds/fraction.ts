/** Exact numbers as text: a fraction in lowest terms, and a decimal that is the same everywhere. */
import type { Fraction } from "@fairlead/contracts/rules";
import type { Ratio } from "./distribution.ts";

const places = 6;
const scale = 10n ** BigInt(places);

/** Rounded half up (away from 0) to six places, without floating point. */
const decimalText = ({ over, under }: Ratio): string => {
  const size = over < 0n ? -over : over;
  const scaled = (2n * size * scale + under) / (2n * under);
  const digits = scaled.toString().padStart(places + 1, "0");
  const sign = over < 0n && scaled > 0n ? "-" : "";
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

export const toFraction = (exact: Ratio): Fraction => ({
  fraction: exact.under === 1n ? String(exact.over) : `${exact.over}/${exact.under}`,
  decimal: decimalText(exact),
});
