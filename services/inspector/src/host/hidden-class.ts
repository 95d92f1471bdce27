/**
 * What only V8 itself knows of an object: its hidden class, as a safety check. Two objects of one hidden class have the same properties of
 * the same kinds, so one look at an example shows whether a million rows are own data: no accessor, no proxy. A row that is changed in place
 * gets another hidden class and fails the comparison, which costs a few nanoseconds.
 *
 * The tests are V8's own natives, which it reads in a process that was started with `--allow-natives-syntax`. No flag is switched here: the
 * process may be a program that somebody relies on. Without the natives rows are read one descriptor at a time.
 */

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

/** The tests, null where V8 refused them, undefined before it was asked. */
let known: HiddenClasses | null | undefined;

/** The tests; undefined where V8 does not read natives. */
export const hiddenClasses = (): HiddenClasses | undefined => {
  if (known === undefined) known = readNatives();
  return known ?? undefined;
};

/** For tests: does without the natives, or asks V8 for them again. */
export const useNatives = (isAsked: boolean): void => {
  known = isAsked ? undefined : null;
};

const readNatives = (): HiddenClasses | null => {
  try {
    return new Function(source)() as HiddenClasses;
  } catch {
    // A syntax error: the process was started without the flag.
    return null;
  }
};
