/** What a terminal is sent: never more than it has room for, the latest at the bottom, and an end. */
import { expect, it } from "vitest";
import type { Io } from "./io.ts";
import { frame, showLive } from "./live-view.ts";

const esc = "\u001B";

it("a frame neither wraps nor scrolls, and leaves nothing of the one before", () => {
  const drawn = frame("long line\nb\nc\nd", { columns: 4, rows: 5 });
  expect(drawn).toBe(`${esc}[Hlong${esc}[K\nb${esc}[K\nc${esc}[K\n${esc}[J`);
});

it("draws the view at every event, and ends with the events", async () => {
  const drawn: string[] = [];
  let looks = 0;
  const io = {
    out: (text: string) => void drawn.push(text),
    signal: new AbortController().signal,
    tty: { size: () => ({ columns: 80, rows: 24 }) },
  } as unknown as Io;
  const twice = Promise.withResolvers<void>();
  const events = async function* () {
    yield "Connecting a";
    await twice.promise;
    yield "Connected a";
  };
  await showLive(io, {
    draw: async () => {
      looks += 1;
      if (looks === 2) twice.resolve();
      return `look ${looks}`;
    },
    events: events(),
  });
  expect(drawn[0]).toBe(`${esc}[2J`);
  expect(drawn.find((text) => text.includes("look 2"))).toContain("Connecting a");
  expect(looks).toBeGreaterThanOrEqual(2);
});
