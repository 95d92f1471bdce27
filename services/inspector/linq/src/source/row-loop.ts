/** What a generated loop over rows is given, and gives back. */
import type { CompiledCode, Frame } from "../core/frame.ts";
import type { RowGuard } from "../type/host.ts";

/** Takes the rows that passed `where`; the row is in its slot of the frame. What else it has, a direct pass knows. */
export interface RowSink {
  /** What is to be evaluated of the next row before it is taken. */
  parts(): readonly CompiledCode[];
  /** Takes a row with the values of the parts. False ends the pass. */
  take(row: unknown, index: number, values: readonly unknown[]): boolean;
  /** The same with parts that are evaluated here; for loops that do not pause. */
  row(row: unknown, index: number): boolean;
}

/** Gives back the row to go on with: `to`, one before it that it may not read, or `enough`. */
export type RowLoop = (rows: readonly unknown[], from: number, to: number, frame: Frame) => number;

/** What a loop gives back when the sink wants no more. */
export const enough = -1;

/** A pass over rows that are plain data; it ends at a row that is not, as the guard finds. */
export interface DirectPass {
  readonly guard: RowGuard;
  readonly loop: RowLoop;
}
