/** Answers that are long, as clients of both kinds get them over MCP. */
import { afterEach, describe, expect, test } from "vitest";
import type { FakeProcedure } from "../../../testing/mcp-fake.ts";
import { call, envelope, lastMessage } from "../../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../../testing/mcp-fake-server.ts";
import { estimateTokens } from "./tokens.ts";

afterEach(stopAll);

const rows = Array.from({ length: 900 }, (_, id) => ({ id, name: `Scroll of Wisdom ${id}`, weight: id * 0.25 }));
const whole = { rows, total: rows.length, note: "all of them" };
const object = { type: "object", properties: { rows: {}, total: {}, note: {} } };

const procedures: Readonly<Record<string, FakeProcedure>> = {
  "demo.rows": { run: () => ({ ok: true, value: whole }), tool: { outputSchema: object } },
  "demo.strict": {
    run: () => ({ ok: true, value: whole }),
    tool: { outputSchema: { ...object, required: ["rows", "total"] } },
  },
  "demo.list": { run: () => ({ ok: true, value: rows }), wrapped: true },
  "demo.text": {
    run: () => ({ ok: true, value: "word ".repeat(9_000) }),
    wrapped: true,
    tool: { outputSchema: { type: "object", properties: { value: { type: "string" } } } },
  },
  "demo.own": { run: ({ input }) => ({ ok: true, value: { input } }), ownArguments: ["fields", "limitTokens"] },
  "demo.passed": {
    run: () => ({ ok: true, value: { content: [{ type: "text", text: "x".repeat(40_000) }] } }),
    passed: true,
  },
};

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

const app = (name: string) => ({
  meta: { ...envelope, "io.modelcontextprotocol/clientInfo": { name, version: "1.0.0" } },
});

const ask = async (tool: string, input: object = {}, name = "someone"): Promise<Result> => {
  const { server } = await start({}, procedures);
  const { result } = await lastMessage(await call(server.url, tool, input, app(name).meta));
  return result as unknown as Result;
};

describe("a long answer", () => {
  test("is short as a text, says what is missing and how to go on, and whole for programs", async () => {
    const { content, structuredContent } = await ask("rows");
    const [text, note] = content;
    const shown = JSON.parse(text?.text ?? "") as typeof whole;
    expect(shown).toMatchObject({ total: 900, note: "all of them" });
    expect(shown.rows).toEqual(rows.slice(0, shown.rows.length));
    expect(estimateTokens(`${text?.text}${note?.text}`)).toBeLessThanOrEqual(2_000);
    expect(note?.text).toMatch(
      /^Cut to 2000 tokens of about \d+ \(rows: \d+ of 900 items\)\. To go on, call again with `limitTokens` \d+ for all of it, or `fields` for some of rows, total, note\.$/,
    );
    expect(structuredContent).toEqual(whole);
  });

  test("is cut in its structured content for clients that show it to the model", async () => {
    const { structuredContent } = await ask("rows", {}, "claude-code");
    expect(structuredContent).toMatchObject({ total: 900, $cut: expect.stringContaining("of 900 items") });
    expect(estimateTokens(JSON.stringify(structuredContent))).toBeLessThanOrEqual(2_000);
  });

  test("has the tokens and the fields that its call asks for", async () => {
    const more = await ask("rows", { limitTokens: 100_000 });
    expect(more.content).toEqual([{ type: "text", text: JSON.stringify(whole) }]);
    const { content, structuredContent } = await ask("rows", { fields: ["total", "nothing"] });
    expect(content.map(({ text }) => text)).toEqual([
      '{"total":900}',
      "This answer has no nothing; it has rows, total, note.",
    ]);
    expect(structuredContent).toEqual(whole);
    expect((await ask("rows", { fields: ["total"] }, "codex-mcp-client")).structuredContent).toEqual({ total: 900 });
    const strict = await ask("strict", { fields: ["total"] }, "codex-mcp-client");
    expect(strict.structuredContent).toHaveProperty("rows");
  });

  test("of a list has fields of its items", async () => {
    const { content } = await ask("list", { fields: ["id"], limitTokens: 100_000 });
    expect(JSON.parse(content[0]?.text ?? "")).toEqual(rows.map(({ id }) => ({ id })));
  });

  test("that is a text is cut as one", async () => {
    const { content } = await ask("text");
    expect(content[0]?.text).toMatch(/^word word .*…$/);
    expect(content[1]?.text).toMatch(/of 45000 characters/);
  });

  test("of an upstream is passed on as it is", async () => {
    expect((await ask("passed")).content).toHaveLength(1);
  });
});

test("arguments about the answer never reach the procedure, unless they are its own", async () => {
  const { server, calls } = await start({}, procedures);
  await call(server.url, "rows", { a: 1, limitTokens: 500, fields: ["total"] });
  await call(server.url, "own", { limitTokens: 1, fields: "Life" });
  expect(calls.map(({ input }) => input)).toEqual([{ a: 1 }, { limitTokens: 1, fields: "Life" }]);
});

test("an unusable limit is a tool's error that says what to send", async () => {
  for (const input of [{ limitTokens: 5 }, { limitTokens: "all" }, { fields: [] }, { fields: "rows" }]) {
    const { isError, content } = await ask("rows", input);
    expect(isError).toBe(true);
    expect(content[0]?.text).toMatch(/^(?:limitTokens|fields) must be /);
  }
});

test.each([
  ["JSON", JSON.stringify(rows), 15_752],
  ["indented JSON", JSON.stringify({ rows, total: rows.length }, undefined, 2), 27_466],
  [
    "prose",
    "The wizard casts a fireball at the goblins behind the wall, and each of them makes a saving throw. ".repeat(40),
    921,
  ],
  ["numbers", JSON.stringify(Array.from({ length: 300 }, (_, at) => Math.sin(at))), 2_668],
  [
    "Base64",
    Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7919 + (at >> 3)) % 251)).toString("base64"),
    2_721,
  ],
])("the estimate of %s is near what o200k_base counts", (_, text, counted) => {
  expect(estimateTokens(text) / counted).toBeGreaterThan(0.8);
  expect(estimateTokens(text) / counted).toBeLessThan(1.8);
});
