/** A day without a time, and a time without a day. */
import { fault } from "../core/error.ts";
import { SimpleValue } from "./simple.ts";
import { DateTime, TimeSpan } from "./time.ts";

const day = 86_400_000;

export class DateOnly extends SimpleValue {
  readonly #dateOnly = true;
  readonly type = "DateOnly";
  /** Its midnight. */
  readonly midnight: DateTime;

  private constructor(midnight: DateTime) {
    super();
    this.midnight = midnight;
  }

  static is(value: unknown): value is DateOnly {
    return typeof value === "object" && value !== null && #dateOnly in value;
  }

  static of(date: DateTime): DateOnly {
    return new DateOnly(date.date());
  }

  static parse(text: string): DateOnly | undefined {
    const found = /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text) ? DateTime.parse(text) : undefined;
    return found === undefined ? undefined : DateOnly.of(found);
  }

  get order(): number {
    return this.midnight.ms;
  }

  text(): string {
    return this.midnight.text().slice(0, 10);
  }
}

export class TimeOnly extends SimpleValue {
  readonly #timeOnly = true;
  readonly type = "TimeOnly";
  /** Milliseconds since midnight. */
  readonly ms: number;

  private constructor(ms: number) {
    super();
    this.ms = ms;
  }

  static is(value: unknown): value is TimeOnly {
    return typeof value === "object" && value !== null && #timeOnly in value;
  }

  /** Goes round at midnight. */
  static of(ms: number): TimeOnly {
    if (!Number.isFinite(ms)) throw fault("overflow", "The time is outside the day");
    return new TimeOnly(((ms % day) + day) % day);
  }

  static parse(text: string): TimeOnly | undefined {
    const found = /^\s*\d{1,2}:\d{2}/.test(text) ? TimeSpan.parse(text) : undefined;
    return found === undefined || found.ms >= day ? undefined : TimeOnly.of(found.ms);
  }

  get order(): number {
    return this.ms;
  }

  /** `hh:mm:ss[.fffffff]`. */
  text(): string {
    return TimeSpan.of(this.ms).text();
  }
}
