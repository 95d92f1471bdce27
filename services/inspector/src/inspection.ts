/**
 * The three tools over one host: explore, eval, query. Synchronous and free of Effect; where it runs (in this thread, in a
 * worker) is not its business. Throws `LinqError`.
 */
import { Encoder, type Json } from "./answer/encode.ts";
import { type HiddenView, LiveView } from "./explore/live.ts";
import type { LiveInfo, MemberInfo, SearchInfo, TypeInfo } from "./explore/shape.ts";
import { search, typeInfo } from "./explore/types.ts";
import type { Registry } from "./host/registry.ts";
import type { Argument } from "./linq/binder/argument.ts";
import type { Syntax } from "./linq/binder/context.ts";
import {
  evaluate,
  type HostAccess,
  type Limits,
  LinqError,
  type QueryText,
  type RootDefinition,
  runQuery,
  type Settings,
  type Type,
  typeName,
} from "./linq/index.ts";

export interface InspectionOptions {
  readonly host: HostAccess;
  readonly registry: Registry;
  readonly limits: Limits;
  /** Milliseconds from any origin. */
  readonly elapsed: () => number;
  /** What each root is, for the list of roots. */
  readonly descriptions?: Readonly<Record<string, string>>;
  readonly hidden?: HiddenView;
  /** Trees of the questions, where they were made elsewhere. */
  readonly syntax?: Syntax;
}

export interface ExploreInput {
  readonly target: string;
  readonly depth: number;
  readonly includePrivate: boolean;
  readonly limit: number;
  readonly offset: number;
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

export interface QueryAnswer {
  readonly rows: readonly Json[];
  readonly count: number;
  readonly matched: number;
  readonly counted: boolean;
  readonly more: boolean;
  readonly type: string;
  readonly path: "generated" | "closures";
  readonly counts?: readonly { readonly value: Json; readonly count: number }[];
  readonly note?: string;
}

export type ExploreAnswer = LiveInfo | TypeInfo | SearchInfo;

export class Inspection {
  readonly #options: InspectionOptions;

  constructor(options: InspectionOptions) {
    this.#options = options;
  }

  explore(input: ExploreInput): ExploreAnswer {
    const target = input.target.trim();
    const { registry } = this.#options;
    if (target === "") return this.#roots(input);
    if (target.startsWith("type:")) return typeInfo(target.slice(5).trim(), registry, input.includePrivate);
    if (target.startsWith("search:")) return search(target.slice(7), registry, input);
    const { value, type } = evaluate(target, this.#settings());
    return this.#view(input).describe(value, type, { expr: target, depth: input.depth });
  }

  eval({ expr, depth, args }: EvalInput): Json {
    const { value, type } = evaluate(expr, this.#settings(args));
    return this.#encoder().encode(value, type, { depth, path: expr.trim() });
  }

  query(input: QueryInput): QueryAnswer {
    const { limits } = this.#options;
    const { rows, type, matched, counted, more, path, counts } = runQuery(input, this.#settings(input.args));
    const encoder = this.#encoder();
    const depth = type.kind === "record" ? 2 : 1;
    const shown: Json[] = [];
    let isFull = false;
    for (const row of rows) {
      try {
        shown.push(encoder.encode(row, type, { depth, path: `[${shown.length}]` }));
      } catch (error) {
        if (!(error instanceof LinqError) || error.code !== "result_too_large" || shown.length === 0) throw error;
        isFull = true;
        break;
      }
    }
    const capped = (input.take ?? 0) > limits.resultRows && more;
    const note = isFull
      ? `cut after ${shown.length} rows: the result is limited to ${limits.resultBytes} bytes; select fewer members`
      : capped
        ? `results are limited to ${limits.resultRows} rows; go on with skip`
        : more
          ? "there are more rows: raise take, or go on with skip"
          : undefined;
    return {
      rows: shown,
      count: shown.length,
      matched,
      counted,
      more: more || isFull,
      type: typeName(type),
      path,
      ...(counts === undefined
        ? {}
        : {
            counts: counts.map(({ value, count }) => ({
              value: this.#encoder().encode(value, type, { depth: 0, path: "" }),
              count,
            })),
          }),
      ...(note === undefined ? {} : { note }),
    };
  }

  #settings(args?: readonly Argument[]): Settings {
    const { host, limits, elapsed, syntax } = this.#options;
    return { host, limits, args, clock: { elapsed }, ...(syntax === undefined ? {} : { syntax }) };
  }

  readonly #isStruct = (type: Type): boolean => {
    if (type.kind !== "class") return false;
    const found = this.#options.registry.find(type.definition.fullName)?.declaration;
    return found?.kind === "struct";
  };

  #encoder(): Encoder {
    const { host, limits } = this.#options;
    return new Encoder({
      host,
      items: 50,
      bytes: limits.resultBytes,
      isStruct: (definition) => this.#isStruct({ kind: "class", definition }),
    });
  }

  #view({ includePrivate, limit, offset }: ExploreInput): LiveView {
    const { host, registry, limits, elapsed, hidden } = this.#options;
    return new LiveView({
      host,
      registry,
      isStruct: this.#isStruct,
      includePrivate,
      limit,
      offset,
      bytes: limits.resultBytes,
      elapsed,
      ...(hidden === undefined ? {} : { hidden }),
    });
  }

  /** What a root holds, or why it can not be read. */
  #root(
    { name, type, read }: RootDefinition,
    input: ExploreInput,
  ): Omit<LiveInfo, "path" | "methods"> & Pick<MemberInfo, "unreadable"> {
    try {
      const view = this.#view({ ...input, limit: 10, offset: 0 });
      const { path: _, methods: __, ...info } = view.describe(read(), type, { expr: name, depth: input.depth - 1 });
      return info;
    } catch (error) {
      if (!(error instanceof LinqError) || error.code === "result_too_large") throw error;
      return { type: typeName(type), unreadable: error.message };
    }
  }

  #roots(input: ExploreInput): LiveInfo {
    const { host, descriptions = {} } = this.#options;
    const members = host.roots.map((root): MemberInfo => {
      const description = descriptions[root.name];
      return {
        name: root.name,
        kind: "root",
        access: "public",
        expr: root.name,
        ...(description === undefined ? {} : { description }),
        ...this.#root(root, input),
      };
    });
    return { path: "", type: "roots", count: members.length, members };
  }
}
