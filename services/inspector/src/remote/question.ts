/**
 * A question for a process that does not know this package, checked here before it travels: every text is parsed and its names
 * and types are settled against the configured roots, so that a mistake is never sent and nothing there parses a caller's text.
 */
import {
  type Argument,
  absent,
  type CheckedExpression,
  type CheckedQuery,
  check,
  checkQuery,
  contextFor,
  dynamic,
  type EvaluationSettings,
  type HostAccess,
  rootScope,
} from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { type EvalInput, type ExploreInput, parseTarget, type QueryInput } from "../answer/inspection.ts";
import type { ExploreOptions } from "../answer/present.ts";
import type { TypeTarget } from "../explore/type-target.ts";
import { hostAccess } from "../host/access.ts";
import type { RedactionOptions } from "../host/redaction.ts";
import { Registry } from "../host/registry.ts";
import type { ToolCall } from "../protocol/message.ts";

/** What the checked trees are bound to. */
export interface CheckTarget {
  readonly host: HostAccess;
  readonly limits: Limits;
  /** What is redacted there. */
  readonly redact?: RedactionOptions | undefined;
}

export type RemoteQuestion =
  | { readonly kind: "roots"; readonly options: ExploreOptions }
  | { readonly kind: "explore"; readonly checked: CheckedExpression; readonly options: ExploreOptions }
  | { readonly kind: "eval"; readonly checked: CheckedExpression; readonly depth: number }
  | { readonly kind: "query"; readonly checked: CheckedQuery; readonly requestedRows: number | undefined }
  | { readonly kind: "types"; readonly target: TypeTarget; readonly options: ExploreOptions };

/** All that is known of the process: the names of its roots, and whether methods may be called there. */
export const createCheckTarget = (
  roots: readonly string[],
  limits: Limits,
  calls: "refused" | "checked" = "refused",
): CheckTarget => {
  const named = roots.map((name) => ({ name, type: dynamic, read: () => null }));
  // Whether an object is of a class is known there alone.
  const classTest = (): (() => boolean) => () => false;
  const host = { ...hostAccess({ registry: new Registry([]), roots: named, now: () => 0, limits }), classTest };
  return { host: calls === "checked" ? { ...host, callMember: () => absent } : host, limits };
};

/** Parses and checks. Throws `LinqError`. The named boundary: inputs were decoded by the contract before they came here. */
export const checkQuestion = ({ tool, input }: ToolCall, target: CheckTarget): RemoteQuestion => {
  const settings = (args?: readonly Argument[]): EvaluationSettings => ({ ...target, args });
  const checked = (text: string, args?: readonly Argument[]): CheckedExpression =>
    check(text, rootScope, contextFor(settings(args)));
  switch (tool) {
    case "explore":
      return checkExplore(input as ExploreInput, checked);
    case "eval": {
      const { expr, args, depth } = input as EvalInput;
      return { kind: "eval", checked: checked(expr, args), depth };
    }
    case "query": {
      const query = input as QueryInput;
      return { kind: "query", checked: checkQuery(query, settings(query.args)), requestedRows: query.take };
    }
  }
};

const checkExplore = (input: ExploreInput, checked: (text: string) => CheckedExpression): RemoteQuestion => {
  const object = parseTarget(input.target);
  switch (object.kind) {
    case "roots":
      return { kind: "roots", options: input };
    case "object":
      return { kind: "explore", checked: checked(object.expr), options: input };
    default:
      return { kind: "types", target: object, options: input };
  }
};
