/** The loop over the elements of a sequence method, which pauses when the frame says so. */
import { absent } from "./absent.ts";
import type { Frame } from "./frame.ts";
import type { Resumable } from "./resumable.ts";
import type { ElementList, Fold, Lambda } from "./sequence-run.ts";

interface FoldRun {
  readonly frame: Frame;
  readonly lambdas: readonly Lambda[];
}

/** Runs a fold over elements; pauses between them. */
export const foldInSteps = function* (elements: ElementList, fold: Fold, run: FoldRun): Resumable<unknown> {
  const { frame, lambdas } = run;
  const { start = 0, most = Number.POSITIVE_INFINITY, isSettled, inner } = fold;
  let { pauses } = frame;
  if (fold.begin !== undefined) yield* fold.begin();
  const [only, second] = lambdas;
  let end = Math.min(elements.length, start + most);
  for (let index = start; index < end; index++) {
    if (frame.pauses !== pauses) {
      ({ pauses } = frame);
      end = Math.min(end, elements.resumed?.() ?? end);
      if (index >= end) break;
    }
    frame.spend(1);
    const item = elements.at(index);
    if (item === absent) break;
    let made = item;
    let all = none;
    if (only !== undefined && isSettled?.() !== true) {
      const argument = fold.argument === undefined ? item : fold.argument(item);
      const starts = frame.startRow();
      if (second !== undefined) {
        all = yield* applyAll(lambdas, argument);
        [made] = all;
      } else if (argument !== undefined || fold.argument === undefined)
        made = only.isLong ? yield* only.run(argument) : only.run(argument);
      if (starts) frame.endRow();
    }
    if (inner !== undefined) yield* inner(made);
    if (!fold.take(item, made, all)) break;
    if (frame.isDue()) yield;
  }
  return fold.finish === undefined ? fold.end() : yield* fold.finish();
};

const none: readonly unknown[] = [];

const applyAll = function* (lambdas: readonly Lambda[], argument: unknown): Resumable<readonly unknown[]> {
  const all: unknown[] = [];
  for (const lambda of lambdas) all.push(lambda.isLong ? yield* lambda.run(argument) : lambda.run(argument));
  return all;
};
