/**
 * Values of predefined types that JavaScript has no primitive for: dates, times, spans, GUIDs, addresses. Two of one type are equal
 * when their `order` is, and come in its order; two of different types never are.
 */
export type SimpleName = "DateTime" | "DateOnly" | "TimeOnly" | "TimeSpan" | "Guid" | "Uri";

export abstract class SimpleValue {
  readonly #simple = true;
  abstract readonly type: SimpleName;
  abstract readonly order: number | string;
  abstract text(): string;

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static isSimple(value: unknown): value is SimpleValue {
    return typeof value === "object" && value !== null && #simple in value;
  }
}
