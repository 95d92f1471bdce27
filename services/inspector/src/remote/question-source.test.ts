/** One function in source per question: it gives what the language gives here, and no text of a caller's gets out of its quotes. */

import { Session } from "node:inspector";
import { defaultLimits } from "@fairlead/linq";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { inspect } from "../host.ts";
import { type ToolAnswer, toAnswer } from "../protocol/backend.ts";
import type { ToolName, ToolReply } from "../protocol/message.ts";
import { openSource, runSource } from "../testing/run-source.ts";
import { checkQuestion, createCheckTarget } from "./question.ts";
import { librarySource, questionSource } from "./question-source.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const rows = Array.from({ length: 2_500 }, (_, id) => ({
  id,
  Name: `e${id % 50}`,
  level: id % 7 === 0 ? null : id % 100,
  "two words": id,
  seen: new Date(id * 86_400_000),
  tags: id % 3 === 0 ? ["a", "b"] : [],
}));

const slot = "fairleadShipmentRows";
beforeAll(() => void Object.assign(globalThis, { [slot]: rows }));
afterAll(() => void Reflect.deleteProperty(globalThis, slot));

const roots = { Rows: slot };
const holdMs = 60_000;

const sourceOf = (tool: ToolName, input: Readonly<Record<string, unknown>>): string => {
  const ground = createCheckTarget(Object.keys(roots), defaultLimits);
  const question = checkQuestion({ id: 0, tool, input }, ground);
  return questionSource(question, ground, { roots, holdMs });
};

/** As another process would: in the global scope, with nothing of ours. */
const ranThere = (source: string): ToolAnswer => toAnswer(JSON.parse(runSource(source)) as ToolReply);

/** Without the milliseconds that a slow read is marked with, which are the machine's. */
const untimed = (answer: ToolAnswer): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value: unknown) => (key === "slowMs" ? undefined : value)));

const complete = (tool: ToolName, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  tool === "explore" ? { depth: 1, includePrivate: true, limit: 5, offset: 0, ...input } : { depth: 2, ...input };

describe("the answer is that of an inspection here", () => {
  test.each([
    ["eval", { expr: "Rows.Where(level > 97).Select(new { id, Name as n }).Skip(2).First()" }],
    [
      "eval",
      { expr: 'Rows.GroupBy(Name).OrderBy("Key desc").Select(new { Key, Count() as n, Max(level) as top }).First()' },
    ],
    ["eval", { expr: "Rows[3].seen.AddDays(1).ToString(@0)", args: ["yyyy-MM-dd"] }],
    ["eval", { expr: 'Rows.Count(r => r.tags.Any(it == "a") && r.level is double)' }],
    ["eval", { expr: "Rows.Sum(level) + Rows.Average(id)" }],
    ["eval", { expr: 'string.Join("|", Rows.Take(3).Select(it["two words"]))' }],
    ["eval", { expr: "Rows.Single(id == -1)" }],
    ["eval", { expr: "Rows[0].level.Year" }],
    [
      "query",
      {
        from: "Rows",
        where: 'NAME == "e7" && level != null',
        orderBy: "level desc, id",
        select: "new { id, level }",
        take: 3,
      },
    ],
    [
      "query",
      { from: "Rows", groupBy: "level", having: "Count() > 20 && Max(id) < 2495", orderBy: "Key desc", take: 3 },
    ],
    ["query", { from: "Rows", groupBy: "level", where: 'tags.Contains("a")', orderBy: "Count() desc, Key", take: 4 }],
    ["query", { from: "Rows", select: "Name.ToString()", take: 2 }],
    ["query", { from: "Rows", distinct: true, select: "level", orderBy: "level desc", skip: 1, take: 3 }],
    ["query", { from: "Rows.Where(id > 2490)", select: "new { id / 0 as inf, seen.Year }" }],
    ["query", { from: "Rows", where: 'id > 1200 && Name.Substring(9) == ""' }],
    ["query", { from: "Rows[0].level" }],
    ["explore", { target: "Rows[1]" }],
    ["explore", { target: "" }],
  ] as const)("%s %j", (tool, given) => {
    const input = complete(tool, given);
    const open = inspect({ Rows: rows }, { rootTypes: { Rows: "object" } });
    try {
      const here = toAnswer(open.ask(tool, input));
      expect(here.kind).not.toBe("defect");
      expect(untimed(ranThere(sourceOf(tool, input)))).toEqual(untimed(here));
    } finally {
      open.close();
    }
  });
});

test("a reply that is ended before its last part closes the inspector session that it opened", () => {
  const connect = vi.spyOn(Session.prototype, "connect");
  const disconnect = vi.spyOn(Session.prototype, "disconnect");
  onTestFinished(() => void vi.restoreAllMocks());
  const secrets = "Array.from({ length: 50 }, () => new (class { #secret = 1; b = 2; })())";
  const ground = createCheckTarget(["Secrets"], defaultLimits);
  const input = complete("explore", { target: "Secrets", depth: 2, limit: 50 });
  const question = checkQuestion({ id: 0, tool: "explore", input }, ground);
  const reply = openSource(questionSource(question, ground, { roots: { Secrets: secrets }, holdMs }));
  while (connect.mock.calls.length === 0) expect(reply.next(0).isLast).toBe(false);
  expect(disconnect).not.toHaveBeenCalled();
  reply.end();
  expect(disconnect).toHaveBeenCalledTimes(1);
});

test("the parser stays here, and the library takes little room", () => {
  expect(librarySource).not.toMatch(/unterminated_string|bad_escape/);
  expect(librarySource.length).toBeLessThan(176_000);
  expect(sourceOf("eval", { expr: "Rows.Count()", depth: 1 }).length).toBeLessThan(2_000);
});

const payloads = fc.oneof(
  fc.constantFrom(
    '"+PWNED()+"',
    "`\u0024{PWNED()}`",
    "\u2028PWNED()\u2029",
    "</script><script>PWNED()",
    "*/PWNED()/*",
    "\\u0022);PWNED();(\\u0022",
    "__proto__",
    "\n});PWNED();({",
    "\\",
    "'+PWNED()+'",
    "\u0024{PWNED()}",
  ),
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => `${text}PWNED()`),
  fc
    .array(fc.constantFrom(..."\"'`\\\u0024{}()/*;\n\r\u2028\u2029", "PWNED()"), { maxLength: 12 })
    .map((all) => all.join("")),
);

