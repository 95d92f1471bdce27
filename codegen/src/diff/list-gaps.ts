/** Gaps between two schemas of lists, tuples included. Pure. */
import { isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { embedGaps, type Gap, type PartComparison } from "./gap.ts";
import { readNumber } from "./scalar-gaps.ts";

/** The schema at an index; `undefined` where a list cannot be that long. */
const itemAt = ({ prefixItems = [], items }: JsonSchema, index: number): JsonSchema | undefined =>
  prefixItems[index] ?? (items === false ? undefined : isSchema(items) ? items : {});

const longestList = 2_000;

export const listGaps = (
  wider: JsonSchema,
  narrower: JsonSchema,
  { compare, values }: PartComparison,
): readonly Gap[] => {
  /** A list of the wider schema of some length. */
  const makeList = (length: number): readonly unknown[] =>
    Array.from({ length }, (_, index) => {
      const choices = values.samples(itemAt(wider, index) ?? {});
      return choices[wider.uniqueItems === true ? index : 0] ?? choices[0] ?? null;
    });
  const leastA = readNumber(wider, "minItems") ?? 0;
  const mostA = Math.min(
    readNumber(wider, "maxItems") ?? Number.POSITIVE_INFINITY,
    wider.items === false ? (wider.prefixItems?.length ?? 0) : Number.POSITIVE_INFINITY,
  );
  const leastB = readNumber(narrower, "minItems") ?? 0;
  const mostB = Math.min(
    readNumber(narrower, "maxItems") ?? Number.POSITIVE_INFINITY,
    narrower.items === false ? (narrower.prefixItems?.length ?? 0) : Number.POSITIVE_INFINITY,
  );
  const lengths = (): readonly number[] =>
    [leastA, mostA, leastB - 1, mostB + 1].filter(
      (each) => each >= leastA && each <= mostA && each <= longestList && each >= 0,
    );
  const gap = (keyword: string, candidates: Gap["candidates"]): Gap => ({
    path: "",
    keyword,
    wider: wider[keyword],
    narrower: narrower[keyword],
    candidates,
  });
  const byLength = (): readonly unknown[] => lengths().map(makeList);
  const found: Gap[] = [];
  if (leastB > leastA) found.push(gap("minItems", byLength));
  if (mostB < mostA) found.push(gap("maxItems", byLength));
  if (narrower.uniqueItems === true && wider.uniqueItems !== true && mostA > 1)
    found.push(
      gap("uniqueItems", () =>
        [2, Math.max(2, leastA)].map((length) =>
          Array.from({ length }, () => values.samples(itemAt(wider, 1) ?? {})[0] ?? null),
        ),
      ),
    );
  const fixed = Math.max(wider.prefixItems?.length ?? 0, narrower.prefixItems?.length ?? 0);
  // One more than those with a place of their own stands for all the rest.
  for (let index = 0; index <= fixed && index < mostA; index += 1) {
    const [a, b] = [itemAt(wider, index), itemAt(narrower, index)];
    if (a === undefined || b === undefined) continue;
    const isRest = index === fixed;
    const embed = (part: unknown): readonly unknown[] => [makeList(Math.max(leastA, index + 1)).with(index, part)];
    found.push(...embedGaps(compare(a, b), isRest ? "[]" : `[${index}]`, embed));
  }
  return found;
};
