/** Tool calls over a process, by the SDK's client. Over HTTP they are written past it (`tool-calls.ts`); here that gains nothing. */
import type { Progress } from "@fairlead/kernel/service";
import type { Client } from "@modelcontextprotocol/client";
import { type CallResult, parseCallResult } from "./call-result.ts";
import { passThroughSchema } from "./pass-through-schema.ts";
import type { CallChannel, CallOptions, CallParams } from "./tool-calls.ts";

/** The longest that a timer takes: how long a call may run is its caller's to say. */
const noTimeoutMs = 2 ** 31 - 1;

export class ClientCalls implements CallChannel {
  readonly #client: Client;
  #open = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  get isIdle(): boolean {
    return this.#open === 0;
  }

  async call(params: CallParams, { signal, onProgress }: CallOptions): Promise<CallResult> {
    const era = this.#client.getProtocolEra() === "modern" ? "stateless" : "session";
    const options = {
      signal,
      timeout: noTimeoutMs,
      allowInputRequired: true,
      ...(onProgress !== undefined && { onprogress: toListener(onProgress) }),
    };
    this.#open += 1;
    try {
      const request = { method: "tools/call", params: { ...params } };
      return parseCallResult(await this.#client.request(request, passThroughSchema, options), era);
    } finally {
      this.#open -= 1;
    }
  }

  /** The client fails its requests itself when its transport closes. */
  end(): void {}
}

interface SdkProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const toListener =
  (onProgress: (progress: Progress) => void) =>
  ({ progress, total, message }: SdkProgress): void =>
    onProgress({ progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
