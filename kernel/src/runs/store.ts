/**
 * The port to where runs are kept. A commit is all or nothing, and on the disk when it is acknowledged. There is one owner of open runs; a
 * version that does not fit says that another has taken over.
 *
 * Not here: the store in SQLite (`state/run-table.ts`).
 */
import type { Run, RunStateTag } from "./run.ts";

/** A kernel as owner of the open runs: which one, and the process in which it is. */
export interface RunOwner {
  readonly kernel: string;
  readonly pid: number;
  readonly processStart: string;
  readonly pidSpace: string;
  readonly bootId: string;
}

/**
 * One change. An insertion finds the run with its key, where there is one; an update names the version that it replaces. A claim is for the
 * ownership of all open runs: a conflict while another owner lives.
 */
export type RunWrite =
  | { readonly kind: "claim"; readonly owner: RunOwner }
  | { readonly kind: "release"; readonly owner: RunOwner }
  | { readonly kind: "insert"; readonly run: Run; readonly input: unknown }
  | { readonly kind: "update"; readonly run: Run; readonly replaces: number };

/** The result of a change: `full` where there is no room for one more open run, be it new or resumed. */
export type RunWritten =
  | { readonly tag: "written" }
  | { readonly tag: "exists"; readonly run: Run }
  | { readonly tag: "full" }
  | { readonly tag: "conflict" };

/** A part of the list, the latest first: without outputs, logs and answers. */
export interface RunQuery {
  /** Only of this principal. */
  readonly principal?: string;
  readonly procedure?: string;
  readonly state?: RunStateTag;
  /** Only those before this place. */
  readonly before?: number;
  readonly limit: number;
}

/** `next`: the place of the last one; absent at the end. */
export interface RunPage {
  readonly runs: readonly Run[];
  readonly next?: number;
}

export type RunRead =
  | { readonly kind: "find"; readonly id: string }
  | { readonly kind: "input"; readonly id: string }
  | { readonly kind: "open" }
  | ({ readonly kind: "list" } & RunQuery);

/** All reject with a `FairleadError` where the storage fails. */
export interface RunStore {
  commit(writes: readonly RunWrite[]): Promise<readonly RunWritten[]>;
  find(id: string): Promise<Run | undefined>;
  /** What the run was started with; `null` once it is gone. */
  input(id: string): Promise<unknown>;
  list(query: RunQuery): Promise<RunPage>;
  /** Those that have not ended, the oldest first. */
  open(): Promise<readonly Run[]>;
}
