/** A foreign program for `gaps.ts`: it knows nothing of an inspector, and measures the CPU time between two turns of its loop. */

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
Object.assign(globalThis, { app });

/** CPU time of this thread in milliseconds: what other programs took of the processor is in no gap. */
const cpu = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Counts of gaps by their length in milliseconds, rounded up. */
let counts = new Map<number, number>();
let last = cpu();
const tick = (): void => {
  const now = cpu();
  const gap = Math.ceil(now - last);
  counts.set(gap, (counts.get(gap) ?? 0) + 1);
  last = now;
  setImmediate(tick);
};
tick();
process.on("message", () => {
  process.send?.([...counts]);
  counts = new Map();
});
process.send?.("ready");
