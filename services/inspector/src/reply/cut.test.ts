/** Bounds in tokens: whole rows, elements and members, how to go on, and nothing of the specification's own examples cut by default. */
import inspector from "@fairlead/contracts/inspector";
import { countTokens as countReal } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, failed, started, stopped, type World } from "../testing/service.ts";
import { countTokens } from "./tokens.ts";

let world: World;
beforeAll(async () => {
  world = await started({ world: { tickMs: 0 } });
});
afterAll(() => stopped(world));

const tools = ["explore", "eval", "query"] as const;
const examples = tools.flatMap((tool) =>
  (inspector.procedures[tool].examples ?? []).map(
    ({ input }) => [tool, input as Readonly<Record<string, unknown>>] as const,
  ),
);

interface CutAnswer {
  readonly cut?: { readonly shown: number; readonly of: number; readonly next: Readonly<Record<string, unknown>> };
  readonly rows?: readonly unknown[];
  readonly items?: readonly unknown[];
  readonly members?: readonly { readonly name: string }[];
  readonly handle?: string;
}

const asked = async (tool: (typeof tools)[number], input: unknown): Promise<CutAnswer> =>
  (await ask(world, tool, input)) as CutAnswer;

describe.each(examples)("%s %j", (tool, input) => {
  test("is cut by no default, and estimated at what it costs or more", async () => {
    const answer = await asked(tool, input);
    expect(JSON.stringify(answer)).not.toMatch(/"\$?cut":/);
    expect(countTokens(answer)).toBeGreaterThanOrEqual(countReal(JSON.stringify(answer)));
  });

  test("keeps to a bound", async () => {
    const answer = await ask(world, tool, { ...input, maxTokens: 600 });
    expect(countReal(JSON.stringify(answer))).toBeLessThanOrEqual(600);
  });
});

test("rows that are cut go on by `next` until all were seen", async () => {
  const question = { from: "Entities", where: "IsHostile", orderBy: "Id", select: "new { Id, RenderName }", take: 40 };
  const whole = await asked("query", question);
  const seen: unknown[] = [];
  let next: Readonly<Record<string, unknown>> = {};
  while (seen.length < 40) {
    const part = await asked("query", { ...question, take: 40 - seen.length, maxTokens: 300, ...next });
    expect(part.rows?.length).toBeGreaterThan(0);
    seen.push(...(part.rows ?? []));
    next = part.cut?.next ?? {};
  }
  expect(seen).toEqual(whole.rows);
});

test.each(["Player", "", "type:ExileCore.PoEMemory.Components.Life", "Entities"])(
  "members and elements of '%s' go on by `next`",
  async (target) => {
    const whole = await asked("explore", { target });
    const names = (answer: CutAnswer) =>
      [...(answer.members ?? []), ...(answer.items ?? [])].map((each) => JSON.stringify(each));
    const seen: string[] = [];
    let next: Readonly<Record<string, unknown>> | undefined = {};
    while (next !== undefined && seen.length < names(whole).length) {
      const part: CutAnswer = await asked("explore", { target, maxTokens: 700, limit: 50, ...next });
      expect(names(part).length).toBeGreaterThan(0);
      seen.push(...names(part));
      next = part.cut?.next;
    }
    expect(seen.slice(0, names(whole).length)).toEqual(names(whole));
  },
);

test.each([
  ["query", { from: "Entities" }],
  ["explore", { target: "Player" }],
  ["eval", { expr: "Entities" }],
] as const)("what is too large for the bound of %s of %j is shown by `next`", async (tool, input) => {
  const first = JSON.stringify(await ask(world, tool, { ...input, maxTokens: 100 }));
  const { cut, $cut = cut } = JSON.parse(first) as CutAnswer & { readonly $cut?: CutAnswer["cut"] };
  expect($cut?.shown).toBe(0);
  expect(JSON.stringify(await ask(world, tool, { ...input, maxTokens: 100, ...$cut?.next }))).not.toMatch(/"shown":0/);
});

test("texts and lists of `eval` say the expression for the rest", async () => {
  const text = "a,".repeat(700);
  expect(await ask(world, "eval", { expr: "@0", args: [text], maxTokens: 100 })).toEqual({
    value: expect.stringMatching(/^(?:a,)+a?$/),
    cut: { shown: expect.any(Number), of: 1_400, next: { expr: expect.stringMatching(/^\(@0\)\.Substring\(\d+\)$/) } },
  });
  expect(await ask(world, "eval", { expr: "Entities.Select(Id)", maxTokens: 100 })).toMatchObject({
    cut: { of: 1_523, next: { expr: expect.stringMatching(/^\(Entities\.Select\(Id\)\)\.Skip\(\d+\)$/) } },
  });
});

test("the host's bound counts where it is lower", async () => {
  const small = await started({ world: { tickMs: 0 }, maxTokens: 200 });
  expect(countTokens(await ask(small, "query", { from: "Entities", maxTokens: 5_000 }))).toBeLessThanOrEqual(200);
  await stopped(small);
});

test("`diff:` says what changed since an answer, by its handle, and goes on", async () => {
  const answer = await asked("explore", { target: "Player", maxTokens: 400 });
  expect(answer.handle).toMatch(/^[0-9a-f]{8}$/);
  expect(await asked("explore", { target: `diff:${answer.handle}` })).toEqual({
    since: expect.any(String),
    count: 0,
    changes: [],
    handle: answer.handle,
  });
  expect(await failed(world, "explore", { target: "diff:nothing" })).toMatchObject({
    reason: "bad_expression",
    data: { problem: "unknown_handle" },
    hint: expect.stringContaining("handle"),
  });
});
