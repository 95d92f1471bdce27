/** A checked query made to run here: closures, and a direct pass of generated source that is linked by reference. */

import type { CheckedExpression } from "../bind/expression.ts";
import type { CheckedQuery } from "../bind/query.ts";
import { compileCode } from "../closures/compile-long.ts";
import { type Frame, runCode } from "../core/frame.ts";
import { locateStepsInText } from "../core/place.ts";
import { locateCode, locateStepsInPart, type QueryPart } from "../core/query-error.ts";
import type { Resumable } from "../core/resumable.ts";
import { ReferenceLinkage } from "../source/linkage.ts";
import { passSource } from "../source/pass.ts";
import type { RowLoop } from "../source/row-loop.ts";
import { frameFor } from "./evaluate.ts";
import { type PreparedQuery, type QueryRows, readRows } from "./prepared-query.ts";

/** Compiles the parts and reads the source. Throws `QueryError`. */
export const prepare = function* (query: CheckedQuery): Resumable<PreparedQuery> {
  const { host } = query.settings;
  const frame = frameFor(query.settings);
  const coded = (part: QueryPart, checked: CheckedExpression) =>
    locateCode(part, checked.text, compileCode(checked.bound, host));
  const { where, groupBy, having, select, orderBy } = query;
  return {
    outline: query,
    host,
    frame,
    rows: yield* locateStepsInPart("from", () => readSource(query, frame)),
    where: where === undefined ? undefined : coded("where", where),
    groupBy: groupBy === undefined ? undefined : coded("groupBy", groupBy),
    having: having === undefined ? undefined : coded("having", having),
    select: select === undefined ? undefined : coded("select", select),
    orderBy: orderBy.map((checked) => ({ key: coded("orderBy", checked), descending: checked.descending })),
    pass: (direct, sink) => {
      const linkage = new ReferenceLinkage(direct.keys);
      const source = passSource(query, host, linkage);
      const guard = direct.guard(linkage.reads);
      /** The named boundary: the source was written to be a loop. */
      return { guard, loop: linkage.made(source, { sink, guard }) as RowLoop };
    },
  };
};

const readSource = function* ({ source, settings: { host } }: CheckedQuery, frame: Frame): Resumable<QueryRows> {
  const code = compileCode(source.bound, host);
  return yield* locateStepsInText(source.text, function* () {
    return readRows(yield* runCode(code, frame), source.type, host, frame);
  });
};
