/**
 * A question for a process that does not know this package, as one function in source: what it asks, generated from the checked tree,
 * and those declarations of ours that it needs. Of a caller's text only quoted names and literals are in it.
 */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Checked, CheckedQuery, QueryPart } from "@fairlead/linq";
import { ByRecipe, functionSource, passSource, quotedSource } from "@fairlead/linq/source";
import type { Looking } from "../answer/present.ts";
import { Library } from "./bundle.ts";
import type { Ground, Question } from "./question.ts";

let known: Library | undefined;

/** Every declaration that source may need: those of the language, and of the other side of this package. */
const library = (): Library => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const resolved = createRequire(import.meta.url).resolve;
  const language = ["@fairlead/linq", "@fairlead/linq/source"].map((name) => pathToFileURL(resolved(name)));
  known ??= new Library([...language, new URL(`./there.${extension}`, import.meta.url)]);
  return known;
};

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
${library().source(linkage.uses)}
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
