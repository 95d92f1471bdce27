/**
 * A foreign program for `gaps.ts`: it knows nothing of an inspector, and measures the CPU time between two turns of its loop, and how much
 * of a long gap the collector stopped it for.
 */
import { PerformanceObserver } from "node:perf_hooks";
import { defaultLimits } from "@fairlead/linq/limits";
import { hostileWorld } from "../src/testing/hostile.ts";

class Order {
  id;
  customer;
  total;
  lines;
  constructor(id: number) {
    this.id = id;
    this.customer = { name: `c${(id * 7919) % 1_000_003}`, city: `city${id % 97}` };
    this.total = (id * 7919) % 10_007;
    this.lines = id % 2 === 0 ? [{ sku: "a", count: id % 5 }] : [];
  }
}

const many = Number(process.argv[2] ?? 1_000_000);
const Orders = Array.from({ length: many }, (_, id) => new Order(id));
const app = {
  Orders,
  ById: new Map(Orders.map((order) => [order.id, order])),
  Ids: new Set(Orders.map(({ id }) => id)),
  Totals: Float64Array.from(Orders, ({ total }) => total),
};
const { host } = hostileWorld(defaultLimits);
const hostile = Object.fromEntries(host.roots.map(({ name, read }) => [name, read()]));
Object.assign(globalThis, { app, hostile });

/** CPU time of this thread in milliseconds: what other programs took of the processor is in no gap. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** A gap above this many milliseconds is looked at. */
const long = 10;

/** Counts of gaps by their length in milliseconds, rounded up. */
let counts = new Map<number, number>();
/** Long gaps: their CPU time, and from when to when they were on the wall's clock. */
let longGaps: { readonly ms: number; readonly from: number; readonly to: number }[] = [];
let pauses: { readonly from: number; readonly to: number }[] = [];
const observer = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) pauses.push({ from: startTime, to: startTime + duration });
});
observer.observe({ entryTypes: ["gc"] });

let last = cpu();
let lastTurn = performance.now();
const tick = (): void => {
  const now = cpu();
  const turn = performance.now();
  // The clock of the CPU moves in steps: no gap is longer than it was by the other one.
  const gap = Math.ceil(Math.min(now - last, turn - lastTurn));
  counts.set(gap, (counts.get(gap) ?? 0) + 1);
  if (gap > long) longGaps.push({ ms: gap, from: lastTurn, to: turn });
  last = now;
  lastTurn = turn;
  setImmediate(tick);
};
tick();

/** Milliseconds of a gap, by the clock, in which the collector had stopped the program. */
const collecting = (gap: { readonly from: number; readonly to: number }): number =>
  pauses.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from)), 0);

process.on("message", () => {
  // Entries of the collector come some turns after it.
  setTimeout(() => {
    const longest = longGaps.map((gap) => [gap.ms, Math.round(gap.to - gap.from), Math.round(collecting(gap))]);
    process.send?.({ counts: [...counts], longest });
    counts = new Map();
    longGaps = [];
    pauses = [];
  }, 20);
});
process.send?.("ready");
