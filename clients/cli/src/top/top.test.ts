/** The screen of `fairlead top`: what it says, that it fits, and that no text of a service moves the cursor. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { ServiceStatus } from "../kernel/kernel-client.ts";
import { eventLine } from "./event-line.ts";
import { cachedFigures, type KernelFigures, type ProcedureFigures } from "./figures.ts";
import { drawTop, linesBelow } from "./screen.ts";

const now = Date.parse("2026-01-01T01:00:00.000Z");

const service = (id: string, given: Partial<ServiceStatus> = {}): ServiceStatus => ({
  id,
  version: "1.0.0",
  summary: "",
  state: "Ready",
  since: "2026-01-01T00:00:00.000Z",
  waitsFor: null,
  nextStartAt: null,
  degraded: null,
  procedures: 1,
  restarts: 0,
  children: [],
  ...given,
});

const called = (procedure: string, calls: number, failures = 0): ProcedureFigures => ({
  procedure,
  kind: "query",
  calls,
  failures,
  running: 0,
  waiting: 0,
  meanMs: 1,
  recent: [{ minutes: 1, calls, failures, p50Ms: 1, p90Ms: 2, p99Ms: 12.4 }],
  lastError: null,
});

const figures = (given: Partial<KernelFigures> = {}): KernelFigures => ({
  services: [service("notes"), service("pob", { degraded: { why: "no LuaJIT", fix: "install it" }, restarts: 2 })],
  procedures: [called("notes.add", 120, 6), called("pob.parse", 600), called("kernel.stats", 9_000)],
  process: {
    version: "1.0.0",
    node: "24",
    pid: 7,
    startedAt: "2026-01-01T00:00:00.000Z",
    cpu: 0.25,
    rssBytes: 150_000_000,
    heapUsedBytes: 1,
    heapTotalBytes: 1,
    lag: null,
  },
  ...given,
});

const size = { columns: 120, rows: 40 };

it("says whether all is well, and what is not", () => {
  const lines = drawTop(figures(), size, now).split("\n");
  expect(lines[0]).toBe("▲ 1 of 2 services are well   up 1 h 0 min   pid 7   CPU 25 %   memory 150 MB   lag …");
  expect(lines.find((line) => line.includes("notes "))).toMatch(/^● {2}notes .*Ready .*2\.0 .*5\.0 % .*12 ms/);
  expect(lines.find((line) => line.includes("pob "))).toMatch(/^▲ {2}pob .*Degraded .*no LuaJIT$/);
  const busiest = lines.slice(lines.findIndex((line) => line.startsWith("PROCEDURE")) + 1);
  expect(busiest.map((line) => line.split(" ")[0])).toEqual(["pob.parse", "notes.add"]);
});

it("fits, whatever there is and however small the terminal", () => {
  const many = figures({
    services: Array.from({ length: 1_000 }, (_, index) => service(`service-${index}`)),
    procedures: Array.from({ length: 1_000 }, (_, index) => called(`a.b${index}`, index + 1)),
  });
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 200 }), fc.integer({ min: 18, max: 80 }), (columns, rows) => {
      const lines = drawTop(many, { columns, rows }, now).split("\n");
      expect(lines.length).toBeLessThanOrEqual(rows - linesBelow + 1);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 20 },
  );
  expect(drawTop(many, size, now)).toContain("more");
});

it("takes out of texts what a terminal would obey", () => {
  const why = "gone\u001B[2J\u009B1A\nnext\u202E";
  const drawn = drawTop(figures({ services: [service("x", { degraded: { why, fix: "" } })] }), size, now);
  for (const each of ["\u001B", "\u009B", "\u202E"]) expect(drawn).not.toContain(each);
  const event = {
    seq: 1,
    at: "2026-01-01T01:02:03.000Z",
    service: "x",
    data: { child: "a\u001B]0;b", state: "Ready" },
  };
  expect(eventLine({ ...event, type: "child.state" })).toBe("01:02:03  x  a]0;b is Ready");
});

it("shows calls that failed, and none that went well", () => {
  const call = { seq: 1, at: "2026-01-01T01:02:03.000Z", type: "call", service: "notes" };
  expect(eventLine({ ...call, data: { procedure: "notes.add", outcome: "ok" } })).toBeUndefined();
  expect(eventLine({ ...call, data: { procedure: "notes.add", outcome: "not_found", reason: "gone" } })).toBe(
    "01:02:03  notes  notes.add failed: not_found (gone)",
  );
});

it("asks the kernel once a second", async () => {
  let asked = 0;
  let at = 0;
  const { services, procedures, process } = figures();
  const client = {
    services: async () => {
      asked += 1;
      return { services };
    },
    stats: async () => ({ procedures }),
    process: async () => process,
  };
  const read = cachedFigures(client as never, () => at);
  await read();
  await read();
  at = 1_000;
  await read();
  expect(asked).toBe(2);
});
