/**
 * A question for a process that does not know this package, as one function in source: what it asks, generated from the checked tree,
 * and the library that this needs there. Of a caller's text only quoted names and literals are in it.
 */

import type { Checked, CheckedQuery, QueryPart } from "@fairlead/linq";
import { ByRecipe, functionSource, passSource, quotedSource } from "@fairlead/linq/source";
import { library } from "../../gen/remote-library.ts";
import type { Looking } from "../answer/present.ts";
import type { Ground, Question } from "./question.ts";

/**
 * Runs the library there. It is a text of its own, so that the engine there compiles it once, whatever the questions around it are; nothing
 * of it is left where the program could find it.
 */
const runLibrary = `process.getBuiltinModule("node:vm").runInThisContext(${quotedSource(
  `(() => {\n"use strict";\n${library}\nreturn library;\n})()`,
)})`;

/**
 * An expression whose value is the reply as JSON. `roots` are JavaScript expressions by name, which see nothing of ours.
 */
export const shipment = (
  question: Exclude<Question, { readonly kind: "answered" }>,
  ground: Ground,
  roots: Readonly<Record<string, string>>,
): string => {
  const linkage = new ByRecipe(ground.host, ground.limits);
  const reply = replySource(question, linkage, ground);
  const there = `${linkage.use("thereWith")}(roots, limits)`;
  const readers = Object.entries(roots).map(([name, expression]) => `${quotedSource(name)}: () => (${expression})`);
  return `((roots) => {
"use strict";
const { ${linkage.uses.join(", ")} } = ${runLibrary};
const limits = ${linkage.source({ ...ground.limits })};
const there = ${there};
const { host } = there;
${linkage.statements}
return ${reply};
})({ ${readers.join(", ")} })`;
};

type Asked = Exclude<Question, { readonly kind: "answered" }>;

const replySource = (question: Asked, linkage: ByRecipe, ground: Ground): string => {
  const call = (name: string, ...given: readonly string[]): string =>
    `${linkage.use(name)}(${["there", ...given].join(", ")})`;
  switch (question.kind) {
    case "roots":
      return call("replyWithRoots", looking(question.looking, linkage));
    case "explore":
      return call("replyToExplore", coded(question.checked, linkage, ground), looking(question.looking, linkage));
    case "eval":
      return call("replyToEval", coded(question.checked, linkage, ground), linkage.source(question.depth));
    case "query":
      return call("replyToQuery", codedQuery(question.checked, question.wanted, { linkage, ground }));
  }
};

const looking = ({ depth, includePrivate, limit, offset }: Looking, linkage: ByRecipe): string =>
  linkage.source({ depth, includePrivate, limit, offset });

/** Source of a `Coded`. */
const coded = ({ text, type, bound }: Checked, linkage: ByRecipe, { host }: Ground): string =>
  `{ text: ${quotedSource(text)}, type: ${linkage.source(type)}, code: ${functionSource(bound, host, linkage)} }`;

/** Source of a `CodedQuery`. */
const codedQuery = (
  query: CheckedQuery,
  wanted: number | undefined,
  { linkage, ground }: { readonly linkage: ByRecipe; readonly ground: Ground },
): string => {
  const part = (name: QueryPart, checked: Checked | undefined): string =>
    checked === undefined
      ? "undefined"
      : `${linkage.use("inPartOf")}(${quotedSource(name)}, ${quotedSource(checked.text)}, ${functionSource(checked.bound, ground.host, linkage)})`;
  const { rowType, resultType, countsOnly, tallied, distinct, skip, take } = query;
  const orderings = query.orderBy.map(
    (checked) => `{ key: ${part("orderBy", checked)}, descending: ${checked.descending} }`,
  );
  const loop = passSource(query, ground.host, linkage);
  const keys = [...linkage.keys];
  return `{
from: ${coded(query.source, linkage, ground)},
outline: ${linkage.source({ rowType, resultType, countsOnly, tallied, distinct, skip, take })},
wanted: ${linkage.source(wanted)},
where: ${part("where", query.where)},
groupBy: ${part("groupBy", query.groupBy)},
select: ${part("select", query.select)},
orderBy: [${orderings.join(", ")}],
pass: (direct, sink) => {
const { keys } = direct;
${keys.map(([name, source]) => `const ${name} = ${source};`).join("\n")}
const guard = direct.guard([${keys.map(([name]) => name).join(", ")}]);
return { guard, loop: ${loop} };
},
}`;
};
