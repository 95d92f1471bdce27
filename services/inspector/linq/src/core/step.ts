/**
 * Steps of an expression that can fail: each runs one function of ours on values that are there, and gives its errors their place.
 * Closures and generated source are made of the same steps.
 */
import { LinqError } from "./error.ts";
import { foldInSteps } from "./fold.ts";
import type { Frame } from "./frame.ts";
import type { Operation } from "./operation.ts";
import { locateError } from "./place.ts";
import { portable } from "./portable.ts";
import { type Resumable, runToEnd } from "./resumable.ts";
import type { ElementList, HeadRun, Lambda, SequenceRun } from "./sequence-run.ts";

/** The error of a member, call or index of null. */
const nullReference = (path: string, at: number): LinqError => {
  const name = path.length > 60 ? `${path.slice(0, 59)}…` : path;
  return new LinqError("null_reference", `'${name}' is null`, {
    position: at,
    hint: "use `?.` or np(…) to get null instead of an error",
  });
};

const isNothing = (value: unknown): boolean => value === null || value === undefined;

interface StepPlace {
  readonly at: number;
  /** Text of what must not be null. */
  readonly path: string;
}

/** A member of a value. */
export const memberStep = portable(
  "memberStep",
  ({ read, path, at }: StepPlace & { readonly read: (owner: unknown) => unknown }) =>
    (owner: unknown): unknown => {
      if (isNothing(owner)) throw nullReference(path, at);
      try {
        return read(owner);
      } catch (error) {
        throw locateError(error, at);
      }
    },
);

interface OperationPlace {
  readonly operation: Operation;
  readonly path?: string | undefined;
  readonly at: number;
}

/** An operation, paid for. Without `path` its first operand may be null. */
export const operationStep = portable(
  "operationStep",
  ({ operation: { run, cost }, path, at }: OperationPlace) =>
    (frame: Frame, ...values: readonly unknown[]): unknown => {
      if (path !== undefined && isNothing(values[0])) throw nullReference(path, at);
      try {
        if (cost !== undefined) frame.spend(cost(...values));
        return run(...values);
      } catch (error) {
        throw locateError(error, at);
      }
    },
);

interface SequenceInput {
  readonly lambdas: readonly Lambda[];
  readonly values: readonly unknown[];
}

interface SequencePlace extends StepPlace {
  readonly run: SequenceRun;
  readonly listingOf: (value: unknown) => ElementList;
}

/** A sequence method on a collection. It pauses between elements. */
export const sequenceStep = portable(
  "sequenceStep",
  ({ run, listingOf, path, at }: SequencePlace) =>
    function* (frame: Frame, collection: unknown, { lambdas, values }: SequenceInput): Resumable<unknown> {
      if (isNothing(collection)) throw nullReference(path, at);
      try {
        frame.spend(1);
        const elements = listingOf(collection);
        const fold = run({ frame, lambdas: lambdas.length, values });
        if (fold.endsEarly !== true) frame.admitList(Math.min(elements.length, fold.most ?? elements.length));
        return yield* foldInSteps(elements, fold, { frame, lambdas });
      } catch (error) {
        throw locateError(error, at);
      }
    },
);

/** The same on few elements, at once. */
export const shortSequenceStep = portable(
  "shortSequenceStep",
  (place: SequencePlace) =>
    (frame: Frame, collection: unknown, input: SequenceInput): unknown =>
      runToEnd(sequenceStep(place)(frame, collection, input)),
);

/** A sequence method on a collection of which it sees the length or the first element only. */
export const headStep = portable(
  "headStep",
  ({ run, listingOf, path, at }: Omit<SequencePlace, "run"> & { readonly run: HeadRun }) =>
    (frame: Frame, collection: unknown, { values }: SequenceInput): unknown => {
      if (isNothing(collection)) throw nullReference(path, at);
      try {
        frame.spend(1);
        return run(listingOf(collection), { frame, lambdas: 0, values });
      } catch (error) {
        throw locateError(error, at);
      }
    },
);

/** An operation that looks at every element of an operand: it pauses. */
export const longOperationStep = portable(
  "longOperationStep",
  ({ operation: { run, inSteps, cost }, path, at }: OperationPlace) =>
    function* (frame: Frame, ...values: readonly unknown[]): Resumable<unknown> {
      if (path !== undefined && isNothing(values[0])) throw nullReference(path, at);
      try {
        if (cost !== undefined) frame.spend(cost(...values));
        return inSteps === undefined ? run(...values) : yield* inSteps(frame, ...values);
      } catch (error) {
        throw locateError(error, at);
      }
    },
);
