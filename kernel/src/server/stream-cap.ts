/**
 * How many streams a principal may hold open at once, over all transports. A stream is any response that stays open to send
 * events.
 */
import type { ServerResponse } from "node:http";
import type { WireError } from "@fairlead/contracts";
import type { Principal } from "../call.ts";

export class StreamCap {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most = 32) {
    this.#most = most;
  }

  /** Counts the response until it closes, or says why there may be no more. */
  claim(principal: Principal, response: ServerResponse): WireError | undefined {
    const open = this.#open.get(principal.id) ?? 0;
    if (open >= this.#most) return this.#refusal();
    this.#open.set(principal.id, open + 1);
    response.once("close", () => this.#release(principal.id));
    return undefined;
  }

  #release(id: string): void {
    const open = (this.#open.get(id) ?? 1) - 1;
    if (open > 0) this.#open.set(id, open);
    else this.#open.delete(id);
  }

  #refusal(): WireError {
    return {
      code: "resource_exhausted",
      message: `${this.#most} streams are open already, and that is the most for one caller`,
      hint: "close a stream that is no longer read",
      retryable: true,
      retryAfterMs: 1_000,
    };
  }
}
