/** What a sequence method is once it is compiled: a function of the elements and of what the call brings. */
import type { Frame } from "./frame.ts";

/** A compiled lambda. */
export type Lambda = (item: unknown) => unknown;

export interface SequenceCall {
  readonly frame: Frame;
  readonly lambdas: readonly Lambda[];
  readonly values: readonly unknown[];
}

/** A list of which a method reads the length, or elements from the first on. */
export interface ElementList {
  readonly length: number;
  readonly at: (index: number) => unknown;
}

/** Does the work of a sequence method that need not see all elements. */
export type HeadRun = (elements: ElementList, call: SequenceCall) => unknown;

/** Does a sequence method's work on the source's elements. */
export type SequenceRun = (items: readonly unknown[], call: SequenceCall) => unknown;
