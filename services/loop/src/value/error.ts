/** The message and the code of anything that was thrown. Not here: errors for callers (`session/declared-error.ts`). */

export const errorMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** The system's or SQLite's code, like `ENOENT`; empty without one. */
export const errorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "";
