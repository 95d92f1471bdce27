/** A GUID: 32 hexadecimal digits, compared and shown in lower case. */
import { SimpleValue } from "./simple.ts";

export class Guid extends SimpleValue {
  readonly #guid = true;
  readonly type = "Guid";
  readonly value: string;

  private constructor(value: string) {
    super();
    this.value = value;
  }

  get order(): string {
    return this.value;
  }

  static is(value: unknown): value is Guid {
    return typeof value === "object" && value !== null && #guid in value;
  }

  static readonly empty = new Guid("00000000-0000-0000-0000-000000000000");

  /** With or without hyphens and braces; `undefined` for anything else. */
  static parse(text: string): Guid | undefined {
    const digits = text
      .trim()
      .replace(/^\{(.*)\}$/, "$1")
      .replaceAll("-", "")
      .toLowerCase();
    if (!/^[0-9a-f]{32}$/.test(digits)) return undefined;
    const cuts = [0, 8, 12, 16, 20, 32];
    return new Guid(
      cuts
        .slice(1)
        .map((end, index) => digits.slice(cuts[index], end))
        .join("-"),
    );
  }

  text(): string {
    return this.value;
  }
}
