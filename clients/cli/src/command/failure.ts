/**
 * What went wrong, for people and for programs: a sentence with its hint on stderr, one line of JSON, and the exit code. A terminal
 * gets the words, `--json` the line, and any other reader of stderr both. Every failure of every command passes here.
 *
 * Not here: the code table (contracts), which is loaded only for an error of a kernel.
 */
import { inspect } from "node:util";
import { exitOfSignal, type Io, nameInShell, outputClosed, type Paint, paintFor } from "../terminal/io.ts";
import type { CommandLine } from "./command-line.ts";

/** One problem, at a path. */
interface FailureIssue {
  readonly path: string;
  readonly expected: string;
  readonly fix: string;
}

interface FailureText {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly issues?: readonly FailureIssue[] | undefined;
  /** For programs: more about it, in the line of JSON. */
  readonly data?: unknown;
}

interface FailureKind {
  readonly code: string;
  readonly exit: number;
  readonly reason?: string;
}

/** A failure that a command found itself, with the exit code it wants. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly code: string;
  readonly exit: number;
  /** The reason that the kernel would give, where it has one for the same. */
  readonly reason: string | undefined;
  readonly hint: string | undefined;
  readonly issues: readonly FailureIssue[];
  readonly data: unknown;

  constructor(kind: FailureKind, text: FailureText, options?: ErrorOptions) {
    super(text.message, options);
    this.code = kind.code;
    this.exit = kind.exit;
    this.reason = kind.reason;
    this.hint = text.hint;
    this.issues = text.issues ?? [];
    this.data = text.data;
  }
}

/** Wrong usage or configuration: exit 2. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string, hint?: string, options?: ErrorOptions & { readonly issues?: readonly FailureIssue[] }) {
    super({ code: "usage", exit: 2 }, { message, hint, issues: options?.issues }, options);
  }
}

interface Failure extends FailureText {
  readonly code: string;
  readonly exit: number;
  readonly status: number | null;
  readonly docs: string | null;
  readonly reason?: string;
  readonly id?: string;
  readonly cause: string | null;
  /** With --verbose, and of a defect. */
  readonly stack: string | undefined;
}

/** The line of JSON, in a fixed order. */
const failureLine = (failure: Failure): string => {
  const { code, message, hint, docs, status, cause, reason, data, issues, id, stack } = failure;
  const more = {
    ...(reason !== undefined && { reason }),
    ...(data !== undefined && { data }),
    ...(id !== undefined && { id }),
    ...(issues !== undefined && issues.length > 0 && { issues }),
    ...(stack !== undefined && { stack }),
  };
  return JSON.stringify({ error: { code, message, hint: hint ?? null, docs, status, cause, ...more } });
};

interface ShownTo {
  readonly io: Io;
  readonly paint: Paint;
}

const failureWords = ({ message, issues = [], hint, stack }: Failure, { io, paint }: ShownTo): string =>
  [
    `${paint("red", "error:")} ${nameInShell(message, io.env)}`,
    ...issues.map(({ path, expected, fix }) => `  ${path === "" ? "(input)" : path}: expected ${expected}; ${fix}`),
    ...(hint === undefined ? [] : [`${paint("cyan", "hint:")} ${nameInShell(hint, io.env)}`]),
    ...(stack === undefined ? [] : [stack]),
  ].join("\n");

/** Writes the failure and gives the exit code. */
export const report = async (
  error: unknown,
  { verbose, json }: Pick<CommandLine, "verbose" | "json">,
  io: Io,
): Promise<number> => {
  if (io.signal.reason === outputClosed) return 0;
  const { stack, ...found } = await toFailure(error, io);
  const isDefect = found.code === "internal" && found.status === null;
  const failure = { ...found, stack: verbose || isDefect ? stack : undefined };
  if (!json) io.err(failureWords(failure, { io, paint: paintFor("auto", io, "err") }));
  if (json || !io.tty.err) io.err(failureLine(failure));
  return failure.exit;
};

const toFailure = async (error: unknown, io: Io): Promise<Failure> => {
  const stack = error instanceof Error ? error.stack : undefined;
  const cause = causeText(error);
  if (error instanceof CommandError) {
    const { code, exit, message, hint, issues, data, reason } = error;
    const more = { ...(reason !== undefined && { reason }), docs: "fairlead --help", status: null };
    return { code, exit, message, hint, issues, data, ...more, cause, stack };
  }
  const { codes, isWireError } = await import("@fairlead/contracts");
  if (isWireError(error)) {
    const { code, reason, message, hint, issues, data, id } = error;
    const signalled = code === "canceled" && io.signal.aborted;
    return {
      code,
      message,
      hint,
      issues,
      docs: describeHint(error),
      status: codes[code].http,
      exit: signalled ? exitOfSignal(io.signal.reason) : reason === undefined ? codes[code].exit : 5,
      cause,
      stack,
      ...(reason !== undefined && { reason }),
      ...(data !== undefined && { data }),
      ...(id !== undefined && { id }),
    };
  }
  const message = error instanceof Error ? error.message : inspect(error);
  const place = (await import("@fairlead/contracts")).faultPlace(error);
  const hint = `this is a defect${place === undefined ? "" : ` at ${place}`}; the stack is below`;
  return { code: "internal", exit: 1, message, hint, docs: null, status: null, cause, stack };
};

const describeHint = (error: object): string | null =>
  "procedure" in error && typeof error.procedure === "string" && /^\w+\.\w+$/.test(error.procedure)
    ? `fairlead describe ${error.procedure}`
    : null;

const causeText = (error: unknown): string | null => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined || cause === null ? null : cause instanceof Error ? cause.message : inspect(cause);
};
