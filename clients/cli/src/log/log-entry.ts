/** A line of the kernel's log: parsed, chosen by service, level and time, and as text for people. Pure. */
import { inspect } from "node:util";
import type { Paint } from "../terminal/io.ts";
import { isRecord } from "../text/record.ts";

export interface LogLine {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly level: string;
  readonly message: string;
  readonly service: string | undefined;
  /** What else the entry has. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `undefined` for what is not a line of a log, like one that a power cut left unfinished. */
export const parseLogLine = (text: string): LogLine | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? toLogLine(value) : undefined;
  } catch {
    return undefined;
  }
};

export const toLogLine = (entry: Readonly<Record<string, unknown>>): LogLine => {
  const { at, level, message, service, ...fields } = entry;
  const about = typeof service === "string" ? service : serviceOfCall(message, fields);
  return { at: String(at), level: String(level), message: String(message), service: about, fields };
};

/** The line of a call names the procedure alone. */
const serviceOfCall = (message: unknown, { procedure }: Readonly<Record<string, unknown>>): string | undefined =>
  message === "call" && typeof procedure === "string" ? procedure.split(".")[0] : undefined;

const levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof levels)[number];
export const isLogLevel = (text: string): text is LogLevel => levels.some((level) => level === text);

const severity = (level: string): number => levels.findIndex((each) => each.startsWith(level));

export interface LogFilter {
  /** `kernel` for lines that are about no service. */
  readonly service?: string | undefined;
  readonly level?: LogLevel | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

export const passes = (line: LogLine, { service, level, since }: LogFilter): boolean =>
  (service === undefined || (line.service ?? "kernel") === service) &&
  (level === undefined || severity(line.level) >= severity(level)) &&
  (since === undefined || !(Date.parse(line.at) < since));

const colours: Readonly<Record<string, Parameters<Paint>[0]>> = {
  debug: "dim",
  info: "green",
  warn: "yellow",
  error: "red",
};

/** One line for people, with the stack of an error below it. The time is local. What was logged controls no terminal: its control characters are spelled out. */
export const formatLogLine = (line: LogLine, paint: Paint): string => {
  const { at, level, service } = line;
  const message = printable(line.message);
  const fields = printableFields(line.fields);
  const head = `${paint("dim", clockTime(at))} ${paint(colours[level] ?? "dim", level.padEnd(5))}`;
  if (message === "call") return `${head} ${callText(fields, paint)}`;
  const { error, ...others } = fields;
  const about = service === undefined ? "" : `${paint("cyan", service)}: `;
  const pairs = [...Object.entries(others), ...errorPairs(error)].map(([key, value]) => pairText(key, value, paint));
  return [`${head} ${[`${about}${message}`, ...pairs].join(" ")}`, ...stackLines(error, paint)].join("\n");
};

/** Like `todo.add  ok  http  3.2 ms`. */
const callText = (fields: Readonly<Record<string, unknown>>, paint: Paint): string => {
  const { procedure, outcome, reason, id, milliseconds, transport, principal, via, trace_id: _, ...others } = fields;
  const result = paint(outcome === "ok" ? "green" : "red", String(outcome));
  const caller = principal === undefined || principal === "local" ? undefined : `as ${String(principal)}`;
  const parts = [
    paint("bold", String(procedure)),
    [result, ...[reason, id].filter((each) => each !== undefined).map(String)].join(" "),
    String(transport),
    `${String(milliseconds)} ms`,
    caller,
    via === undefined ? undefined : `via ${String(via)}`,
    ...Object.entries(others).map(([key, value]) => pairText(key, value, paint)),
  ];
  return parts.filter((part) => part !== undefined).join("  ");
};

const pairText = (key: string, value: unknown, paint: Paint): string => `${paint("dim", `${key}=`)}${valueText(value)}`;

const valueText = (value: unknown): string => {
  if (typeof value === "string") return /^[^\s"]+$/.test(value) ? spelledOut(value) : JSON.stringify(spelledOut(value));
  return typeof value === "object"
    ? inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 4 })
    : String(value);
};

const errorPairs = (error: unknown): readonly (readonly [string, unknown])[] => {
  if (error === undefined) return [];
  if (!isRecord(error) || typeof error.stack !== "string") return [["error", isRecord(error) ? summary(error) : error]];
  return [];
};

/** An error of a contract or of the closed table: its message says it, and its hint what to do. */
const summary = ({ code, message, hint, ...others }: Readonly<Record<string, unknown>>): unknown => {
  if (typeof message !== "string" || typeof code !== "string") return { code, message, hint, ...others };
  return `${code}: ${message}${typeof hint === "string" ? `; ${hint}` : ""}`;
};

const stackLines = (error: unknown, paint: Paint): readonly string[] => {
  if (!isRecord(error) || typeof error.stack !== "string") return [];
  return spelledOut(error.stack)
    .split("\n")
    .map((text, at) => `  ${at === 0 ? paint("red", text) : paint("dim", text)}`);
};

/** Control characters spelled out; a line break stays, where a stack has it. */
const spelledOut = (text: string): string =>
  text.replace(/(?!\n)\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);

const printable = (text: string): string => spelledOut(text).replaceAll("\n", "\\n");

/** Deeper texts are spelled out where they are printed. */
const printableFields = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? printable(value) : value]),
  );

const clockTime = (at: string): string => {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const two = (number: number): string => String(number).padStart(2, "0");
  const seconds = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  return `${seconds}.${String(time.getMilliseconds()).padStart(3, "0")}`;
};
