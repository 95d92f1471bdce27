/** Classes of QA failures, recognised by the text of the error, and how many attempts each class gets. */

export type FailureClass = "environment" | "timeout" | "code" | "unknown";

/** Attempts before the ticket is blocked: repeating does not fix an environment. */
export const attemptsByClass: Readonly<Record<FailureClass, number>> = {
  environment: 1,
  timeout: 2,
  code: 3,
  unknown: 3,
};

const patterns: readonly (readonly [FailureClass, RegExp])[] = [
  [
    "environment",
    /command not found|no such file or directory|ENOENT|EACCES|permission denied|cannot find module|module not found|ECONNREFUSED|ENOTFOUND|EADDRINUSE|ENOSPC|not installed|missing script|is not recognized as/i,
  ],
  ["timeout", /time[sd]?[ -]?out|ETIMEDOUT|deadline exceeded|exceeded \d+ ?m?s/i],
  [
    "code",
    /assert|expect|typeerror|referenceerror|syntaxerror|error TS\d+|failed|failing|not assignable|lint|undefined|panic|traceback/i,
  ],
];

/** The first class whose pattern is in the text. */
export const classifyFailure = (error: string): FailureClass =>
  patterns.find(([, sign]) => sign.test(error))?.[0] ?? "unknown";
