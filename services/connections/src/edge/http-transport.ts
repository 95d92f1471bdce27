/**
 * The SDK's Streamable HTTP transport, with what it leaves to others: a request whose stream ends without an answer is answered with
 * an error at once, and the last thing seen on the wire is remembered for the diagnosis.
 */
import { type JSONRPCMessage, type JSONRPCRequest, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Observed } from "../core/fault.ts";
import { type Web, WebError } from "./web-request.ts";

/** In the `data` of the error that stands for an answer which never came; found by identity. */
export const streamEnded = Object.freeze({ reason: "the stream ended without an answer" });

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport["send"]>[1]>;

export interface HttpTransportOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly web: Web;
  /** True while connecting. */
  readonly opening: () => boolean;
}

const streamEndedCode = -32_000;

export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #seen: { last: Observed | undefined };

  constructor(url: URL, { headers, web, opening }: HttpTransportOptions) {
    const seen: { last: Observed | undefined } = { last: undefined };
    super(url, {
      requestInit: { headers },
      fetch: async (to, init) => {
        try {
          const answer = await web.fetch(to, init);
          const session = new Headers(init?.headers).has("mcp-session-id");
          seen.last = answer.ok ? undefined : { what: "status", status: answer.status, opening: opening(), session };
          return answer;
        } catch (error) {
          if (error instanceof WebError) seen.last = observedIn(error);
          throw error;
        }
      },
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    this.#seen = seen;
  }

  /** What went wrong with the latest HTTP exchange; nothing when it was answered. */
  get lastSeen(): Observed | undefined {
    return this.#seen.last;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !isRequest(message)) return super.send(message, options);
    const { id } = message;
    const given = options?.onRequestStreamEnd;
    // One that was answered before is unknown by then, and the error goes nowhere.
    const fail = (): void =>
      this.onmessage?.({
        jsonrpc: "2.0",
        id,
        error: { code: streamEndedCode, message: streamEnded.reason, data: streamEnded },
      });
    await super.send(message, { ...options, onRequestStreamEnd: given ?? fail });
  }
}

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message;

export const observedIn = ({ code, message }: WebError): Observed =>
  code === "EADDRESS" ? { what: "address", message } : { what: "socket", code, message };
