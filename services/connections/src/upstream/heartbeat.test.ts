/** When somebody is asked whether they are there, and what is told of it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Heartbeat } from "./heartbeat.ts";

const idleMs = 100;
let told: string[];
let answers: ("answered" | "silent" | "broken")[];
let isBusy: boolean;
let heartbeat: Heartbeat;

beforeEach(() => {
  vi.useFakeTimers();
  [told, answers, isBusy] = [[], [], false];
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
      told.push("ping");
      const answer = answers.shift();
      return answer ?? new Promise<never>(() => undefined);
    },
    missed: () => told.push("missed"),
    heard: () => told.push("heard"),
  });

it("asks after so much quiet, and tells nothing of an answer", async () => {
  answers = ["answered", "answered"];
  await vi.advanceTimersByTimeAsync(idleMs - 1);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(["ping"]);
});

it("counts the quiet from when it was heard last, not by a clock of its own", async () => {
  await vi.advanceTimersByTimeAsync(0.3 * idleMs);
  heartbeat.heard();
  await vi.advanceTimersByTimeAsync(idleMs - 1);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(["ping"]);
});

it("asks nobody who has been heard of, or is at work", async () => {
  await vi.advanceTimersByTimeAsync(idleMs / 2);
  heartbeat.heard();
  await vi.advanceTimersByTimeAsync(idleMs / 2);
  expect(told).toEqual([]);
  isBusy = true;
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(told).toEqual([]);
});

it("asks again at once after a miss, and tells when somebody is heard of again", async () => {
  answers = ["silent", "silent", "answered"];
  await heartbeat.probe();
  expect(told).toEqual(["ping", "missed", "ping", "missed", "ping", "heard"]);
  heartbeat.heard();
  expect(told).toHaveLength(6);
});

it("asks once, however many want to know", () => {
  void heartbeat.probe();
  void heartbeat.probe();
  expect(told).toEqual(["ping"]);
});

it("asks nobody after its end, and tells of no miss that comes then", async () => {
  answers = ["silent"];
  const asking = heartbeat.probe();
  heartbeat.stop();
  await asking;
  await heartbeat.probe();
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(told).toEqual(["ping"]);
});

it("asks nobody when it was ended before it began", async () => {
  const late = makeHeartbeat();
  heartbeat.stop();
  late.stop();
  late.start();
  await late.probe();
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(told).toEqual([]);
});

it("does not ask again where no answer can come, until the next quiet is over", async () => {
  answers = ["broken", "answered"];
  await heartbeat.probe();
  expect(told).toEqual(["ping"]);
});
