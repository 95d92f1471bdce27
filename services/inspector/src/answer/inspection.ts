/**
 * The three tools over one host: explore, eval, query. Free of Effect; where it runs (in this thread, in a worker) is not its
 * business. Throws `LinqError`.
 */
import {
  type Argument,
  type EvaluationSettings,
  type QueryText,
  type Resumable,
  startEvaluation,
  startQuery,
} from "@fairlead/linq";
import type { Json } from "../encode/encode.ts";
import type { InstancesInfo, LiveInfo, SearchInfo, TypeInfo } from "../explore/shape.ts";
import { exploreTypes, type TypeTarget } from "../explore/type-target.ts";
import { privateDenied } from "../host/define-class.ts";
import { withinBytes } from "./json-text.ts";
import { type ExploreOptions, Presenter, type PresenterOptions, type QueryAnswer } from "./present.ts";

export interface ExploreInput extends ExploreOptions {
  readonly target: string;
}

export interface EvalInput {
  readonly expr: string;
  /** Values of `@0`, `@1` … */
  readonly args?: readonly Argument[] | undefined;
  readonly depth: number;
}

export interface QueryInput extends QueryText {
  readonly args?: readonly Argument[] | undefined;
}

type ExploreAnswer = LiveInfo | TypeInfo | SearchInfo | InstancesInfo;

/** What a target of `explore` is. */
type ExploreTarget = { readonly kind: "roots" } | TypeTarget | { readonly kind: "object"; readonly expr: string };

export const parseTarget = (text: string): ExploreTarget => {
  const target = text.trim();
  if (target === "") return { kind: "roots" };
  if (target.startsWith("type:")) {
    const name = target.slice(5).trim();
    return name.includes("*") ? { kind: "types", pattern: name } : { kind: "type", name };
  }
  if (target.startsWith("instances:")) return { kind: "instances", name: target.slice(10).trim() };
  if (target.startsWith("search:")) return { kind: "search", pattern: target.slice(7) };
  return { kind: "object", expr: target };
};

export class Inspection {
  readonly #options: PresenterOptions;
  readonly #presenter: Presenter;

  constructor(options: PresenterOptions) {
    this.#options = options;
    this.#presenter = new Presenter(options);
  }

  *explore(input: ExploreInput): Resumable<ExploreAnswer> {
    const { deniesPrivate = false, limits, budget } = this.#options;
    if (!deniesPrivate || !input.includePrivate)
      return yield* withinBytes(yield* this.#explored(input), limits.resultBytes, budget);
    const answer = yield* this.#explored({ ...input, includePrivate: false });
    const hint = `private members are left out: ${privateDenied}`;
    return yield* withinBytes({ hint, ...answer }, limits.resultBytes, budget);
  }

  *#explored(input: ExploreInput): Resumable<ExploreAnswer> {
    const target = parseTarget(input.target);
    switch (target.kind) {
      case "roots":
        return yield* this.#presenter.roots(input);
      case "type":
      case "types":
      case "search":
      case "instances":
        return yield* exploreTypes(target, input, this.#options);
      case "object": {
        const found = yield* startEvaluation(target.expr, this.#settings());
        return yield* this.#presenter.live(found, target.expr, input);
      }
    }
  }

  *eval({ expr, depth, args }: EvalInput): Resumable<Json> {
    const found = yield* startEvaluation(expr, this.#settings(args));
    return yield* this.#presenter.value(found, expr, depth);
  }

  *query(input: QueryInput): Resumable<QueryAnswer> {
    const result = yield* startQuery(input, this.#settings(input.args));
    return yield* this.#presenter.rows(result, input.take);
  }

  #settings(args?: readonly Argument[]): EvaluationSettings {
    const { host, limits, elapsed, budget } = this.#options;
    return { host, limits, args, budget, clock: { elapsed } };
  }
}
