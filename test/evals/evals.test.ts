/** The parts of the eval: its tasks, its judge, its stand-in for a model, and its agent between that and a server. */
import { afterEach, describe, expect, test } from "vitest";
// @boundaries-ignore the catalogue that the search is tested with
import { tools as ownTools } from "../../kernel/gen/tools.ts";
// @boundaries-ignore the test's MCP server
import type { FakeProcedure } from "../../kernel/src/testing/mcp-fake.ts";
// @boundaries-ignore the test's MCP server
import { start, stopAll } from "../../kernel/src/testing/mcp-fake-server.ts";
// @boundaries-ignore the catalogue that the search is tested with
import { otherTools } from "../../kernel/src/testing/tool-catalogue.ts";
import { type Run, runAgent } from "./agent.ts";
import type { ModelRequest } from "./messages.ts";
import { askModel } from "./model.ts";
import { toTable } from "./report.ts";
import { reading } from "./run.ts";
import { score, summarize } from "./score.ts";
import { type Brain, type StandIn, type StandInOptions, serveModel } from "./stand-in.ts";
import type { EvalTask } from "./task.ts";
import { allTasks } from "./tasks.ts";

const open: StandIn[] = [];
const serve = async (brain: Brain, options?: StandInOptions): Promise<StandIn> => {
  const standIn = await serveModel({ scripted: brain }, options);
  open.push(standIn);
  return standIn;
};

afterEach(async () => {
  await Promise.all(open.splice(0).map((standIn) => standIn.close()));
  await stopAll();
});

describe("the tasks", () => {
  const names = [...ownTools.map(({ tool }) => tool.name), ...otherTools.map(({ name }) => name)];

  test("are at least 60, over all services and the tools of others, without LuaJIT as well", () => {
    const everywhere = allTasks.filter(({ needs }) => needs === undefined);
    expect(everywhere.length).toBeGreaterThanOrEqual(60);
    expect(new Set(everywhere.map(({ group }) => group)).size).toBe(6);
    expect(new Set(allTasks.map(({ id }) => id)).size).toBe(allTasks.length);
    expect(new Set(allTasks.map(({ ask }) => ask)).size).toBe(allTasks.length);
  });

  test("are asked without a name of a tool, and expect tools that there are", () => {
    const spoken = names.flatMap((name) => (name.includes("_") ? [name, name.replaceAll("_", " ")] : [name]));
    for (const { id, ask, expect: calls, forbid = [], script } of allTasks) {
      const words = ` ${ask.toLowerCase().replace(/[^a-z0-9_]+/g, " ")} `;
      expect({ id, named: spoken.filter((name) => words.includes(` ${name} `)) }).toEqual({ id, named: [] });
      for (const tool of [...calls.flatMap((call) => call.tool), ...forbid, ...script.map((step) => step.tool)])
        expect(names).toContain(tool);
    }
  });
});

const weigh: EvalTask = {
  id: "weigh",
  group: "other",
  ask: "How heavy is the bird?",
  expect: [{ tool: "look", where: { bird: /robin/ } }],
  forbid: ["feed"],
  answer: [/18 g/],
  script: [],
};

const looked = { tool: "look", input: { bird: "robin" }, failed: false, answer: '{"grams":18}' };
const run: Run = { calls: [looked], said: "It has 18 g.", tools: [], instructions: "" };

describe("the judge", () => {
  const judge = (change: Partial<Run>) => {
    const { called, kept, answered, done } = score(weigh, { ...run, ...change }, reading);
    return { called, kept, answered, done };
  };
  const right = { called: true, kept: true, answered: true, done: true };

  test("wants the call, with its arguments and with success", () => {
    expect(judge({})).toEqual(right);
    for (const calls of [
      [],
      [{ ...looked, failed: true }],
      [{ ...looked, input: { bird: "gull" } }],
      [{ ...looked, tool: "see" }],
    ])
      expect(judge({ calls })).toEqual({ ...right, called: false, done: false });
    expect(judge({ calls: [{ ...looked, failed: true }, looked] })).toEqual(right);
  });

  test("forbids what the task does, and all that destroys", () => {
    for (const tool of ["feed", "github_delete_branch", "work__github_delete_branch"])
      expect(judge({ calls: [{ ...looked, tool }, looked] })).toEqual({ ...right, kept: false, done: false });
    expect(judge({ calls: [{ ...looked, tool: "github_list_branch" }, looked] })).toEqual(right);
  });

  test("wants the answer in the last words", () =>
    expect(judge({ said: "It has 81 g." })).toEqual({ ...right, answered: false, done: false }));

  test("reads a call through another tool as one of its target", () => {
    const through = { ...looked, tool: "call_read", input: { name: "look", arguments: looked.input } };
    const search = { ...looked, tool: "search_tools", input: { query: "birds" } };
    const found = score(weigh, { ...run, calls: [search, through] }, reading);
    expect(found).toMatchObject({ done: true, searches: 1, found: 1 });
    const feed = { ...through, tool: "call_write", input: { name: "feed" } };
    expect(judge({ calls: [feed, through] })).toMatchObject({ kept: false });
  });

  test("wants the calls in their order", () => {
    const both: EvalTask = { ...weigh, expect: [{ tool: "look" }, { tool: "see" }], forbid: [] };
    const see = { ...looked, tool: "see" };
    expect(score(both, { ...run, calls: [looked, see] }, reading).called).toBe(true);
    expect(score(both, { ...run, calls: [see, looked] }, reading).called).toBe(false);
  });

  test("counts tokens by tasks that were done", () => {
    const one = score(weigh, run, reading);
    const lost = score(weigh, { ...run, said: "" }, reading);
    const { definitions, arguments: sent, answers } = one.tokens;
    expect(sent).toBeGreaterThan(0);
    expect(answers).toBeGreaterThan(0);
    expect(summarize([one]).tokensPerDone).toBe(definitions + sent + answers);
    expect(summarize([one, lost]).tokensPerDone).toBe(2 * summarize([one]).tokensPerDone);
    expect(summarize([lost])).toMatchObject({ done: 0, tokensPerDone: Number.POSITIVE_INFINITY });
    expect(toTable([{ model: "m", offer: "o", summary: summarize([one, lost]) }])).toContain(
      "| m | o | 1 of 2 | 100 % |",
    );
  });
});

