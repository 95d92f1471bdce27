/** An absolute address, as the WHATWG reads it; compared and shown in its normal form. */
import { SimpleValue } from "./simple.ts";

const Address = URL;

export class Uri extends SimpleValue {
  readonly #uri = true;
  readonly type = "Uri";
  readonly url: URL;

  private constructor(url: URL) {
    super();
    this.url = url;
  }

  static is(value: unknown): value is Uri {
    return typeof value === "object" && value !== null && #uri in value;
  }

  /** `undefined` for anything but an absolute address. */
  static parse(text: string): Uri | undefined {
    if (text.length > 8_192) return undefined;
    try {
      return new Uri(new Address(text));
    } catch {
      return undefined;
    }
  }

  get order(): string {
    return this.url.href;
  }

  text(): string {
    return this.url.href;
  }
}
