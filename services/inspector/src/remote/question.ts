/**
 * A question for a process that does not know this package, checked here before it travels: every text is parsed and its names
 * and types are settled against the configured roots, so that a mistake never gets there and nobody there reads a caller's text.
 */
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import type { EvalInput, ExploreInput, QueryInput } from "../inspection.ts";
import type { Node, OrderKey } from "../linq/ast.ts";
import type { Syntax } from "../linq/binder/context.ts";
import { check, contextFor, parserFor, rootScope, type Settings } from "../linq/evaluate.ts";
import type { Limits } from "../linq/limits.ts";
import { checkQuery } from "../linq/query/plan.ts";
import { dynamic } from "../linq/type.ts";
import type { Ask, Tool } from "../worker-message.ts";

/** What travels: plain data. */
export interface Question {
  readonly ask: Ask;
  readonly limits: Limits;
  /** Trees by the texts they were made from. */
  readonly trees: Readonly<Record<string, Node>>;
  readonly orderings: Readonly<Record<string, readonly OrderKey[]>>;
}

/** Parses and checks. Throws `LinqError`, as the process would. */
export const checkedQuestion = (ask: Ask, roots: readonly string[], limits: Limits): Question => {
  const trees: Record<string, Node> = Object.create(null);
  const orderings: Record<string, readonly OrderKey[]> = Object.create(null);
  const parser = parserFor(limits);
  const syntax: Syntax = {
    parse: (text) => {
      trees[text] = parser.parse(text);
      return trees[text];
    },
    parseOrdering: (text) => {
      orderings[text] = parser.parseOrdering(text);
      return orderings[text];
    },
  };
  const host = hostAccess({
    registry: new Registry([]),
    roots: roots.map((name) => ({ name, type: dynamic, read: () => null })),
    now: () => 0,
    limits,
  });
  checkInput(ask.tool, ask.input, { host, limits, syntax });
  return { ask, limits, trees, orderings };
};

/** The named boundary: inputs were decoded by the contract before they came here. */
const checkInput = (tool: Tool, input: unknown, settings: Settings): void => {
  switch (tool) {
    case "explore": {
      const target = (input as ExploreInput).target.trim();
      if (target !== "" && !target.startsWith("type:") && !target.startsWith("search:"))
        check(target, rootScope, contextFor(settings));
      return;
    }
    case "eval": {
      const { expr, args } = input as EvalInput;
      check(expr, rootScope, contextFor({ ...settings, args }));
      return;
    }
    case "query": {
      const query = input as QueryInput;
      checkQuery(query, { ...settings, args: query.args });
    }
  }
};
