/** What the thread that reads a heap is given, and what it answers: plain data only. */
import type { HeapReport } from "./heap-report.ts";

export interface HeapStart {
  /** A `ws:` address of the program's debugger. */
  readonly address: string;
  /** A heap with more in use is not looked at. */
  readonly mostBytes: number;
  /** The class whose holders are wanted. */
  readonly wanted: string | undefined;
}

export type HeapAnswer =
  | { readonly kind: "large"; readonly heapBytes: number }
  | {
      readonly kind: "report";
      readonly heapBytes: number;
      /** Milliseconds from the request of the snapshot to its end, for which the program stood still. */
      readonly stoppedMs: number;
      readonly report: HeapReport;
    };
