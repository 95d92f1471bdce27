/**
 * Structured logs: one JSON object a line on stderr, never on stdout, with secrets redacted by field name and by value.
 */
import type { Redactor } from "@fairlead/contracts";

export type Level = "debug" | "info" | "warn" | "error";

/** Writes one structured line; never throws. Secrets among the fields are redacted. */
export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

const order: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const secretName = /token|secret|password|passwd|authorization|cookie|api[-_]?key|private[-_]?key/i;
const maxText = 2_000;
const maxDepth = 6;
const maxMembers = 100;
/** Values in one line, whatever their shape. */
const maxNodes = 1_000;

/** A line of the log. Values of secrets are replaced before it is made. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly level: Level;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Takes one line with its line feed, and the entry that it is the text of. Must not throw. */
export type LogWriter = (line: string, entry: LogEntry) => void;

interface LogOptions {
  readonly level: Level;
  /** Takes secrets out of every text. */
  readonly redactor?: Redactor;
  /** Default: stderr. */
  readonly write?: LogWriter;
  /** Receives every entry that is written, redacted as it is. */
  readonly tap?: (entry: LogEntry) => void;
  readonly now?: () => Date;
}

/** Makes a log. Never throws: a field that cannot be written is replaced by a note. */
export const makeLog = (options: LogOptions): Log => {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const { redactor } = options;
  const clean = (text: string): string => {
    const redacted = redactor?.text(text) ?? text;
    return redacted.length > maxText ? `${redacted.slice(0, maxText)}…` : redacted;
  };
  return (level, message, fields = {}) => {
    if (order[level] < order[options.level]) return;
    const entry: LogEntry = { ...redacted(fields, clean), at: now().toISOString(), level, message: clean(message) };
    write(`${JSON.stringify(entry)}\n`, entry);
    options.tap?.(entry);
  };
};

const redacted = (
  fields: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Record<string, unknown> => {
  let left = maxNodes;
  const visit = (value: unknown, depth: number): unknown => {
    left -= 1;
    if (left < 0) return "[too much]";
    if (typeof value === "string") return clean(value);
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
      return clean(String(value));
    if (typeof value !== "object" || value === null) return value;
    if (depth >= maxDepth) return "[too deep]";
    try {
      return value instanceof Error ? members(logParts(value), depth) : members(value, depth);
    } catch {
      return "[unreadable]";
    }
  };
  const members = (value: object, depth: number): unknown => {
    if (Array.isArray(value)) return value.slice(0, maxMembers).map((item) => visit(item, depth + 1));
    const entries = Object.entries(value).slice(0, maxMembers);
    return Object.fromEntries(
      entries.map(([key, item]) => [clean(key), secretName.test(key) ? "[redacted]" : visit(item, depth + 1)]),
    );
  };
  return visit(fields, 0) as Record<string, unknown>;
};

const logParts = (error: Error): object => {
  const { name, message, stack, cause } = error;
  return { ...error, name, message, stack, ...(cause !== undefined && { cause }) };
};
