/** The three workloads over seeded rows: the question in our language, and the loop one would write by hand. */

import type { QueryText } from "@fairlead/linq";
export interface Entity {
  readonly Id: number;
  readonly Type: string;
  readonly Name: string;
  readonly Level: number;
  readonly Distance: number;
  readonly IsHostile: boolean;
}

/** A seeded generator, so that every run has the same rows. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const kinds = ["Monster", "Chest", "Player", "Npc", "Portal", "Effect"];

export const entities = (count: number): Entity[] => {
  const next = random(7);
  return Array.from({ length: count }, (_, id) => ({
    Id: id,
    Type: kinds[Math.floor(next() * kinds.length)] ?? "Monster",
    Name: `Entity ${id % 5000}`,
    Level: Math.floor(next() * 100),
    Distance: next() * 1000,
    IsHostile: next() < 0.3,
  }));
};

export const names = ["A", "B", "C"] as const;
export type Name = (typeof names)[number];

interface Workload {
  readonly title: string;
  readonly query: Omit<QueryText, "from">;
  readonly loop: (rows: readonly Entity[]) => readonly unknown[];
}

export const workloads: Readonly<Record<Name, Workload>> = {
  A: {
    title: "filter 1.5 % + order + take 10 + project 4",
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
  },
  B: {
    title: "filter 50 % + count by Type",
    query: { where: "Level >= 50", groupBy: "Type" },
    loop: (rows) => {
      const counts = new Map<string, number>();
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (row !== undefined && row.Level >= 50) counts.set(row.Type, (counts.get(row.Type) ?? 0) + 1);
      }
      return [...counts].map(([Key, Count]) => ({ Key, Count }));
    },
  },
  C: {
    title: "filter 40 % + project 2",
    query: { where: "Distance < 400", select: "new { Id, Name }", take: 1_000_000_000 },
    loop: (rows) => {
      const out: unknown[] = [];
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i];
        if (row !== undefined && row.Distance < 400) out.push({ Id: row.Id, Name: row.Name });
      }
      return out;
    },
  },
};
