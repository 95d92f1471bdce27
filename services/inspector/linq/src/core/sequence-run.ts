/** What a sequence method is once it is compiled: a function of the elements and of what the call brings. */
import type { Frame } from "./frame.ts";

/** A compiled lambda. */
export type Lambda = (item: unknown) => unknown;

export interface SequenceCall {
  readonly frame: Frame;
  readonly lambdas: readonly Lambda[];
  readonly values: readonly unknown[];
}

/** Does a sequence method's work on the source's elements. */
export type SequenceRun = (items: readonly unknown[], call: SequenceCall) => unknown;
