import { expect, test } from "vitest";
import { formatLogLine, parseLogLine, passes, toLogLine } from "./log-entry.ts";

const plain = (_: unknown, text: string): string => text;
const at = new Date(2026, 10, 22, 7, 5, 3, 42).toISOString();
const show = (fields: Readonly<Record<string, unknown>>): string => formatLogLine(toLogLine({ at, ...fields }), plain);

test("a call is one line with its outcome, its transport and its time", () => {
  const call = {
    level: "info",
    message: "call",
    procedure: "todo.add",
    transport: "http",
    trace_id: "1",
    principal: "local",
  };
  expect(show({ ...call, outcome: "ok", milliseconds: 3.2 })).toBe("07:05:03.042 info  todo.add  ok  http  3.2 ms");
  const failed = { ...call, level: "warn", outcome: "aborted", reason: "too_late", milliseconds: 1, principal: "desk" };
  expect(show(failed)).toBe("07:05:03.042 warn  todo.add  aborted too_late  http  1 ms  as desk");
});

test("other lines have their service, their fields, and the stack of an error below", () => {
  expect(show({ level: "info", message: "ready", service: "todo", count: 2, text: "two words", list: [1] })).toBe(
    '07:05:03.042 info  todo: ready count=2 text="two words" list=[ 1 ]',
  );
  const error = { name: "TypeError", message: "no", stack: "TypeError: no\n    at add (service.ts:3:1)" };
  expect(show({ level: "error", message: "defect", id: "x", error })).toBe(
    "07:05:03.042 error defect id=x\n  TypeError: no\n      at add (service.ts:3:1)",
  );
  expect(show({ level: "error", message: "service failed", error: { code: "internal", message: "no" } })).toBe(
    '07:05:03.042 error service failed error="internal: no"',
  );
});

test("what was logged controls no terminal", () => {
  const hostile = "\u001b[2J\u009b2J\u0007\r\n";
  const error = { name: "E", message: "no", stack: `E: ${hostile}    at a` };
  const shown = show({ level: "info", message: hostile, text: hostile.trim(), nested: { hostile }, error });
  expect([...shown].filter((character) => character < " " || (character >= "\u007f" && character <= "\u009f"))).toEqual(
    ["\n", "\n"],
  );
  expect(show({ level: "info", message: "a\nb" })).toBe("07:05:03.042 info  a\\nb");
});

test("what is not a line of a log is none", () => {
  expect(parseLogLine('{"at":"2026')).toBeUndefined();
  expect(parseLogLine("7")).toBeUndefined();
});

test("lines are chosen by service, level and time", () => {
  const call = toLogLine({ at, level: "info", message: "call", procedure: "todo.add" });
  const own = toLogLine({ at, level: "warn", message: "slow" });
  const chosen = (filter: Parameters<typeof passes>[1]) => [call, own].filter((line) => passes(line, filter));
  expect(chosen({})).toEqual([call, own]);
  expect(chosen({ service: "todo" })).toEqual([call]);
  expect(chosen({ service: "kernel" })).toEqual([own]);
  expect(chosen({ level: "warn" })).toEqual([own]);
  expect(chosen({ since: Date.parse(at) })).toEqual([call, own]);
  expect(chosen({ since: Date.parse(at) + 1 })).toEqual([]);
});
