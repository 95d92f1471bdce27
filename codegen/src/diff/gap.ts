/** A place where one schema takes what another refuses, with values that may show it. Not here: finding gaps (`containment`). */
import type { JsonSchema } from "../schema/json-schema.ts";

export interface Gap {
  /** Field path, like `game.npcs[].ac`; empty for the value itself. */
  readonly path: string;
  /** What differs, like `minimum`. */
  readonly keyword: string;
  /** What the wider schema says there, and the narrower; `undefined` for nothing. */
  readonly wider: unknown;
  readonly narrower: unknown;
  /** Values of the wider schema's place that the narrower may refuse; whether it does is tried (`witness`). */
  readonly candidates: () => readonly unknown[];
}

/** The gaps of a part as gaps of the whole: `embed` gives whole values with a part's value in its place. */
export const embedGaps = (
  gaps: readonly Gap[],
  step: string,
  embed: (part: unknown) => readonly unknown[],
): readonly Gap[] =>
  gaps.map((gap) => ({
    ...gap,
    path: joinStep(step, gap.path),
    candidates: () => firstOfEach(gap.candidates().map(embed)),
  }));

const mostCandidates = 240;

/** One whole value for each part before there is a second for any. */
const firstOfEach = (lists: readonly (readonly unknown[])[]): readonly unknown[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1)))
    .flat()
    .slice(0, mostCandidates);
};

const joinStep = (step: string, path: string): string =>
  path === "" || path.startsWith("[") || path.startsWith("{") ? `${step}${path}` : `${step}.${path}`;

/** What the comparison of two schemas needs to know of values; each schema with the definitions of its own document. */
export interface ValueSource {
  /** Some right values of a part of the wider schema, the shortest first; none where none were found. */
  readonly samples: (schema: JsonSchema) => readonly unknown[];
  /** Whether a part of the narrower schema takes a value. */
  readonly accepts: (schema: JsonSchema, value: unknown) => boolean;
}

/** Compares two parts: the wider schema's and the narrower's. */
type ComparePart = (wider: JsonSchema, narrower: JsonSchema) => readonly Gap[];

export interface PartComparison {
  readonly compare: ComparePart;
  readonly values: ValueSource;
}
