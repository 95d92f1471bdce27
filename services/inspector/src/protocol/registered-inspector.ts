/** What `inspect` registers in a process for an inspector in the same thread or outside. */

/** Runs the next slice, which ends at a step after so many milliseconds; undefined while there is more to do. */
export type Slice<T> = (ms: number) => { readonly value: T } | undefined;

/** What an attached inspector calls, with text in and text out. */
export interface RegisteredInspector {
  readonly version: 1;
  readonly answer: (ask: string) => string;
  /** The same in slices, for an inspector that shares the thread. It may allow less wall time than the program does. */
  readonly start: (ask: string, time: TimeAllowance) => Slice<string>;
}

export interface TimeAllowance {
  /** Milliseconds for a question, without the turns of others. */
  readonly wallMs: number;
  /** Milliseconds that it may block the thread without a break. */
  readonly holdMs: number;
}
