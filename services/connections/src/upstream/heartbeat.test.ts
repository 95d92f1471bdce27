/** When an upstream is pinged, and what is reported of it. */
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Heartbeat, type PingResult } from "./heartbeat.ts";

const idleMs = 100;
let reports: string[];
let answers: (PingResult | Promise<PingResult>)[];
let isBusy: boolean;
/** Whether the host is there, check by check; none where there is no host. */
let hosts: boolean[] | undefined;
let heartbeat: Heartbeat;
let running: Fiber.Fiber<never>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  [reports, answers, isBusy, hosts] = [[], [], false, undefined];
  heartbeat = makeHeartbeat();
  running = Effect.runFork(heartbeat.run);
});
afterEach(async () => {
  await stop();
  vi.useRealTimers();
});

const stop = () => Effect.runPromise(Fiber.interrupt(running));
const probe = () => Effect.runPromise(heartbeat.probe);

const makeHeartbeat = (): Heartbeat =>
  new Heartbeat({
    idleMs,
    isBusy: () => isBusy,
    ping: async () => {
      reports.push("ping");
      const answer = answers.shift();
      return answer ?? new Promise<never>(() => undefined);
    },
    ...(hosts !== undefined && {
      isHostThere: async () => {
        reports.push("host");
        return hosts?.shift() ?? true;
      },
    }),
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

it("looks for the host of what is at work, once for each quiet, and does not ping it", async () => {
  hosts = [true, false, false, true];
  await stop();
  heartbeat = makeHeartbeat();
  running = Effect.runFork(heartbeat.run);
  isBusy = true;
  await vi.advanceTimersByTimeAsync(idleMs);
  expect(reports).toEqual(["host"]);
  await vi.advanceTimersByTimeAsync(idleMs);
  expect(reports).toEqual(["host", "host", "missed"]);
  await vi.advanceTimersByTimeAsync(2 * idleMs);
  expect(reports).toEqual(["host", "host", "missed", "host", "missed", "host", "heard"]);
});

it("asks again at once after a miss, and reports when it is heard of again", async () => {
  answers = ["silent", "silent", "answered"];
  await probe();
  expect(reports).toEqual(["ping", "missed", "ping", "missed", "ping", "heard"]);
  heartbeat.heard();
  expect(reports).toHaveLength(6);
});

it("asks once, however many want to know", () => {
  void probe();
  void probe();
  expect(reports).toEqual(["ping"]);
});

it("does not ask after its end, and reports no miss that comes then", async () => {
  const silent = Promise.withResolvers<"silent">();
  answers = [silent.promise];
  await vi.advanceTimersByTimeAsync(idleMs);
  await stop();
  silent.resolve("silent");
  await vi.advanceTimersByTimeAsync(10 * idleMs);
  expect(reports).toEqual(["ping"]);
});

it("does not ask again where no answer can come, until the next quiet is over", async () => {
  answers = ["broken", "answered"];
  await probe();
  expect(reports).toEqual(["ping"]);
});
