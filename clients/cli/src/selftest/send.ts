/** Bytes to a port, and what comes back: for requests that no HTTP client would send. */
import { connect, type Socket } from "node:net";

/** What a connection gave until it ended. */
interface RawAnswer {
  /** Of the first answer; `undefined` when there was none. */
  readonly status: number | undefined;
  readonly text: string;
  /** The other side hung longer than it may. */
  readonly hung: boolean;
}

/** Milliseconds after which a silent connection counts as hung: four times what the kernel gives a request, since a busy machine may stand still. */
export const longestMs = 120_000;

export const sendBytes = (port: number, bytes: Buffer): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    let hung = false;
    const socket = openSocket(port);
    socket.setTimeout(longestMs, () => {
      hung = true;
      socket.destroy();
    });
    socket.on("data", (part) => {
      if (parts.length < 1_000) parts.push(part);
    });
    socket.once("close", () => {
      const text = Buffer.concat(parts).toString("latin1");
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), text, hung });
    });
    socket.end(bytes);
  });

/** Errors of it end it, and no more. */
export const openSocket = (port: number): Socket => connect({ port, host: "127.0.0.1" }).on("error", () => undefined);

/** A call of the HTTP API; `undefined` when the connection ended without an answer. */
export const callProcedure = (port: number, path: string, call: CallBody): Promise<CallAnswer | undefined> =>
  callPath(port, `/api/${path}`, call);

interface CallBody {
  readonly input: unknown;
  readonly key?: string;
}

interface CallAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The same by the path of an OpenAPI document. */
export const callPath = async (
  port: number,
  path: string,
  { input, key }: CallBody,
): Promise<CallAnswer | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      // A connection of its own: one that was kept may end while the request is on its way, which is no fault.
      headers: {
        "content-type": "application/json",
        connection: "close",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(longestMs),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
};
