/**
 * One expression on its own: `eval`. Text in, value and type out. Bare names are roots of the host; there is no `it`.
 */
import { check, contextFor, type EvaluationSettings, rootScope } from "../bind/expression.ts";
import { compileCode } from "../closures/compile-long.ts";
import { type ElapsedClock, Frame, runCode } from "../core/frame.ts";
import { defaultLimits } from "../core/limits.ts";
import { locateStepsInText } from "../core/place.ts";
import { type Resumable, runToEnd } from "../core/resumable.ts";
import type { Type } from "../type/type.ts";

const processClock: ElapsedClock = { elapsed: () => performance.now() };

export const frameFor = ({ limits = defaultLimits, clock = processClock, budget }: EvaluationSettings): Frame =>
  new Frame(limits, clock, budget);

/** The value of an expression, and its type. */
export interface EvaluationResult {
  readonly value: unknown;
  readonly type: Type;
}

/** Evaluates a text; it pauses when the budget of the settings is spent. Throws `LinqError`. */
export const startEvaluation = function* (text: string, settings: EvaluationSettings): Resumable<EvaluationResult> {
  const context = contextFor(settings);
  const { bound, type } = check(text, rootScope, context);
  const frame = frameFor(settings);
  const code = compileCode(bound, settings.host);
  return { value: yield* locateStepsInText(text, () => runCode(code, frame)), type };
};

/** The same in one go. */
export const evaluate = (text: string, settings: EvaluationSettings): EvaluationResult =>
  runToEnd(startEvaluation(text, settings));
