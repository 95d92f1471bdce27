/**
 * One expression on its own: `eval`. Text in, value and type out. Bare names are roots of the host; there is no `it`.
 */
import { check, contextFor, type EvaluationSettings, rootScope } from "../bind/expression.ts";
import { compile } from "../closures/compile.ts";
import { type ElapsedClock, Frame } from "../core/frame.ts";
import { defaultLimits } from "../core/limits.ts";
import { locateInText } from "../core/place.ts";
import type { Type } from "../type/type.ts";

const processClock: ElapsedClock = { elapsed: () => performance.now() };

export const frameFor = ({ limits = defaultLimits, clock = processClock }: EvaluationSettings): Frame =>
  new Frame(limits, clock);

/** The value of an expression, and its type. */
export interface EvaluationResult {
  readonly value: unknown;
  readonly type: Type;
}

/** Evaluates a text. Throws `LinqError`. */
export const evaluate = (text: string, settings: EvaluationSettings): EvaluationResult => {
  const context = contextFor(settings);
  const { bound, type } = check(text, rootScope, context);
  return { value: locateInText(text, () => compile(bound, settings.host)(frameFor(settings))), type };
};
