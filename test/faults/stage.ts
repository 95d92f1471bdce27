/** What a row of the table of faults is played on: a board with one connection `up`, and how what is seen of it is held against the row. */
import type { TestContext } from "vitest";
import { type Board, type BoardOptions, type Called, openBoard } from "./board.ts";
import type { CallRow } from "./table.ts";

/** A board that goes with its test. */
export const boardOf = async (
  { onTestFinished }: TestContext,
  section: Readonly<Record<string, unknown>> = {},
  options: BoardOptions = {},
): Promise<Board> => {
  const board = await openBoard(section, options);
  onTestFinished(board.close);
  return board;
};

type Row = CallRow<string>;

/** Milliseconds that a call may take whose upstream keeps silent. */
const lateMs = 300;

export const deadlineOf = ({ error }: Row): number | undefined => (error === "late" ? lateMs : undefined);

/** Holds what a caller got, and when the status left `connected`, against the row. */
export const judgeCall = ({ expect }: TestContext, row: Row, { call, isHarmless }: Judged): void => {
  if (call.ok) throw new Error("it went through");
  const { error } = call;
  if (row.error === "late") {
    expect(error).toMatchObject({ code: "deadline_exceeded" });
    return;
  }
  const { reason, state } = row;
  expect(error).toMatchObject({
    code: "unavailable",
    reason: "upstream_unavailable",
    // Before the caller heard of it, the status had changed.
    data: { connection: "up", reason, state, sent: row.sent ?? expect.any(Boolean) },
  });
  const { sent } = error.data as { readonly sent: boolean };
  expect(error.retryable).toBe(state !== "blocked" && (isHarmless || !sent || row.retryable));
};

interface Judged {
  readonly call: Called;
  readonly isHarmless: boolean;
}

/** Waits for the row's event after the first so many. */
export const hearEvent = ({ expect }: TestContext, row: Outcome, { board, after }: Heard): Promise<void> =>
  expect
    .poll(() => board.happened.slice(after).map(({ type, reason }) => ({ type, reason })))
    .toContainEqual({ type: row.event, reason: row.reason });

type Outcome = Pick<Row, "event" | "reason">;

interface Heard {
  readonly board: Board;
  readonly after: number;
}
