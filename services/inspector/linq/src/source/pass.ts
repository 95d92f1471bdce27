/**
 * The direct pass of a query as source: one loop over rows that are plain data, as `guard` decides. Its sink is `sink`; what it does with a
 * row that passed `where` is written inline for the most used sinks of `execute.ts`; the others are called.
 */

import type { CheckedExpression } from "../bind/expression.ts";
import type { CheckedQuery } from "../bind/query.ts";
import type { BoundNode } from "../bind/tree/bound.ts";
import { isLong } from "../bind/tree/long.ts";
import type { HostAccess } from "../type/host.ts";
import { frameName, type Linkage, rowName, SourceWriter } from "./generate.ts";
import { prefilterSource } from "./prefilter.ts";
import { enough } from "./row-loop.ts";

/** Source before the loop, for each row that passed, and after the loop. */
interface LoopParts {
  readonly before?: string;
  readonly each: string;
  readonly after?: string;
}

/** A query with a part that can pause has no pass: others could change the row in the middle of it. */
const noPass = "(rows, from) => from";

const queryParts = ({ where, groupBy, select, orderBy }: CheckedQuery): readonly CheckedExpression[] =>
  [where, groupBy, select, ...orderBy].filter((part) => part !== undefined);

/** The source of a `Loop`. A row is like most rows before it: `e` is the last one that was admitted. */
export const passSource = (query: CheckedQuery, host: HostAccess, linkage: Linkage): string => {
  if (queryParts(query).some(({ bound }) => isLong(bound))) return noPass;
  const writer = new SourceWriter(host, linkage, "direct");
  const test = query.where === undefined ? "" : whereSource(query.where.bound, writer);
  const { before = "", each, after = "" } = loopParts(query, writer);
  const fuel = writer.usesFrame ? `${frameName}.row();` : "";
  return `(rows, from, to, ${frameName}) => {
${writer.declarations}
${before}
const { alike } = guard;
let e = guard;
let i = from;
for (; i < to; i++) {
  const ${rowName} = rows[i];
  if (!alike(${rowName}, e)) {
    if (!guard.admits(${rowName})) break;
    e = ${rowName};
  }
  ${fuel}
  ${test}
  ${each}
}
${after}
return i;
}`;
};

const whereSource = (where: BoundNode, writer: SourceWriter): string => {
  const fails = prefilterSource(where, (read) => writer.property(read));
  return `${fails === undefined ? "" : `if (${fails}) continue;`} if (!${writer.write(where)}) continue;`;
};

/** Ends the loop. */
const end = `{ i = ${enough}; break; }`;

/** Gives the row to the sink, with the row's slot and fuel as careful code has them. */
const given = `${frameName}.slots[0] = ${rowName}; ${frameName}.row();`;

const loopParts = (query: CheckedQuery, writer: SourceWriter): LoopParts => {
  if (query.groupBy !== undefined) return grouped(query, query.groupBy, writer);
  if (query.distinct || query.tallied) return { each: `${given} if (!sink.row(${rowName}, i)) ${end}` };
  return query.orderBy.length > 0 ? ordered(query, writer) : streamed(query, writer);
};

const streamed = ({ select, skip, take }: CheckedQuery, writer: SourceWriter): LoopParts => ({
  before: "const out = sink.out; let seen = sink.seen;",
  each: `seen++;
  if (seen <= ${skip}) continue;
  if (seen > ${skip + take}) ${end}
  out.push(${select === undefined ? rowName : writer.write(select.bound)});`,
  after: "sink.seen = seen;",
});

/** Rows that can not get into the heap are passed over in the loop; the first key decides, when it is a number. */
const ordered = ({ orderBy }: CheckedQuery, writer: SourceWriter): LoopParts => {
  const [first, second] = orderBy;
  const each = `${given} sink.row(${rowName}, i);`;
  if (first === undefined) return { each };
  const sign = `${first.descending ? "<" : ">"}${second === undefined ? "=" : ""}`;
  return {
    before: "const top = sink.top;",
    each: `const k = ${writer.write(first.bound)};
  if (typeof k === "number" && k ${sign} top.bar) { top.seen++; continue; }
  ${each}`,
  };
};

const grouped = (
  { countsOnly }: CheckedQuery,
  { bound }: NonNullable<CheckedQuery["groupBy"]>,
  writer: SourceWriter,
): LoopParts => ({
  before: "const { groups, first } = sink;",
  each: `const k = ${writer.write(bound)};
  const id = typeof k === "string" || typeof k === "number" ? k : sink.key(k);
  const g = first.get(id) ?? groups.find(id, k ?? null);
  ${countsOnly ? "groups.counts[g]++" : `groups.push(g, ${rowName})`};`,
});
