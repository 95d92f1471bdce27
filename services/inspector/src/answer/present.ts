/**
 * Values as the three tools show them: what `eval` gives, the rows of `query`, the members that `explore` lists. How the values were
 * found is not its business.
 */

import {
  type HostAccess,
  LinqError,
  type PauseBudget,
  type QueryResult,
  type Resumable,
  type RootDefinition,
  type Type,
  typeName,
} from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { Encoder, type Json } from "../encode/encode.ts";
import { rootExpression } from "../encode/expression.ts";
import type { HiddenView, TimeLimiter } from "../explore/hidden-view.ts";
import { LiveView } from "../explore/live.ts";
import type { LiveInfo, MemberInfo } from "../explore/shape.ts";
import type { Registry } from "../host/registry.ts";

export interface PresenterOptions {
  readonly host: HostAccess;
  readonly registry: Registry;
  readonly limits: Limits;
  /** Milliseconds from any origin. */
  readonly elapsed: () => number;
  /** What each root is, for the list of roots. */
  readonly descriptions?: Readonly<Record<string, string>>;
  readonly hidden?: HiddenView;
  /** True when the host denies private members. */
  readonly deniesPrivate?: boolean;
  readonly within?: TimeLimiter;
  /** When to give the thread back; never when left out. */
  readonly budget?: PauseBudget | undefined;
}

/** How much of a live object is shown. */
export interface ExploreOptions {
  readonly depth: number;
  readonly includePrivate: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface QueryAnswer {
  readonly rows: readonly Json[];
  readonly count: number;
  readonly matched: number;
  readonly counted: boolean;
  readonly more: boolean;
  readonly type: string;
  readonly path: "generated" | "careful";
  readonly counts?: readonly { readonly value: Json; readonly count: number }[];
  readonly different?: number;
  readonly note?: string;
}

interface TypedValue {
  readonly value: unknown;
  readonly type: Type;
}

/** Part of an answer that the counts beside its rows may fill. */
const countsShare = 1 / 4;

export class Presenter {
  readonly #options: PresenterOptions;

  constructor(options: PresenterOptions) {
    this.#options = options;
  }

  /** The value of an expression. */
  value({ value, type }: TypedValue, expr: string, depth: number): Resumable<Json> {
    return this.#encoder().encodeInSteps(value, type, { depth, path: expr.trim() });
  }

  /** A live object that an expression leads to. */
  live({ value, type }: TypedValue, expr: string, looking: ExploreOptions): Resumable<LiveInfo> {
    return this.#view(looking).describe(value, type, { expr, depth: looking.depth });
  }

  /** The rows of a query whose caller asked for `take` of them. */
  *rows(result: QueryResult, take: number | undefined): Resumable<QueryAnswer> {
    const { limits } = this.#options;
    const { rows, type, matched, counted, more, path } = result;
    const { counts, bytes } = this.#counts(result);
    const encoder = this.#encoder(limits.resultBytes - bytes);
    const depth = type.kind === "record" ? 2 : 1;
    const shown: Json[] = [];
    let isFull = false;
    for (const row of rows) {
      try {
        shown.push(yield* encoder.encodeInSteps(row, type, { depth, path: `[${shown.length}]` }));
      } catch (error) {
        if (!(error instanceof LinqError) || error.code !== "result_too_large" || shown.length === 0) throw error;
        isFull = true;
        break;
      }
    }
    const capped = (take ?? 0) > limits.resultRows && more;
    const cut = isFull
      ? `cut after ${shown.length} rows: the result is limited to ${limits.resultBytes} bytes; select fewer members`
      : capped
        ? `results are limited to ${limits.resultRows} rows; go on with skip`
        : more
          ? "there are more rows: raise take, or go on with skip"
          : undefined;
    const notes = [...(result.missing ?? []), ...(cut === undefined ? [] : [cut])];
    return {
      rows: shown,
      count: shown.length,
      matched,
      counted,
      more: more || isFull,
      type: typeName(type),
      path,
      ...(counts === undefined || result.tally === undefined ? {} : { counts, different: result.tally.different }),
      ...(notes.length === 0 ? {} : { note: notes.join(". ") }),
    };
  }

  /** The counts of a result, the most frequent first, as far as they fit into their share of the answer. */
  #counts({ tally, type }: QueryResult): Pick<QueryAnswer, "counts"> & { readonly bytes: number } {
    if (tally === undefined) return { bytes: 0 };
    const encoder = this.#encoder(Math.floor(this.#options.limits.resultBytes * countsShare));
    const counts: { readonly value: Json; readonly count: number }[] = [];
    try {
      for (const { value, count } of tally.counts)
        counts.push({ value: encoder.encode(value, type, { depth: 0, path: "" }), count });
    } catch (error) {
      if (!(error instanceof LinqError) || error.code !== "result_too_large") throw error;
    }
    return { counts, bytes: encoder.bytes };
  }

  *roots(looking: ExploreOptions): Resumable<LiveInfo> {
    const { host, descriptions = {} } = this.#options;
    const members: MemberInfo[] = [];
    for (const root of host.roots.slice(looking.offset)) {
      const description = descriptions[root.name];
      members.push({
        name: root.name,
        kind: "root",
        access: "public",
        expr: rootExpression(root.name),
        ...(description === undefined ? {} : { description }),
        ...(yield* this.#root(root, looking)),
      });
    }
    return { path: "", type: "roots", count: host.roots.length, members };
  }

  /** The value of a root, or why it can not be read. */
  *#root(
    { name, type, read }: RootDefinition,
    looking: ExploreOptions,
  ): Resumable<Omit<LiveInfo, "path" | "methods"> & Pick<MemberInfo, "unreadable">> {
    try {
      const view = this.#view({ ...looking, limit: 10, offset: 0 });
      const {
        path: _,
        methods: __,
        ...info
      } = yield* view.describe(read(), type, {
        expr: rootExpression(name),
        depth: looking.depth - 1,
      });
      return info;
    } catch (error) {
      if (!(error instanceof LinqError) || error.code === "result_too_large") throw error;
      return { type: typeName(type), unreadable: error.message };
    }
  }

  readonly #isStruct = (type: Type): boolean => {
    if (type.kind !== "class") return false;
    const found = this.#options.registry.find(type.definition.fullName)?.declaration;
    return found?.kind === "struct";
  };

  #encoder(bytes = this.#options.limits.resultBytes): Encoder {
    const { host, budget } = this.#options;
    return new Encoder({
      host,
      budget,
      items: 50,
      bytes,
      isStruct: (definition) => this.#isStruct({ kind: "class", definition }),
    });
  }

  #view({ includePrivate, limit, offset }: ExploreOptions): LiveView {
    const { host, registry, limits, elapsed, hidden, within, budget } = this.#options;
    return new LiveView({
      host,
      budget,
      registry,
      isStruct: this.#isStruct,
      includePrivate,
      limit,
      offset,
      bytes: limits.resultBytes,
      elapsed,
      wallMs: limits.wallMs,
      ...(within === undefined ? {} : { within }),
      ...(hidden === undefined ? {} : { hidden }),
    });
  }
}
