/** The small pure parts of the MCP transport: results, errors, pace, endpoints. */
import type { WireError } from "@fairlead/contracts";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { throttle } from "../../call/throttle.ts";
import { type ClientWords, inClientWords } from "./answer/client-words.ts";
import { boundedError } from "./error.ts";
import { idProblem } from "./id.ts";
import { refusedResult } from "./refused-result.ts";
import { isTextOnly, toolResult } from "./result.ts";

const words: ClientWords = { tool: () => undefined, called: () => undefined };

describe("results", () => {
  test("the text is the bare value, whatever it is, and says the same as the structured content", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { content, structuredContent } = toolResult(value, { wrapped: true });
        const [block] = content;
        const text = block?.type === "text" ? block.text : undefined;
        expect(structuredContent).toEqual({ value });
        if (typeof value === "string") expect(text).toBe(value);
        else expect(JSON.parse(text ?? "")).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("a text is JSON where the output may be a value that reads the same", () => {
    const shown = (value: unknown): unknown => toolResult(value, { wrapped: true, quoted: true }).content[0];
    for (const value of ["null", null, "4523", 4523, "", "Hillock"])
      expect(shown(value)).toEqual({ type: "text", text: JSON.stringify(value) });
    const output = (value: unknown) => ({ name: "x", outputSchema: { type: "object", properties: { value } } });
    expect(isTextOnly(output({ type: "string", maxLength: 3 }))).toBe(true);
    expect(isTextOnly(output({}))).toBe(false);
    expect(isTextOnly(output({ anyOf: [{ type: "string" }, { type: "null" }] }))).toBe(false);
  });

  test("no value is null, since a text has to be something", () => {
    expect(toolResult(null, { wrapped: true })).toEqual({
      content: [{ type: "text", text: "null" }],
      structuredContent: { value: null },
    });
  });

  test("an issue with the whole input says so", () => {
    const issues = [{ path: "", expected: "an object", fix: "send {}" }];
    const error: WireError = { code: "invalid_argument", message: "no", issues, retryable: false };
    const { content, isError } = refusedResult(error, { words });
    expect(isError).toBe(true);
    expect(content).toEqual([{ type: "text", text: "no\n- input: expected an object; send {}" }]);
  });

  test("a text has the words of the client, and the envelope those of the kernel", () => {
    const error: WireError = { code: "not_found", message: "rules.roll", hint: "see rules.roll", retryable: false };
    const own: ClientWords = { ...words, tool: (name) => (name === "rules.roll" ? "roll" : undefined) };
    expect(refusedResult(error, { words: own })).toMatchObject({
      content: [{ text: "roll\nsee roll" }],
      _meta: { "fairlead/error": error },
    });
  });

  test("a command is the tool that does the same, and else something for a person, as it is typed", () => {
    const own: ClientWords = {
      tool: (name) => ({ "conn.list": "conn_list", "demo.clear": "clear" })[name],
      called: (verb) => ({ "conn ls": "conn.list", "conn approve": "conn.approve" })[verb],
    };
    const shown = (text: string): string => inClientWords(text, own);
    expect(shown("`fairlead conn ls` lists them")).toBe("`conn_list` lists them");
    expect(shown("`fairlead conn ls --all`, then demo.clear")).toMatch(
      /^`fairlead conn ls --all`, then clear\n.*person/,
    );
    expect(shown("`fairlead call demo.clear` again; see `fairlead describe demo.clear`")).toBe(
      "`clear` again; see the input schema of the tool",
    );
    // Other approvals than a person's are none.
    for (const typed of ["call demo.clear --start", "conn approve holler", "doctor", "call", "call other.thing"])
      expect(shown(`run \`fairlead ${typed}\``)).toMatch(new RegExp(`^run \`fairlead ${typed}\`\n.*person`));
    for (const part of ["a-", "a.", "`fairlead call ", "`fairlead ", "` a.b"])
      expect(shown(part.repeat(1_000_000))).toBeTypeOf("string");
  });

  test("the envelope has all issues, the text as many as there is room for", () => {
    const issues = Array.from({ length: 20 }, (_, at) => ({
      path: `at${at}`,
      expected: "e".repeat(60),
      fix: "f".repeat(40),
    }));
    const error: WireError = { code: "invalid_argument", message: "no", hint: "see there", issues, retryable: false };
    const result = refusedResult(error, { words });
    expect(result._meta).toEqual({ "fairlead/error": error });
    expect(result.content).toEqual([
      { type: "text", text: expect.stringMatching(/^no\n- at0: .*\n- and \d+ more\nsee there$/s) },
    ]);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(4_096);
  });
});

describe("errors", () => {
  test("are cut when they are long, and left alone when they are not", () => {
    const error = (message: string, data?: unknown) => ({
      jsonrpc: "2.0" as const,
      id: 1,
      error: { code: -32602, message, ...(data !== undefined && { data }) },
    });
    const short = error("wrong", { at: "name" });
    expect(boundedError(short)).toBe(short);
    expect(JSON.stringify(boundedError(error("x".repeat(100_000)))).length).toBeLessThan(3_000);
    expect(boundedError(error("wrong", "x".repeat(100_000)))).toEqual(error("wrong"));
    const result = { jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(100_000) } };
    expect(boundedError(result)).toBe(result);
  });

  test("an id is refused when answering would repeat too much of it", () => {
    expect(idProblem({ id: "x".repeat(256) })).toBeUndefined();
    expect(idProblem({ id: "x".repeat(257) })).toContain("256");
    expect(idProblem({ id: "\u0001".repeat(50) })).toContain("256");
    expect(idProblem([{ id: 1 }, { id: "x".repeat(257) }])).toContain("256");
    for (const value of [null, 5, "text", {}, [null]]) expect(idProblem(value)).toBeUndefined();
  });
});

describe("pace", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("at once, then at most once a span, and never forgotten", () => {
    let runs = 0;
    const paced = throttle(250, () => {
      runs += 1;
    });
    paced.now();
    expect(runs).toBe(1);
    for (let asked = 0; asked < 10; asked += 1) paced.now();
    vi.advanceTimersByTime(249);
    expect(runs).toBe(1);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(2);
    vi.advanceTimersByTime(250);
    expect(runs).toBe(2);
    paced.now();
    expect(runs).toBe(3);
  });

  test("stopped, it forgets what is waiting", () => {
    let runs = 0;
    const paced = throttle(250, () => {
      runs += 1;
    });
    paced.now();
    paced.now();
    paced.stop();
    vi.advanceTimersByTime(1_000);
    expect(runs).toBe(1);
  });
});
