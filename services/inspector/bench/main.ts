/**
 * The three workloads at 1,000,000 rows against a hand-written loop, alternated in one process for each kind of source, so that
 * no loop meets the other's objects. CPU time of the main thread, the best of several rounds.
 * `node --conditions=@fairlead/source bench/main.ts [rows] [rounds] [source]`
 */
import { spawnSync } from "node:child_process";
import { hostAccess } from "../src/host/access.ts";
import { properties } from "../src/host/declaration.ts";
import { Registry } from "../src/host/registry.ts";
import { check, contextFor, rowScope } from "../src/linq/evaluate.ts";
import { defaultLimits, type QueryResult, type QueryText, runQuery } from "../src/linq/index.ts";

const count = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 7);

/** A seeded generator, so that every run has the same rows. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const kinds = ["Monster", "Chest", "Player", "Npc", "Portal", "Effect"];

interface Entity {
  readonly Id: number;
  readonly Type: string;
  readonly Name: string;
  readonly Level: number;
  readonly Distance: number;
  readonly IsHostile: boolean;
}

class DeclaredEntity implements Entity {
  readonly Id: number;
  readonly Type: string;
  readonly Name: string;
  readonly Level: number;
  readonly Distance: number;
  readonly IsHostile: boolean;
  constructor(from: Entity) {
    this.Id = from.Id;
    this.Type = from.Type;
    this.Name = from.Name;
    this.Level = from.Level;
    this.Distance = from.Distance;
    this.IsHostile = from.IsHostile;
  }
}

const next = random(7);
const make = (id: number): Entity => ({
  Id: id,
  Type: kinds[Math.floor(next() * kinds.length)] ?? "Monster",
  Name: `Entity ${id % 5000}`,
  Level: Math.floor(next() * 100),
  Distance: next() * 1000,
  IsHostile: next() < 0.3,
});
const data = Array.from({ length: count }, (_, id) => make(id));

const registry = new Registry([
  {
    kind: "class",
    name: "Bench.Entity",
    constructs: DeclaredEntity,
    members: properties({
      Id: "UInt32",
      Type: "String",
      Name: "String",
      Level: "Int32",
      Distance: "Double",
      IsHostile: "Boolean",
    }),
  },
]);

type Source = { readonly rows: readonly Entity[]; readonly type: string };
const kindsOfSource: Readonly<Record<string, () => Source>> = {
  declared: () => ({ rows: data.map((row) => new DeclaredEntity(row)), type: "List<Entity>" }),
  undeclared: () => ({ rows: data, type: "object" }),
};

const chosen = process.argv[4];
if (chosen === undefined) {
  for (const source of Object.keys(kindsOfSource))
    spawnSync(process.execPath, [...process.execArgv, import.meta.filename, String(count), String(rounds), source], {
      stdio: "inherit",
    });
  process.exit();
}
const sources: Readonly<Record<string, Source>> = Object.fromEntries(
  Object.entries(kindsOfSource).flatMap(([name, build]) => (name === chosen ? [[name, build()]] : [])),
);

const limits = { ...defaultLimits, resultRows: count, wallMs: 600_000 };
const host = hostAccess({
  registry,
  now: () => 0,
  limits,
  roots: Object.entries(sources).map(([name, { rows, type }]) => ({
    name,
    type: registry.type(type),
    read: () => rows,
  })),
});

interface Workload {
  readonly query: Omit<QueryText, "from">;
  readonly loop: (rows: readonly Entity[]) => unknown;
  /** The same with the methods of arrays. */
  readonly methods: (rows: readonly Entity[]) => unknown;
}