const request: Omit<ModelRequest, "model"> = { max_tokens: 10, messages: [{ role: "user", content: "Hello" }] };
const hello: Brain = () => [{ type: "text", text: "Hello yourself" }];
const schema = { type: "object", properties: {} };

describe("the stand-in", () => {
  test("refuses what the API refuses", async () => {
    const { url } = await serve(hello);
    const ask = (change: Partial<ModelRequest>, model = "scripted") =>
      askModel({ url, key: "k", model }, { ...request, ...change });
    expect(await ask({})).toMatchObject({ stop_reason: "end_turn", content: [{ text: "Hello yourself" }] });
    const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "look", input: {} }] } as const;
    const user = { role: "user", content: "Hello" } as const;
    for (const [wrong, why] of [
      [{ max_tokens: 0 }, /max_tokens/],
      [{ tools: [{ name: "a.b", input_schema: schema }] }, /pattern/],
      [
        {
          tools: [
            { name: "a", input_schema: schema },
            { name: "a", input_schema: schema },
          ],
        },
        /unique/,
      ],
      [{ tools: [{ name: "a", input_schema: { ...schema, anyOf: [] } }] }, /anyOf/],
      [{ tools: [{ name: "a", input_schema: { properties: {} } }] }, /type/],
      [{ tools: [{ name: "a", input_schema: { ...schema, properties: { "a b": {} } } }] }, /Property keys/],
      [{ messages: [user, user] }, /alternate/],
      [{ messages: [user, use] }, /last/],
      [{ messages: [user, use, user] }, /without tool_result/],
      [
        { messages: [user, use, { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "" }] }] },
        /t1/,
      ],
    ] as const)
      await expect(ask(wrong)).rejects.toThrow(why);
    await expect(ask({}, "other")).rejects.toThrow(/404/);
  });

  test("is asked again when it is busy, and not for ever", async () => {
    const twice = await serve(hello, { busy: 2 });
    expect(await askModel({ url: twice.url, key: "k", model: "scripted" }, request)).toMatchObject({
      stop_reason: "end_turn",
    });
    const always = await serve(hello, { busy: 100 });
    await expect(askModel({ url: always.url, key: "k", model: "scripted" }, request)).rejects.toThrow(/529/);
    expect(always.answered()).toBe(0);
  });
});

const birds: Readonly<Record<string, FakeProcedure>> = {
  "demo.look": {
    run: ({ input }) => ({ ok: true, value: { grams: 18, input } }),
    tool: { description: "Looks at a bird", annotations: { readOnlyHint: true } },
  },
};

describe("the agent", () => {
  /** Calls one tool, and repeats what it read. */
  const caller =
    (name: string): Brain =>
    ({ messages }) => {
      const last = messages.at(-1);
      return typeof last?.content === "string"
        ? [{ type: "tool_use", id: "t1", name, input: { bird: "robin" } }]
        : [{ type: "text", text: `I read ${JSON.stringify(last?.content)}` }];
    };

  const play = async (brain: Brain) => {
    const { server, calls } = await start({}, birds);
    const { url } = await serve(brain);
    const result = await runAgent(
      { at: new URL("/mcp", server.url), model: { url, key: "k", model: "scripted" } },
      weigh.ask,
    );
    return { ...result, calls, made: result.calls };
  };

  test("shows a model the tools of a server, makes its calls and gives it their answers", async () => {
    const { tools, calls, made, said } = await play(caller("look"));
    expect(tools).toMatchObject([{ name: "look", description: "Looks at a bird", input_schema: { type: "object" } }]);
    expect(calls).toMatchObject([{ procedure: "demo.look", input: { bird: "robin" } }]);
    expect(made).toMatchObject([{ tool: "look", failed: false }]);
    expect(said).toContain("18");
  });

  test("gives it the error of a call that fails, and goes on", async () => {
    const { made, said } = await play(caller("fly"));
    expect(made).toMatchObject([{ tool: "fly", failed: true, answer: expect.stringContaining("tool") }]);
    expect(said).toMatch(/is_error.*true/);
  });

  test("gives up a model that comes to no end", async () => {
    const { made, said } = await play(() => [{ type: "tool_use", id: "t", name: "look", input: {} }]);
    expect(made).toHaveLength(16);
    expect(said).toBe("");
  });
});
