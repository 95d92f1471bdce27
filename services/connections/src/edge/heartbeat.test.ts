import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Heartbeat } from "./heartbeat.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const idleMs = 100;

const begin = (isBusy = () => false) => {
  const pings: number[] = [];
  const from = performance.now();
  const ping = async (): Promise<boolean> => {
    pings.push(Math.round(performance.now() - from));
    return true;
  };
  const heartbeat = new Heartbeat({ idleMs, ping, isBusy, missed: () => undefined, heard: () => undefined });
  heartbeat.start();
  return { heartbeat, pings };
};

it("asks when it has been quiet for that long, whenever it was heard last", async () => {
  const { heartbeat, pings } = begin();
  await vi.advanceTimersByTimeAsync(30);
  heartbeat.heard();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(pings.slice(0, 3)).toEqual([130, 230, 330]);
  heartbeat.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(pings.length).toBeLessThanOrEqual(10);
});

it("does not ask while something is under way", async () => {
  let busy = true;
  const { heartbeat, pings } = begin(() => busy);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(pings).toEqual([]);
  busy = false;
  await vi.advanceTimersByTimeAsync(idleMs);
  expect(pings.length).toBe(1);
  heartbeat.stop();
});
