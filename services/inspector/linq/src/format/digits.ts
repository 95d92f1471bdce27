/** Digits of numbers of every type, exactly: rounding, thousands, powers of ten. */
import { fault } from "../core/error.ts";
import { Decimal } from "../value/decimal.ts";

export type FormattableNumber = number | bigint | Decimal;

export const isNegative = (value: FormattableNumber): boolean =>
  Decimal.is(value) ? value.units < 0n : value < 0 || Object.is(value, -0);

/** Digits without sign, rounded half away from zero. */
export const toFixedText = (value: FormattableNumber, digits: number): string => {
  if (typeof value === "bigint") return withPoint((value < 0n ? -value : value) * 10n ** BigInt(digits), digits);
  if (Decimal.is(value)) return fixedDecimal(value, digits);
  const size = Math.abs(value);
  if (!Number.isFinite(size)) throw fault("overflow", "The number is too large for this format");
  return size < 1e21 ? size.toFixed(digits) : withPoint(BigInt(size) * 10n ** BigInt(digits), digits);
};

const fixedDecimal = ({ units, scale }: Decimal, digits: number): string => {
  const size = units < 0n ? -units : units;
  if (digits >= scale) return withPoint(size * 10n ** BigInt(digits - scale), digits);
  const step = 10n ** BigInt(scale - digits);
  return withPoint((size + step / 2n) / step, digits);
};

const withPoint = (units: bigint, digits: number): string => {
  const text = units.toString().padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** Commas between thousands. */
export const groupDigits = (text: string): string => {
  const [before = "", after] = text.split(".");
  const parts = inThousands(before);
  return after === undefined ? parts : `${parts}.${after}`;
};

/** Times ten to a power, exactly where the type can. */
export const scaleNumber = (value: FormattableNumber, power: number): FormattableNumber => {
  if (typeof value === "number") return power < 0 ? value / 10 ** -power : value * 10 ** power;
  const { units, scale } = Decimal.is(value) ? value : { units: value, scale: 0 };
  return power > scale ? Decimal.of(units * 10n ** BigInt(power - scale), 0) : Decimal.of(units, scale - power);
};

/** With a comma before every third digit from the end. */
const inThousands = (digits: string): string => {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return [...(first > 0 ? [digits.slice(0, first)] : []), ...groups].join(",");
};
