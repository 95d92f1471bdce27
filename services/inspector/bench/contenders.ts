/** Who answers the workloads: this service over two kinds of rows, arrays' own methods, and three libraries. */
import { defaultLimits, runQuery } from "@fairlead/linq";
import { hostAccess } from "../src/host/access.ts";
import { properties } from "../src/host/declaration.ts";
import { Registry } from "../src/host/registry.ts";
import { loaded } from "./peers.ts";
import { type Entity, type Name, workloads } from "./workloads.ts";

/** An answer, and the scan path that was used where there are several. */
interface Outcome {
  readonly rows: readonly unknown[];
  readonly path?: string;
}

interface Contender {
  readonly rows: readonly Entity[];
  readonly run: (name: Name) => Outcome | Promise<Outcome>;
}

/** Makes a contender over rows. */
type Make = (rows: readonly Entity[]) => Contender | Promise<Contender>;

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

/** Every safety is on; only the limits on result rows and time are raised to let a million rows out. */
export const inspectorOver = (rows: readonly Entity[], type: string) => {
  const limits = { ...defaultLimits, resultRows: rows.length, wallMs: 600_000 };
  const host = hostAccess({
    registry,
    now: () => 0,
    limits,
    roots: [{ name: "Rows", type: registry.type(type), read: () => rows }],
  });
  return { host, limits };
};

const ours = (rows: readonly Entity[], type: string): Contender => {
  const settings = inspectorOver(rows, type);
  return { rows, run: (name) => runQuery({ from: "Rows", ...workloads[name].query }, settings) };
};

const shown = ({ Id, Name, Level, Distance }: Entity) => ({ Id, Name, Level, Distance });

const arrayMethods: Readonly<Record<Name, (rows: readonly Entity[]) => readonly unknown[]>> = {
  A: (rows) =>
    rows
      .filter((row) => row.IsHostile && row.Distance < 50)
      .sort((a, b) => a.Distance - b.Distance)
      .slice(0, 10)
      .map(shown),
  B: (rows) =>
    Object.entries(
      Object.groupBy(
        rows.filter((row) => row.Level >= 50),
        (row) => row.Type,
      ),
    ).map(([Key, group]) => ({ Key, Count: group?.length })),
  C: (rows) => rows.filter((row) => row.Distance < 400).map(({ Id, Name }) => ({ Id, Name })),
};

const linqJs: Make = async (rows) => {
  const Enumerable = await loaded("linq");
  const from = () => Enumerable.from(rows);
  const run: Readonly<Record<Name, () => readonly unknown[]>> = {
    A: () =>
      from()
        .where((row) => row.IsHostile && row.Distance < 50)
        .orderBy((row) => row.Distance)
        .take(10)
        .select(shown)
        .toArray(),
    B: () =>
      from()
        .where((row) => row.Level >= 50)
        .groupBy(
          (row) => row.Type,
          undefined,
          (Key, group) => ({ Key, Count: group.count() }),
        )
        .toArray(),
    C: () =>
      from()
        .where((row) => row.Distance < 400)
        .select(({ Id, Name }) => ({ Id, Name }))
        .toArray(),
  };
  return { rows, run: (name) => ({ rows: run[name]() }) };
};

const mingo: Make = async (rows) => {
  const { Aggregator } = await loaded("mingo");
  const pipelines: Readonly<Record<Name, readonly object[]>> = {
    A: [
      { $match: { IsHostile: true, Distance: { $lt: 50 } } },
      { $sort: { Distance: 1 } },
      { $limit: 10 },
      { $project: { _id: 0, Id: 1, Name: 1, Level: 1, Distance: 1 } },
    ],
    B: [
      { $match: { Level: { $gte: 50 } } },
      { $group: { _id: "$Type", Count: { $sum: 1 } } },
      { $project: { _id: 0, Key: "$_id", Count: 1 } },
    ],
    C: [{ $match: { Distance: { $lt: 400 } } }, { $project: { _id: 0, Id: 1, Name: 1 } }],
  };
  return { rows, run: (name) => ({ rows: new Aggregator(pipelines[name]).run(rows) }) };
};

const jsonata: Make = async (rows) => {
  const compile = await loaded("jsonata");
  const texts: Readonly<Record<Name, string>> = {
    A: '(r[IsHostile and Distance < 50]^(Distance))[[0..9]].{ "Id": Id, "Name": Name, "Level": Level, "Distance": Distance }',
    B: '$each(r[Level >= 50]{ Type: $count($) }, function($v, $k) { { "Key": $k, "Count": $v } })',
    C: 'r[Distance < 400].{ "Id": Id, "Name": Name }',
  };
  return { rows, run: async (name) => ({ rows: await compile(texts[name]).evaluate({ r: rows }) }) };
};

export const contenders: Readonly<Record<string, Make>> = {
  "fairlead, declared class": (rows) =>
    ours(
      rows.map((row) => new DeclaredEntity(row)),
      "List<Entity>",
    ),
  "fairlead, undeclared": (rows) => ours(rows, "object"),
  "array methods": (rows) => ({ rows, run: (name) => ({ rows: arrayMethods[name](rows) }) }),
  "linq.js": linqJs,
  mingo,
  jsonata,
};
