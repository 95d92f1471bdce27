/** `?mode=search`: what it finds among 500 mixed tools, and that its calls are those of the tools, each by its tier. */
import { afterEach, describe, expect, test } from "vitest";
import { tools as ownTools } from "../../../../gen/tools.ts";
import type { FakeProcedure } from "../../../testing/mcp-fake.ts";
import { call, lastMessage, list } from "../../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../../testing/mcp-fake-server.ts";
import { otherTools } from "../../../testing/tool-catalogue.ts";
import { toolQuestions } from "../../../testing/tool-questions.ts";
import { makeToolIndex } from "./tool-index.ts";

afterEach(stopAll);

type Listed = (typeof otherTools)[number];

describe("the index", () => {
  const own = ownTools.flatMap(({ tool, listed }) => (listed === "full" ? [] : [tool as unknown as Listed]));
  const mixed = [...own, ...otherTools];
  const search = makeToolIndex(mixed);

  test("has the tool that is meant among the first five of 500, nine times in ten, and as often for our own", () => {
    const missed = toolQuestions.filter(([question, tool]) => !search(question, 5).includes(tool));
    const missedOwn = missed.filter(([, tool]) => own.some(({ name }) => name === tool));
    const ownQuestions = toolQuestions.filter(([, tool]) => own.some(({ name }) => name === tool));
    expect(mixed.length).toBeGreaterThanOrEqual(500);
    expect({ recall: 1 - missed.length / toolQuestions.length, missed }).toMatchObject({
      recall: expect.toSatisfy((recall: number) => recall >= 0.9),
    });
    expect(1 - missedOwn.length / ownQuestions.length).toBeGreaterThanOrEqual(0.9);
  });

  test("takes any words, also none that it knows, and long ones", () => {
    expect(search("", 5)).toEqual([]);
    expect(search("the of a", 5)).toEqual([]);
    expect(search("ⓧⓨ 数 ".repeat(10_000), 5)).toEqual([]);
    expect(search("getStatsOfBuild", 5)).toContain("lua_get_stats");
  });
});

describe("the work of a search", () => {
  const tool = (name: string, description: string): Listed =>
    ({ name, description, inputSchema: { type: "object" } }) as Listed;

  test("goes with 16 words of a query, and as many words that each may stand for as are near", () => {
    const search = makeToolIndex(Array.from({ length: 300 }, (_, at) => tool(`t${at}`, `beginning${1_000 + at}`)));
    expect(search("beginning1007", 1)).toEqual(["t7"]);
    expect(search("beginning", 300)).toHaveLength(100);
    const others = Array.from({ length: 16 }, (_, at) => `unrelated${at}`).join(" ");
    expect(search(`${others} beginning1007`, 5)).toEqual([]);
    expect(search(`the ${"and of ".repeat(30)} beginning1007`, 1)).toEqual(["t7"]);
  });

  test("goes with 400 words of a tool, and 64 letters of a word", () => {
    const words = Array.from({ length: 500 }, (_, at) => `w${at}q`);
    const long = "x".repeat(2_000);
    const search = makeToolIndex([tool("many", words.join(" ")), tool("long", long)]);
    expect(search("w300q", 1)).toEqual(["many"]);
    expect(search("w499q", 1)).toEqual([]);
    expect(search("x".repeat(64), 1)).toEqual(["long"]);
  });

  test("finds by the beginning of a word, and by a longer one", () => {
    const search = makeToolIndex([tool("one", "configuration"), tool("two", "conf"), tool("three", "contour")]);
    expect(search("configurable", 5)).toEqual(["one", "two"]);
    expect(search("conf", 5)).toEqual(["two", "one"]);
    expect(search("con", 5)).toEqual([]);
  });
});

