/**
 * Requests at a fixed rate, whatever becomes of those before: who measures only what he waits for leaves out the worst (coordinated omission). A request's
 * time counts from when it was to be sent.
 */
import { connect, type Socket } from "node:net";

export interface OpenLoopLoad {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface OpenLoopResult {
  readonly sent: number;
  /** Milliseconds of those that were answered with 200, least first. */
  readonly answered: readonly number[];
  /** The same from when a connection was free for them: the rest of the time they waited here, since all connections were taken. */
  readonly served: readonly number[];
  /** Milliseconds that requests were sent too late, since the generator was busy, least first: where they are many, it is the limit, and not the server. */
  readonly late: readonly number[];
  readonly refused: number;
  /** Neither answered nor refused: connections that broke. */
  readonly lost: number;
  /** Goodput: answers within the time of the load, a second. */
  readonly goodput: number;
}

interface Lane {
  readonly socket: Socket;
  done: Done | undefined;
  sentAt: number;
}

/** `sentAt`: when a connection was free for it. */
type Done = (status: number, sentAt: number) => void;

/** Connections at most, since a principal may have 500: beyond them a request waits here, which counts. */
const mostLanes = 450;

export const openLoop = async ({ port, path, token, perSecond, seconds }: OpenLoopLoad): Promise<OpenLoopResult> => {
  const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token.repeat(8)}\r\n\r\n`;
  const idle: Lane[] = [];
  const waiting: Done[] = [];
  let lanes = 0;
  const open = (): Lane => {
    const lane: Lane = { socket: connect(port, "127.0.0.1").setNoDelay(true), done: undefined, sentAt: 0 };
    lanes += 1;
    const finish = (status: number): void => {
      const { done, sentAt } = lane;
      lane.done = undefined;
      if (status > 0) {
        const next = waiting.shift();
        if (next === undefined) idle.push(lane);
        else send(lane, next);
      }
      done?.(status, sentAt);
    };
    let text = "";
    lane.socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (head === -1 || text.length < head + 4 + length) return;
      const status = Number(text.slice(9, 12));
      text = "";
      finish(status);
    });
    const ended = (): void => {
      lanes -= 1;
      const at = idle.indexOf(lane);
      if (at !== -1) idle.splice(at, 1);
      finish(0);
    };
    lane.socket.on("error", () => undefined);
    lane.socket.once("close", ended);
    return lane;
  };
  const send = (lane: Lane, done: Done): void => {
    lane.done = done;
    lane.sentAt = performance.now();
    lane.socket.write(request);
  };
  const answered: number[] = [];
  const served: number[] = [];
  const late: number[] = [];
  const counts = { sent: 0, refused: 0, lost: 0, inTime: 0 };
  const began = performance.now();
  const ends = began + seconds * 1_000;
  const all: Promise<void>[] = [];
  const fire = (due: number): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    all.push(promise);
    counts.sent += 1;
    late.push(performance.now() - due);
    const done: Done = (status, sentAt) => {
      const now = performance.now();
      if (status === 200) answered.push(now - due);
      if (status === 200) served.push(now - sentAt);
      if (status === 200 && now <= ends) counts.inTime += 1;
      if (status === 0) counts.lost += 1;
      else if (status !== 200) counts.refused += 1;
      resolve();
    };
    const lane = idle.pop() ?? (lanes < mostLanes ? open() : undefined);
    if (lane === undefined) waiting.push(done);
    else send(lane, done);
  };
  let next = began;
  while (next < ends) {
    const now = performance.now();
    for (; next <= now && next < ends; next += 1_000 / perSecond) fire(next);
    await new Promise((resolve) => (next - performance.now() > 1.5 ? setTimeout(resolve, 1) : setImmediate(resolve)));
  }
  await Promise.all(all);
  for (const { socket } of idle) socket.destroy();
  const { inTime, ...rest } = counts;
  const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b);
  const times = { answered: sorted(answered), served: sorted(served), late: sorted(late) };
  return { ...rest, ...times, goodput: inTime / seconds };
};

/** The value below which that part of them is. */
export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
