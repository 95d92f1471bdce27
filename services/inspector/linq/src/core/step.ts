/**
 * Steps of an expression that can fail: each runs one function of ours on values that are there, and gives its errors their place.
 * Closures and generated source are made of the same steps.
 */
import { LinqError } from "./error.ts";
import type { Frame } from "./frame.ts";
import type { Operation } from "./operation.ts";
import { locateError } from "./place.ts";
import { portable } from "./portable.ts";
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

/** An operation, paid for. Without `path` its first operand may be null. */
export const operationStep = portable(
  "operationStep",
  ({
    operation: { run, cost },
    path,
    at,
  }: {
    readonly operation: Operation;
    readonly path?: string | undefined;
    readonly at: number;
  }) =>
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
  /** Read once, after the collection. */
  readonly values: () => readonly unknown[];
}

/** A sequence method on a collection. */
export const sequenceStep = portable(
  "sequenceStep",
  ({
    run,
    itemsOf,
    path,
    at,
  }: StepPlace & {
    readonly run: SequenceRun;
    readonly itemsOf: (value: unknown, frame: Frame) => readonly unknown[];
  }) =>
    (frame: Frame, collection: unknown, { lambdas, values }: SequenceInput): unknown => {
      if (isNothing(collection)) throw nullReference(path, at);
      try {
        frame.spend(1);
        const items = itemsOf(collection, frame);
        return run(items, { frame, lambdas: lambdas.map((lambda) => frame.byRow(lambda)), values: values() });
      } catch (error) {
        throw locateError(error, at);
      }
    },
);

/** A sequence method on a collection that it need not see all of: nothing is copied. */
export const headStep = portable(
  "headStep",
  ({
    run,
    listingOf,
    path,
    at,
  }: StepPlace & { readonly run: HeadRun; readonly listingOf: (value: unknown) => ElementList }) =>
    (frame: Frame, collection: unknown, { lambdas, values }: SequenceInput): unknown => {
      if (isNothing(collection)) throw nullReference(path, at);
      try {
        frame.spend(1);
        const call = { frame, lambdas: lambdas.map((lambda) => frame.byRow(lambda)), values: values() };
        return run(listingOf(collection), call);
      } catch (error) {
        throw locateError(error, at);
      }
    },
);
