/**
 * A question for a process that does not know this package, as one function in source: the code generated from the checked tree,
 * and the library that this needs there. Of a caller's text only quoted names and literals are in it.
 */

import type { CheckedExpression, CheckedQuery, QueryPart } from "@fairlead/linq";
import { codeSource, passSource, quotedSource, RecipeLinkage } from "@fairlead/linq/source";
import { library } from "../../gen/remote-library.ts";
import type { ExploreOptions } from "../answer/present.ts";
import type { CheckTarget, RemoteQuestion } from "./question.ts";

/** A script whose value is the library there; nothing of it is left where the program could find it. */
export const librarySource = `(() => {\n"use strict";\n${library}\nreturn library;\n})()`;

/** What a question needs beside its text. */
export interface SourceOptions {
  /** Roots: JavaScript expressions by name, which see nothing of ours. */
  readonly roots: Readonly<Record<string, string>>;
  /** Milliseconds after which a step that does not end is ended. */
  readonly holdMs: number;
  /** True when the caller allows what stops the program; false when left out. */
  readonly allowsPause?: boolean;
  /** What happens to getters and methods; refused when left out. */
  readonly calls?: "refused" | "checked";
}

/** An expression whose value is a function of the library, which starts the reply. */
export const questionSource = (
  question: RemoteQuestion,
  target: CheckTarget,
  { roots, holdMs, allowsPause = false, calls = "refused" }: SourceOptions,
): string => {
  const linkage = new RecipeLinkage(target.host, target.limits);
  const reply = replySource(question, linkage, target);
  const openRun = `${linkage.use("openRemoteRun")}(roots, limits, ${linkage.source({ redact: { ...target.redact }, allowsPause, calls })})`;
  const start = linkage.use("startReply");
  const readers = Object.entries(roots).map(([name, expression]) => `${quotedSource(name)}: () => (${expression})`);
  const tool = question.kind === "roots" || question.kind === "types" ? "explore" : question.kind;
  return `((roots) => (library) => {
"use strict";
const { ${linkage.uses.join(", ")} } = library;
const limits = ${linkage.source({ ...target.limits })};
const run = ${openRun};
const { host } = run;
${linkage.statements}
return ${start}(run, ${reply}, ${linkage.source({ tool, holdMs })});
})({ ${readers.join(", ")} })`;
};

const replySource = (question: RemoteQuestion, linkage: RecipeLinkage, target: CheckTarget): string => {
  const call = (name: string, ...given: readonly string[]): string =>
    `${linkage.use(name)}(${["run", ...given].join(", ")})`;
  switch (question.kind) {
    case "roots":
      return call("replyWithRoots", optionsSource(question.options, linkage));
    case "types":
      return call("replyWithTypes", linkage.source(question.target), optionsSource(question.options, linkage));
    case "explore":
      return call(
        "replyToExplore",
        sentCode(question.checked, linkage, target),
        optionsSource(question.options, linkage),
      );
    case "eval":
      return call("replyToEval", sentCode(question.checked, linkage, target), linkage.source(question.depth));
    case "query":
      return call("replyToQuery", querySource(question.checked, question.requestedRows, { linkage, target }));
  }
};

const optionsSource = ({ depth, includePrivate, limit, offset }: ExploreOptions, linkage: RecipeLinkage): string =>
  linkage.source({ depth, includePrivate, limit, offset });

/** Source of a `Coded`. */
const sentCode = ({ text, type, bound }: CheckedExpression, linkage: RecipeLinkage, { host }: CheckTarget): string =>
  `{ text: ${quotedSource(text)}, type: ${linkage.source(type)}, code: ${codeSource(bound, host, linkage)} }`;

/** Source of a `CodedQuery`. */
const querySource = (
  query: CheckedQuery,
  requestedRows: number | undefined,
  { linkage, target }: { readonly linkage: RecipeLinkage; readonly target: CheckTarget },
): string => {
  const part = (name: QueryPart, checked: CheckedExpression | undefined): string =>
    checked === undefined
      ? "undefined"
      : `${linkage.use("locateCode")}(${quotedSource(name)}, ${quotedSource(checked.text)}, ${codeSource(checked.bound, target.host, linkage)})`;
  const { rowType, resultType, countsOnly, tallied, distinct, skip, take, reads } = query;
  const orderings = query.orderBy.map(
    (checked) => `{ key: ${part("orderBy", checked)}, descending: ${checked.descending} }`,
  );
  const loop = passSource(query, target.host, linkage);
  const keys = [...linkage.keys];
  return `{
from: ${sentCode(query.source, linkage, target)},
outline: ${linkage.source({ rowType, resultType, countsOnly, tallied, distinct, skip, take, reads })},
requestedRows: ${linkage.source(requestedRows)},
where: ${part("where", query.where)},
groupBy: ${part("groupBy", query.groupBy)},
having: ${part("having", query.having)},
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