/** The source without its quoted parts. */
const unquoted = (source: string): string => source.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');

test("property: whatever a caller writes is only ever a quoted literal or name", () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const asks: [ToolName, Readonly<Record<string, unknown>>, unknown][] = [
        ["eval", { expr: "@0", args: [payload], depth: 1 }, payload],
        ["eval", { expr: "Rows[0][@0]", args: [payload], depth: 1 }, undefined],
        [
          "eval",
          { expr: 'new { @0 as x, string.Concat(@0, "!") as y }', args: [payload], depth: 1 },
          { x: payload, y: `${payload}!` },
        ],
        [
          "query",
          { from: "Rows", where: "Name == @0 || it[@1] == 7", select: "id", take: 1, args: [payload, "two words"] },
          undefined,
        ],
      ];
      for (const [tool, input, value] of asks) {
        const source = sourceOf(tool, input);
        expect(unquoted(source)).not.toContain("PWNED");
        const answer = ranThere(source);
        if (value !== undefined) expect(answer).toEqual({ kind: "value", value });
        expect(["value", "problem"]).toContain(answer.kind);
      }
    }),
    { numRuns: inLongTier ? 60 : 12 },
  );
});

test("names that a text makes up are quoted too: members, aliases, ordering, the text itself", () => {
  const strange = 'new { it["PWNED` \u0024{x}"] as @PWNED, Rows.OrderBy("PWNED desc").First().id as id }';
  const source = sourceOf("query", { from: "Rows", select: strange, take: 1 });
  expect(unquoted(source)).not.toContain("PWNED");
  expect(ranThere(source)).toMatchObject({ value: { rows: [{ PWNED: null }] } });
});

test("a name of ours in a root's expression is the other process's", () => {
  const ground = createCheckTarget(["Mine"], defaultLimits);
  const question = checkQuestion({ id: 0, tool: "eval", input: { expr: "Mine", depth: 1 } }, ground);
  const Mine = "typeof library + typeof host + typeof limits";
  expect(ranThere(questionSource(question, ground, { roots: { Mine }, holdMs }))).toEqual({
    kind: "value",
    value: "undefinedundefinedundefined",
  });
});

if (inLongTier) {
  test("a root that never ends is a line in the list of roots, not the end of it", () => {
    const limits = { ...defaultLimits, wallMs: 8_000 };
    const ground = createCheckTarget(["Good", "Endless"], limits);
    const input = complete("explore", { target: "" });
    const question = checkQuestion({ id: 0, tool: "explore", input }, ground);
    const Endless = "(() => { for (;;) Math.sqrt(2); })()";
    expect(ranThere(questionSource(question, ground, { roots: { Endless, Good: "[1, 2]" }, holdMs }))).toMatchObject({
      kind: "value",
      value: {
        members: [
          { name: "Endless", unreadable: expect.stringContaining("did not end") },
          { name: "Good", count: 2 },
        ],
      },
    });
  });
}

test("a getter of a class over there is named and not run", () => {
  const ground = createCheckTarget(["Orders"], defaultLimits);
  const question = checkQuestion({ id: 0, tool: "query", input: { from: "Orders", where: "net > 1" } }, ground);
  const Orders = "[new (class { get net() { throw new Error('it ran'); } })()]";
  expect(ranThere(questionSource(question, ground, { roots: { Orders }, holdMs }))).toMatchObject({
    kind: "problem",
    problem: { code: "not_readable", message: "'net' is a getter, which would run", part: "where", position: 0 },
  });
});

if (inLongTier) {
  test("an object with very many names is not listed there without leave", () => {
    const ground = createCheckTarget(["Keyed"], defaultLimits);
    const Keyed = "Object.fromEntries(Array.from({ length: 200000 }, (_, id) => ['k' + id, id]))";
    const asked = (allowsPause: boolean): ToolAnswer => {
      const input = complete("explore", { target: "Keyed", pause: allowsPause });
      const question = checkQuestion({ id: 0, tool: "explore", input }, ground);
      return ranThere(questionSource(question, ground, { roots: { Keyed }, holdMs, allowsPause }));
    };
    expect(asked(false)).toMatchObject({ kind: "problem", problem: { code: "pause_needed" } });
    expect(asked(true)).toMatchObject({
      kind: "value",
      value: { type: "Object", pause: { estimatedMs: expect.any(Number), measuredMs: expect.any(Number) } },
    });
  });
}
