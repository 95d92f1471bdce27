/**
 * A view on a terminal that is kept current: drawn again at every event, and every second. Below it are the lines of the latest events.
 * Not here: what the view shows.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Io, Size } from "./io.ts";

interface LiveView {
  /** The view as it is now. */
  readonly draw: () => Promise<string>;
  /** A text for each event; the view ends with them. */
  readonly events: AsyncIterable<string>;
  /** On a screen of its own, which is gone at the end with what was there before back; and drawn four times a second at most. Default false. */
  readonly isFullScreen?: boolean;
}

const everyMs = 1_000;
/** What comes in one burst is drawn once. */
const burstMs = 50;
const fullScreenBurstMs = 250;
const mostLines = 8;

/** Draws until the events end, or until it is interrupted. */
export const showLive = async (io: Io, view: LiveView): Promise<void> => {
  if (view.isFullScreen !== true) return show(io, view, burstMs);
  io.out(enterScreen);
  try {
    await show(io, view, fullScreenBurstMs);
  } finally {
    io.out(leaveScreen);
  }
};

const show = async (io: Io, { draw, events }: LiveView, pauseMs: number): Promise<void> => {
  const latest: string[] = [];
  let news = Promise.withResolvers<void>();
  const listening = (async () => {
    for await (const text of events) {
      latest.push(...text.split("\n"));
      latest.splice(0, latest.length - mostLines);
      news.resolve();
    }
  })();
  let isOver = false;
  const over = listening.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  const pause = (ms: number) => sleep(ms, undefined, { signal: io.signal }).catch(() => undefined);
  io.out(clear);
  while (!isOver) {
    news = Promise.withResolvers();
    io.out(frame(`${await draw()}\n\n${latest.join("\n")}`, io.tty.size()));
    await Promise.race([news.promise, pause(everyMs), over]);
    await pause(pauseMs);
  }
  await over;
};

/** A screen beside the usual one, without a cursor. */
const enterScreen = "\u001B[?1049h\u001B[?25l";
const leaveScreen = "\u001B[?25h\u001B[?1049l";
const clear = "\u001B[2J";
const home = "\u001B[H";
const clearLine = "\u001B[K";
const clearBelow = "\u001B[J";

/** A text drawn over what was drawn before, cut to the terminal so that it neither wraps nor scrolls; each line ends with a line feed. */
export const frame = (text: string, { columns, rows }: Size): string => {
  const lines = text.split("\n").slice(0, rows - 2);
  return `${home}${lines.map((line) => `${line.slice(0, columns)}${clearLine}\n`).join("")}${clearBelow}`;
};
