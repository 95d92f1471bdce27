/** What a sequence method is once it is compiled: a fold, which takes the elements one after the other. */
import type { Frame } from "./frame.ts";
import type { Resumable } from "./resumable.ts";

/** What a call of a sequence method brings beside its elements. */
export interface SequenceCall {
  readonly frame: Frame;
  /** How many lambdas there are. */
  readonly lambdas: number;
  readonly values: readonly unknown[];
}

/** Elements by their places. */
export interface ElementList {
  readonly length: number;
  /** `absent` where the list turned out to end before its length. */
  readonly at: (index: number) => unknown;
  /** To be called when other code ran: it may have changed the list. Returns how long it is now. */
  readonly resumed?: () => number;
}

/** A sequence method at its work. It has no loop over the elements: whoever has one may pause between them. */
export interface Fold {
  /** Index of the first element that it takes; 0 when left out. */
  readonly start?: number;
  /** What the lambdas are given for an element; the element itself when left out. */
  readonly argument?: (item: unknown) => unknown;
  /** Most elements that it takes; all when left out. */
  readonly most?: number;
  /** True when it may end long before the last element, so that the list may be as long as it likes. */
  readonly endsEarly?: true;
  /** True when the lambdas need not run any more. */
  readonly isSettled?: () => boolean;
  /** Work on what the first lambda made of an element, where that is a sequence itself. */
  readonly inner?: (made: unknown) => Resumable<void>;
  /** Work before the first element. */
  readonly begin?: () => Resumable<void>;
  /**
   * Takes an element, with what the lambdas made of it: `made` is that of the first, or the element where there is none; `all` is there
   * when there are several. False when it needs no more.
   */
  take(item: unknown, made: unknown, all: readonly unknown[]): boolean;
  /** The result; work that can pause where it depends on the number of elements. */
  end(): unknown;
  readonly finish?: () => Resumable<unknown>;
}

/** Starts a sequence method's work. */
export type SequenceRun = (call: SequenceCall) => Fold;

/** A sequence method that looks at the length or the first element only. */
export type HeadRun = (elements: ElementList, call: SequenceCall) => unknown;

/** A compiled lambda. */
export type Lambda =
  | { readonly isLong: false; readonly run: (item: unknown) => unknown }
  | { readonly isLong: true; readonly run: (item: unknown) => Resumable<unknown> };
