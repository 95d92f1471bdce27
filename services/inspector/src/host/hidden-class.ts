/**
 * What only V8 itself knows of an object: its hidden class, as a safety check. Two objects of one hidden class have the same properties of
 * the same kinds, so one look at an example shows whether a million rows are own data: no accessor, no proxy. A row that is changed in place
 * gets another hidden class and fails the comparison, which costs a few nanoseconds.
 *
 * The tests are V8's own natives, which it reads only while a flag is set. It may forget compiled code that was not used for a while
 * and then reads it again; therefore each query runs them once under the flag. Where natives can not be had, rows are read
 * one descriptor at a time.
 */
import { setFlagsFromString } from "node:v8";

export interface HiddenClasses {
  /** True when the array's elements are plain values: an accessor among them would have made them slow. */
  readonly hasFastElements: (array: readonly unknown[]) => boolean;
  /** True when the object's hidden class is its description; slow objects share theirs without being alike. */
  readonly hasFastProperties: (value: object) => boolean;
  /** True when a value is an object of the hidden class of an example. Small enough to be compiled into the loop that calls it. */
  readonly alike: (value: unknown, example: object) => boolean;
}

/** @NOTE Nothing of a caller's is in this source. A Smi passed to %HaveSameMap ends the process, hence the test before it. */
const source = `"use strict"; return {
  hasFastElements: (array) => !%HasDictionaryElements(array),
  hasFastProperties: (value) => %HasFastProperties(value),
  alike: (value, example) => typeof value !== "number" && %HaveSameMap(value, example),
};`;

let known: HiddenClasses | undefined;

/** The tests, ready for one synchronous query; undefined where V8 refuses them. */
export const hiddenClasses = (): HiddenClasses | undefined => {
  try {
    setFlagsFromString("--allow-natives-syntax");
    known ??= new Function(source)() as HiddenClasses;
    const example = {};
    known.hasFastElements([]);
    known.hasFastProperties(example);
    known.alike(example, example);
    return known;
  } catch {
    return undefined;
  } finally {
    setFlagsFromString("--no-allow-natives-syntax");
  }
};
