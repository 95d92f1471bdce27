/**
 * A question for a process that does not know this package, checked here before it travels: every text is parsed and its names
 * and types are settled against the configured roots, so that a mistake never gets there and nobody there reads a caller's text.
 */
import {
  type Argument,
  type Checked,
  type CheckedQuery,
  check,
  checkQuery,
  contextFor,
  dynamic,
  type HostAccess,
  rootScope,
  type Settings,
} from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { type EvalInput, type ExploreInput, Inspection, type QueryInput, targetOf } from "../answer/inspection.ts";
import type { Looking } from "../answer/present.ts";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import type { Ask } from "../protocol/message.ts";

/** What the checked trees are bound to. */
export interface Ground {
  readonly host: HostAccess;
  readonly limits: Limits;
}

export type Question =
  | { readonly kind: "roots"; readonly looking: Looking }
  | { readonly kind: "explore"; readonly checked: Checked; readonly looking: Looking }
  | { readonly kind: "eval"; readonly checked: Checked; readonly depth: number }
  | { readonly kind: "query"; readonly checked: CheckedQuery; readonly wanted: number | undefined }
  /** Nothing of it is there: types are declared here. */
  | { readonly kind: "answered"; readonly value: unknown };

/** All that is known of the process: the names of its roots. */
export const groundFor = (roots: readonly string[], limits: Limits): Ground => {
  const named = roots.map((name) => ({ name, type: dynamic, read: () => null }));
  return { host: hostAccess({ registry: new Registry([]), roots: named, now: () => 0, limits }), limits };
};

/** Parses and checks. Throws `LinqError`. The named boundary: inputs were decoded by the contract before they came here. */
export const checkedQuestion = ({ tool, input }: Ask, ground: Ground): Question => {
  const settings = (args?: readonly Argument[]): Settings => ({ ...ground, args });
  const checked = (text: string, args?: readonly Argument[]): Checked =>
    check(text, rootScope, contextFor(settings(args)));
  switch (tool) {
    case "explore":
      return exploring(input as ExploreInput, ground, checked);
    case "eval": {
      const { expr, args, depth } = input as EvalInput;
      return { kind: "eval", checked: checked(expr, args), depth };
    }
    case "query": {
      const query = input as QueryInput;
      return { kind: "query", checked: checkQuery(query, settings(query.args)), wanted: query.take };
    }
  }
};

const exploring = (input: ExploreInput, { host, limits }: Ground, checked: (text: string) => Checked): Question => {
  const target = targetOf(input.target);
  switch (target.kind) {
    case "roots":
      return { kind: "roots", looking: input };
    case "object":
      return { kind: "explore", checked: checked(target.expr), looking: input };
    default: {
      const here = new Inspection({ host, limits, registry: new Registry([]), elapsed: () => 0 });
      return { kind: "answered", value: here.explore(input) };
    }
  }
};
