/** Load over keep-alive connections: as many requests as told, each connection waiting for its answer before it asks again. */
import { connect, type Socket } from "node:net";
import type { Wire } from "./payload.ts";

export const requestBytes = (port: number, { path, body, headers = {} }: Wire): Buffer => {
  const text = JSON.stringify(body);
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`);
};

export interface LoadResult {
  readonly seconds: number;
  /** Answers that were not 200. */
  readonly failures: number;
  /** The first answer, to be looked at. */
  readonly sample: string;
}

export const load = async (
  port: number,
  request: Buffer,
  { requests, connections }: { readonly requests: number; readonly connections: number },
): Promise<LoadResult> => {
  let left = requests;
  let failures = 0;
  let sample = "";
  const started = performance.now();
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      const reader = answers((answer) => {
        if (sample === "") sample = answer;
        if (!answer.startsWith("HTTP/1.1 200")) failures += 1;
        next(socket);
      });
      const next = (on: Socket): void => {
        if (left <= 0) {
          on.end();
          resolve();
          return;
        }
        left -= 1;
        on.write(request);
      };
      socket.setNoDelay(true);
      socket.on("connect", () => next(socket));
      socket.on("data", reader);
      socket.on("error", reject);
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return { seconds: (performance.now() - started) / 1_000, failures, sample };
};

/** Cuts a stream of bytes into answers, by content length or by the last chunk. */
const answers = (onAnswer: (answer: string) => void): ((chunk: Buffer) => void) => {
  let pending = "";
  return (chunk) => {
    pending += chunk.toString("latin1");
    for (;;) {
      const head = pending.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = /content-length: (\d+)/i.exec(pending.slice(0, head))?.[1];
      const end = length === undefined ? pending.indexOf("0\r\n\r\n", head) + 5 : head + 4 + Number(length);
      if (end < head + 4 || pending.length < end) return;
      const answer = pending.slice(0, end);
      pending = pending.slice(end);
      onAnswer(answer);
    }
  };
};