const procedures: Readonly<Record<string, FakeProcedure>> = {
  "demo.look": {
    run: ({ input }) => ({ ok: true, value: { input } }),
    tool: { description: "Looks at a bird", annotations: { readOnlyHint: true } },
  },
  "demo.feed": {
    run: ({ input }) => ({ ok: true, value: { input } }),
    tool: { description: "Feeds a bird", annotations: { readOnlyHint: false, destructiveHint: false } },
  },
  "demo.both": {
    run: () => ({ ok: true, value: {} }),
    tool: { description: "Contradicts itself", annotations: { readOnlyHint: true, destructiveHint: true } },
  },
  "demo.shoo": { run: () => ({ ok: true, value: {} }), tool: { description: "Scares all birds away" } },
};

const path = "/mcp?mode=search";

const ask = async (name: string, input: object) => {
  const { server, calls } = await start({}, procedures);
  const { result } = await lastMessage(await call(server.url, name, input, {}, { path }));
  return { text: result?.content?.[0]?.text ?? "", isError: result?.isError, calls };
};

describe("an address that searches", () => {
  test("lists five tools in place of all", async () => {
    const { server } = await start({}, procedures);
    const { result } = await lastMessage(await list(server.url, { path }));
    const tools = (result as unknown as { readonly tools: readonly Listed[] }).tools;
    expect(tools.map(({ name }) => name)).toEqual([
      "search_tools",
      "describe_tool",
      "call_read",
      "call_write",
      "call_destructive",
    ]);
    expect(
      JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).length,
    ).toBeLessThan(1_600);
  });

  test("finds tools with what calls them, and describes one", async () => {
    const { text } = await ask("search_tools", { query: "feeding birds" });
    expect(text.split("\n")[0]).toBe("call_write feed(): Feeds a bird");
    expect((await ask("search_tools", { query: "submarine" })).text).toMatch(/^None of 4 tools/);
    expect(JSON.parse((await ask("describe_tool", { name: "look" })).text)).toMatchObject({
      name: "look",
      calledBy: "call_read",
    });
  });

  test("calls a tool by the tier that the tool has, and no other", async () => {
    const { calls, isError } = await ask("call_write", { name: "feed", arguments: { seeds: 3 } });
    expect({ isError, call: calls[0] }).toMatchObject({
      isError: undefined,
      call: { procedure: "demo.feed", input: { seeds: 3 } },
    });
    for (const [name, target, right] of [
      ["call_read", "feed", "call_write"],
      ["call_write", "shoo", "call_destructive"],
      ["call_read", "shoo", "call_destructive"],
      ["call_destructive", "look", "call_read"],
    ] as const) {
      const refused = await ask(name, { name: target });
      expect(refused).toMatchObject({ isError: true, calls: [] });
      expect(refused.text).toContain(`${right} calls ${target}`);
    }
  });

  test("calls no tool by its own name, and names what does", async () => {
    for (const [name, right] of [
      ["look", "call_read"],
      ["feed", "call_write"],
      ["shoo", "call_destructive"],
      ["both", "call_destructive"],
    ] as const) {
      const refused = await ask(name, {});
      expect(refused).toMatchObject({ isError: true, calls: [] });
      expect(refused.text).toContain(`${right} calls ${name}`);
    }
    const unknown = await ask("fed", {});
    expect(unknown).toMatchObject({ isError: true, calls: [] });
    expect(unknown.text).toContain("did you mean feed?");
    const far = await ask("submarine", {});
    expect(far.text).toContain("search_tools finds the tools that there are");
  });

  test("takes a tool that says both for one that may destroy", async () => {
    expect(await ask("call_read", { name: "both" })).toMatchObject({ isError: true, calls: [] });
    expect((await ask("call_destructive", { name: "both" })).calls).toHaveLength(1);
  });

  test("says what is wrong with a call", async () => {
    for (const [name, input] of [
      ["search_tools", {}],
      ["search_tools", { query: "bird", limit: 0 }],
      ["describe_tool", { name: "loook" }],
      ["call_read", {}],
      ["call_read", { name: "call_read" }],
    ] as const)
      expect((await ask(name, input)).isError).toBe(true);
  });
});
