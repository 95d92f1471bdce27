/**
 * Structured logs: one JSON object a line on stderr, never on stdout, with secrets redacted by field name and by value.
 */

export type Level = "debug" | "info" | "warn" | "error";

export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

const order: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
const secretName = /token|secret|password|passwd|authorization|cookie|api[-_]?key|private[-_]?key/i;
const maxText = 2_000;
const maxDepth = 6;

export interface LogOptions {
  readonly level: Level;
  /** Values that must never appear, wherever they stand. */
  readonly secrets?: readonly string[];
  readonly write?: (line: string) => void;
  readonly now?: () => Date;
}

/** Makes a log. Never throws: a field that cannot be written is replaced by a note. */
export const makeLog = (options: LogOptions): Log => {
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const secrets = (options.secrets ?? []).filter((secret) => secret.length >= 8);
  const clean = (text: string): string => {
    const short = text.length > maxText ? `${text.slice(0, maxText)}…` : text;
    return secrets.reduce((result, secret) => result.replaceAll(secret, "[redacted]"), short);
  };
  return (level, message, fields = {}) => {
    if (order[level] < order[options.level]) return;
    const entry = { at: now().toISOString(), level, message: clean(message), ...redacted(fields, clean) };
    write(`${JSON.stringify(entry)}\n`);
  };
};

const redacted = (
  fields: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Record<string, unknown> => {
  const visit = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return clean(value);
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth >= maxDepth) return "[too deep]";
    if (value instanceof Error) {
      const { name, message, stack, cause } = value;
      return visit({ ...value, name, message, stack, ...(cause !== undefined && { cause }) }, depth + 1);
    }
    if (Array.isArray(value)) return value.slice(0, 100).map((item) => visit(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, 100)
        .map(([key, item]) => [key, secretName.test(key) ? "[redacted]" : visit(item, depth + 1)]),
    );
  };
  return visit(fields, 0) as Record<string, unknown>;
};
