import { ClientError } from "@fairlead/client";
import { FairleadError } from "@fairlead/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Io, outputClosed } from "../terminal/io.ts";
import { CommandError, report, UsageError } from "./failure.ts";

interface ReportOptions {
  readonly reason?: string;
  readonly verbose?: boolean;
  readonly json?: boolean;
  /** Whether a person reads stderr. */
  readonly terminal?: boolean;
}

const reported = async (
  error: unknown,
  { reason, verbose = false, json = false, terminal = false }: ReportOptions = {},
) => {
  const written: string[] = [];
  const controller = new AbortController();
  if (reason !== undefined) controller.abort(reason);
  const io: Io = {
    out: () => undefined,
    err: (text) => void written.push(text),
    tty: { in: false, out: false, err: terminal, size: () => ({ columns: 80, rows: 24 }) },
    env: {},
    signal: controller.signal,
    stdin: async () => "",
    flush: async () => undefined,
  };
  const exit = await report(error, { verbose, json }, io);
  return { exit, written, text: written[0] ?? "", line: written.at(-1) ?? "" };
};

test("words for people first, then one line for programs", async () => {
  const issues = [{ path: "a.b", expected: "a number", fix: "give `a.b` a number" }];
  const cause = new Error("deep");
  const { exit, text, line } = await reported(new UsageError("it is wrong", "do it right", { issues, cause }));
  expect(exit).toBe(2);
  expect(text).toBe("error: it is wrong\n  a.b: expected a number; give `a.b` a number\nhint: do it right");
  expect(JSON.parse(line)).toEqual({
    error: {
      code: "usage",
      message: "it is wrong",
      hint: "do it right",
      docs: "fairlead --help",
      status: null,
      cause: "deep",
      issues,
    },
  });
});

test("people at a terminal get the words alone, --json the line alone", async () => {
  const error = new UsageError("it is wrong", "do it right");
  const { written: words } = await reported(error, { terminal: true });
  expect(words).toEqual([expect.stringMatching(/error:.* it is wrong\n.*hint:.* do it right$/)]);
  for (const terminal of [true, false]) {
    const { written: line } = await reported(error, { json: true, terminal });
    expect(line.map((each) => JSON.parse(each))).toMatchObject([{ error: { message: "it is wrong" } }]);
  }
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  [outputClosed, 0],
])("what %s ended exits %i", async (reason, code) => {
  const canceled = new FairleadError({ code: "canceled", message: "stopped" });
  expect((await reported(canceled, { reason })).exit).toBe(code);
});

test("an unknown error is a defect, with its stack", async () => {
  const plain = await reported(new TypeError("x is not a function"));
  expect(plain.exit).toBe(1);
  expect(plain.text).toMatch(/^hint: this is a defect.*\n.*\n {4}at /m);
  const { line } = await reported(new TypeError("x"), { json: true });
  expect(JSON.parse(line).error.stack).toContain("    at ");
});

test("whatever is thrown gives one line of JSON", async () => {
  const thrown = fc.oneof(
    fc.anything({ withNullPrototype: true }),
    fc.string().map((message) => new Error(message)),
    fc
      .string({ unit: "binary" })
      .map((message) => new CommandError({ code: "x", exit: 9 }, { message, hint: message })),
  );
  await fc.assert(
    fc.asyncProperty(thrown, async (error) => {
      const { line } = await reported(error);
      expect(line).not.toContain("\n");
      expect(JSON.parse(line)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } });
    }),
  );
});

test("only what can be described is offered to be described", async () => {
  const docs = async (procedure: string) => {
    const { line } = await reported(new ClientError({ code: "unavailable", message: "x", retryable: true }, procedure));
    return JSON.parse(line).error.docs;
  };
  expect(await docs("rules.check")).toBe("fairlead describe rules.check");
  expect(await docs("/openapi.json")).toBeNull();
});
