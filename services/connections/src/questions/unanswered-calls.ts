/**
 * Which tool calls a process has not answered yet, those that were given up included: its client forgets these, and their answers, when they are cancelled.
 * Not here: what that means for questions (`upstream/question-owners.ts`).
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/** Follows what is sent and comes on a transport that is connected already. */
export class UnansweredCalls {
  readonly #ids = new Set<unknown>();

  /** @param allAnswered called when the last of them was answered, before the answer is handled */
  constructor(transport: Transport, allAnswered: () => void) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (isCall(message)) this.#ids.add(message.id);
      return send(message, options);
    };
    const reader = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (!("method" in message) && this.#ids.delete(message.id) && this.#ids.size === 0) allAnswered();
      reader?.(message, extra);
    };
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }
}

const isCall = (message: JSONRPCMessage): message is JSONRPCMessage & { id: unknown } =>
  "method" in message && "id" in message && message.method === "tools/call";
