/** When an upstream is pinged, and what is reported of it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Heartbeat } from "./heartbeat.ts";

const idleMs = 100;
let reports: string[];
let answers: ("answered" | "silent" | "broken")[];
let isBusy: boolean;
let heartbeat: Heartbeat;

beforeEach(() => {
  vi.useFakeTimers();
  [reports, answers, isBusy] = [[], [], false];
  heartbeat = makeHeartbeat();
  heartbeat.start();
});
afterEach(() => {
  heartbeat.stop();
  vi.useRealTimers();
});

const makeHeartbeat = (): Heartbeat =>
  new Heartbeat({
    idleMs,
    isBusy: () => isBusy,
    ping: async () => {
      reports.push("ping");
      const answer = answers.shift();
      return answer ?? new Promise<never>(() => undefined);
    },
    missed: () => reports.push("missed"),
    heard: () => reports.push("heard"),
  });

it("asks after so much quiet, and reports nothing of an answer", async () => {
  answers = ["answered", "answered"];
  await vi.advanceTimersByTimeAsync(idleMs - 1);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reports).toEqual(["ping"]);
});

it("counts the quiet from when it was heard last, not by a clock of its own", async () => {
  await vi.advanceTimersByTimeAsync(0.3 * idleMs);
  heartbeat.heard();
  await vi.advanceTimersByTimeAsync(idleMs - 1);
  expect(reports).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(reports).toEqual(["ping"]);
});

it("does not ask what has been heard of, or is at work", async () => {
  await vi.advanceTimersByTimeAsync(idleMs / 2);
  heartbeat.heard();
  await vi.advanceTimersByTimeAsync(idleMs / 2);
  expect(reports).toEqual([]);
  isBusy = true;
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(reports).toEqual([]);
});

it("asks again at once after a miss, and reports when it is heard of again", async () => {
  answers = ["silent", "silent", "answered"];
  await heartbeat.probe();
  expect(reports).toEqual(["ping", "missed", "ping", "missed", "ping", "heard"]);
  heartbeat.heard();
  expect(reports).toHaveLength(6);
});

it("asks once, however many want to know", () => {
  void heartbeat.probe();
  void heartbeat.probe();
  expect(reports).toEqual(["ping"]);
});

it("does not ask after its end, and reports no miss that comes then", async () => {
  answers = ["silent"];
  const asking = heartbeat.probe();
  heartbeat.stop();
  await asking;
  await heartbeat.probe();
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(reports).toEqual(["ping"]);
});

it("does not ask when it was ended before it began", async () => {
  const late = makeHeartbeat();
  heartbeat.stop();
  late.stop();
  late.start();
  await late.probe();
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(reports).toEqual([]);
});

it("does not ask again where no answer can come, until the next quiet is over", async () => {
  answers = ["broken", "answered"];
  await heartbeat.probe();
  expect(reports).toEqual(["ping"]);
});
