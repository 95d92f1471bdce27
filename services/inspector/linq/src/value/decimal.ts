/**
 * Decimal numbers: exact digits, as C#'s `decimal` shows them (scale is kept: `1.10m` prints `1.10`). At most 28 digits behind
 * the point and 29 in all, rounded half to even beyond.
 */
import { fault } from "../core/error.ts";

const maxScale = 28;
const maxUnits = 2n ** 96n - 1n;

/** An exact decimal number, like `decimal` of C#. */
export class Decimal {
  readonly #decimal = true;
  /** The value is `units / 10^scale`. */
  readonly units: bigint;
  readonly scale: number;

  private constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static is(value: unknown): value is Decimal {
    return typeof value === "object" && value !== null && #decimal in value;
  }

  /** Rounds what does not fit; throws `overflow` when the whole part does not. */
  static of(units: bigint, scale: number): Decimal {
    let kept = units;
    let left = scale;
    if (left > maxScale) {
      kept = divided(kept, 10n ** BigInt(left - maxScale));
      left = maxScale;
    }
    while (left > 0 && absolute(kept) > maxUnits) {
      kept = divided(kept, 10n);
      left--;
    }
    if (absolute(kept) > maxUnits) throw fault("overflow", "The value is too large for a decimal");
    return new Decimal(kept, left);
  }

  /** `undefined` when the text is not a number. */
  static parse(text: string): Decimal | undefined {
    const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim());
    if (parts === null) return undefined;
    const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
    const units = BigInt(`${sign === "-" ? "-" : ""}${whole}${fraction}`);
    const scale = fraction.length - Number(exponent);
    return scale >= 0 ? Decimal.of(units, scale) : Decimal.of(units * 10n ** BigInt(-scale), 0);
  }

  static fromNumber(value: number): Decimal {
    if (!Number.isFinite(value)) throw fault("overflow", "NaN and Infinity are no decimals");
    const made = Decimal.parse(String(Number(value.toPrecision(15))));
    if (made === undefined) throw fault("overflow", "The value is too large for a decimal");
    return made;
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return Decimal.of(scaled(this, scale) + scaled(other, scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  times(other: Decimal): Decimal {
    return Decimal.of(this.units * other.units, this.scale + other.scale);
  }

  over(other: Decimal): Decimal {
    if (other.units === 0n) throw fault("divide_by_zero", "Attempted to divide by zero");
    const units = divided(this.units * 10n ** BigInt(maxScale + other.scale), other.units);
    return trimmed(Decimal.of(units, maxScale + this.scale), Math.max(0, this.scale - other.scale));
  }

  modulo(other: Decimal): Decimal {
    if (other.units === 0n) throw fault("divide_by_zero", "Attempted to divide by zero");
    const scale = Math.max(this.scale, other.scale);
    return Decimal.of(scaled(this, scale) % scaled(other, scale), scale);
  }

  negated(): Decimal {
    return new Decimal(-this.units, this.scale);
  }

  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const difference = scaled(this, scale) - scaled(other, scale);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** Half to even. */
  rounded(digits: number): Decimal {
    if (digits >= this.scale) return this;
    return new Decimal(divided(this.units, 10n ** BigInt(this.scale - digits)), digits);
  }

  /** Towards zero. */
  truncated(): bigint {
    return this.units / 10n ** BigInt(this.scale);
  }

  toNumber(): number {
    return Number(this.text());
  }

  /** Without zeros at the end of the fraction: equal decimals have one. */
  shortest(): string {
    return trimmed(this, 0).text();
  }

  text(): string {
    const digits = String(absolute(this.units)).padStart(this.scale + 1, "0");
    const sign = this.units < 0n ? "-" : "";
    if (this.scale === 0) return sign + digits;
    return `${sign}${digits.slice(0, -this.scale)}.${digits.slice(-this.scale)}`;
  }
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const scaled = ({ units, scale }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

/** Half to even. */
const divided = (value: bigint, by: bigint): bigint => {
  const quotient = value / by;
  const doubled = absolute(value % by) * 2n;
  const size = absolute(by);
  if (doubled < size || (doubled === size && quotient % 2n === 0n)) return quotient;
  return quotient + (value < 0n === by < 0n ? 1n : -1n);
};

const trimmed = (value: Decimal, least: number): Decimal => {
  let { units, scale } = value;
  while (scale > least && units % 10n === 0n) {
    units /= 10n;
    scale--;
  }
  return Decimal.of(units, scale);
};