const workloads: Readonly<Record<string, Workload>> = {
  "A filter 1.5% + order + take 10 + project 4": {
    query: {
      where: "IsHostile && Distance < 50",
      orderBy: "Distance",
      take: 10,
      select: "new { Id, Name, Level, Distance }",
    },
    loop: (rows) => {
      const top: Entity[] = [];
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (row === undefined || !(row.IsHostile && row.Distance < 50)) continue;
        const last = top[9];
        if (last !== undefined && row.Distance >= last.Distance) continue;
        let at = top.length;
        while (at > 0 && (top[at - 1]?.Distance ?? 0) > row.Distance) at--;
        top.splice(at, 0, row);
        if (top.length > 10) top.pop();
      }
      return top.map(({ Id, Name, Level, Distance }) => ({ Id, Name, Level, Distance }));
    },
    methods: (rows) =>
      rows
        .filter((row) => row.IsHostile && row.Distance < 50)
        .sort((a, b) => a.Distance - b.Distance)
        .slice(0, 10)
        .map(({ Id, Name, Level, Distance }) => ({ Id, Name, Level, Distance })),
  },
  "B filter 50% + count by Type": {
    query: { where: "Level >= 50", groupBy: "Type" },
    loop: (rows) => {
      const counts = new Map<string, number>();
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (row !== undefined && row.Level >= 50) counts.set(row.Type, (counts.get(row.Type) ?? 0) + 1);
      }
      return [...counts].map(([Key, Count]) => ({ Key, Count }));
    },
    methods: (rows) =>
      Object.entries(
        Object.groupBy(
          rows.filter((row) => row.Level >= 50),
          (row) => row.Type,
        ),
      ).map(([Key, group]) => ({ Key, Count: group?.length })),
  },
  "C filter 40% + project 2": {
    query: { where: "Distance < 400", select: "new { Id, Name }", take: count },
    loop: (rows) => {
      const out: unknown[] = [];
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (row !== undefined && row.Distance < 400) out.push({ Id: row.Id, Name: row.Name });
      }
      return out;
    },
    methods: (rows) => rows.filter((row) => row.Distance < 400).map(({ Id, Name }) => ({ Id, Name })),
  },
};

/** Milliseconds of CPU time of one run, averaged over a few because the clock is coarse. */
const repeats = 4;
const cpu = (run: () => unknown): number => {
  const before = process.threadCpuUsage();
  for (let i = 0; i < repeats; i++) run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / repeats;
};

const best = (times: readonly number[]): number => Math.min(...times);
const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

const memory = process.memoryUsage().rss;
console.log(`\n== ${chosen}: ${count} rows, node ${process.version}, best (median) CPU ms of ${rounds} rounds`);
for (const [title, { query, loop, methods }] of Object.entries(workloads)) {
  console.log(title);
  for (const [name, { rows }] of Object.entries(sources)) {
    const loops: number[] = [];
    const queries: number[] = [];
    let result: QueryResult | undefined;
    for (let round = 0; round < rounds; round++) {
      loops.push(cpu(() => loop(rows)));
      queries.push(
        cpu(() => {
          result = runQuery({ from: name, ...query }, { host, limits });
        }),
      );
    }
    const arrays = Array.from({ length: rounds }, () => cpu(() => methods(rows)));
    const ratio = best(queries) / best(loops);
    console.log(
      `  ${name.padEnd(11)} ${(result?.path ?? "").padEnd(10)} loop ${best(loops).toFixed(1)} (${median(loops).toFixed(1)})  query ${best(queries).toFixed(1)} (${median(queries).toFixed(1)})  ratio ${ratio.toFixed(2)}  array methods ${(best(arrays) / best(loops)).toFixed(2)}  rows ${result?.rows.length}`,
    );
  }
}

const context = contextFor({ host });
const small = Array.from({ length: 2_000 }, (_, id) => new DeclaredEntity(make(id)));
const smallHost = hostAccess({
  registry,
  now: () => 0,
  roots: [{ name: "small", type: registry.type("List<Entity>"), read: () => small }],
});
const scope = rowScope(registry.type("Entity"));
const texts = ["IsHostile && Distance < 50", "Distance", "new { Id, Name, Level, Distance }"];
const compiles: number[] = [];
for (let round = 0; round < 300; round++) {
  const start = process.hrtime.bigint();
  for (const text of texts) check(text, scope, context);
  compiles.push(Number(process.hrtime.bigint() - start) / 1000);
}
console.log(
  `\ncompile A: first ${compiles[0]?.toFixed(0)} µs, median ${median(compiles).toFixed(0)} µs, best ${best(compiles).toFixed(0)} µs`,
);
const { query: queryA } = workloads["A filter 1.5% + order + take 10 + project 4"] ?? { query: {} };
const whole: number[] = [];
for (let round = 0; round < 300; round++) {
  const start = process.hrtime.bigint();
  runQuery({ from: "small", ...queryA }, { host: smallHost });
  whole.push(Number(process.hrtime.bigint() - start) / 1000);
}
console.log(
  `A over 2,000 rows, checked, generated and run: first ${whole[0]?.toFixed(0)} µs, median ${median(whole).toFixed(0)} µs, best ${best(whole).toFixed(0)} µs`,
);
console.log(`RSS above data: ${((process.memoryUsage().rss - memory) / 1_048_576).toFixed(0)} MB`);
