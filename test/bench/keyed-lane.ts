/** One keep-alive connection that posts JSON and waits for the answer. */
import { connect } from "node:net";

export class KeepAliveLane {
  readonly #socket;
  readonly #path: string;
  readonly #port: number;
  #answered: ((answer: string) => void) | undefined;

  constructor(port: number, path: string) {
    this.#port = port;
    this.#path = path;
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true);
    let pending = "";
    this.#socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      const head = pending.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1]);
      if (head === -1 || pending.length < head + 4 + length) return;
      const answer = pending;
      pending = "";
      this.#answered?.(answer);
    });
  }

  /** The whole answer as text; throws where it is no 200. */
  async post(value: unknown, key?: string): Promise<string> {
    const body = JSON.stringify(value);
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#answered = resolve;
    this.#socket.write(
      `POST ${this.#path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#port}\r\ncontent-type: application/json\r\n${
        key === undefined ? "" : `idempotency-key: ${key}\r\n`
      }content-length: ${body.length}\r\n\r\n${body}`,
    );
    const answer = await promise;
    if (!answer.startsWith("HTTP/1.1 200")) throw new Error(answer);
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }
}
