/** All regular expressions of what people get: the literals of the sources, and the patterns of the generated schemas. */
import { type Expression, expressionsIn, patternsIn } from "./expressions.ts";
import { files, read } from "./sources.ts";

const shipped = files.filter(
  (path) =>
    /^(?:contracts|codegen|kernel|services\/[^/]+|clients\/[^/]+)\/(?:src|gen|bin)\//.test(path) &&
    !/\.(?:test|test-d|d)\.ts$/.test(path),
);
const sources = shipped.filter((path) => /\.(?:ts|js|mjs)$/.test(path));
const documents = shipped.filter((path) => /\/gen\/[^/]*\.json$/.test(path));

export interface ShippedExpressions {
  readonly literals: readonly Expression[];
  readonly patterns: readonly Expression[];
  /** Paths of sources that put expressions together while they run. */
  readonly computed: readonly string[];
}

/** One of each, whatever the number of files it is in. */
export const distinct = (expressions: readonly Expression[]): readonly Expression[] => [
  ...new Map(expressions.map((expression) => [`/${expression.source}/${expression.flags}`, expression])).values(),
];

export const shippedExpressions = (): ShippedExpressions => {
  const found = sources.map((path) => ({ path, ...expressionsIn(path, read(path)) }));
  return {
    literals: distinct(found.flatMap((file) => file.literals)),
    patterns: distinct(documents.flatMap((path) => patternsIn(path, read(path)))),
    computed: found.filter(({ computed }) => computed > 0).map(({ path }) => path),
  };
};
