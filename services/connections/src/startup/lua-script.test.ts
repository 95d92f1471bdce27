/** Startup scripts in Lua: the specification's words, and nothing of the machine. */
import { describe, expect, it } from "vitest";
import { type LuaLimits, runLua } from "./lua-script.ts";
import { type ScriptStatus, type StartupTools, scriptTools } from "./script-tools.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const run = async (source: string, limits?: Partial<LuaLimits>) => {
  const added: unknown[] = [];
  const removed: string[] = [];
  const printed: string[] = [];
  const known: ScriptStatus[] = [{ name: "holler", state: "connected", tools: 47 }];
  const tools: StartupTools = {
    mcp_add: (name, upstream) => void added.push([name, upstream]),
    mcp_remove: (name) => {
      removed.push(name);
      return name === "holler";
    },
    mcp_status: (name) => known.find((each) => each.name === name),
    mcp_list: () => known,
  };
  const print = (text: string): void => void printed.push(text);
  await runLua({
    source,
    name: "startup.lua",
    tools: scriptTools(tools),
    print,
    limits: { timeMs: 60_000, ...limits },
  });
  return { added, removed, printed };
};

describe("the specification's functions", () => {
  it("mcp_add takes an address, or a table", async () => {
    const { added } = await run(`
      local none = tools.mcp_add("holler", "http://localhost:8080/mcp")
      assert(none == nil)
      tools.mcp_add("files", { command = "node", args = { "server.js", "dir" }, env = { TOKEN = "\${TOKEN}" } })
    `);
    expect(added).toMatchObject([
      ["holler", { url: "http://localhost:8080/mcp", era: "auto" }],
      ["files", { command: "node", args: ["server.js", "dir"], env: { TOKEN: "$" + "{TOKEN}" } }],
    ]);
  });

  if (inLongTier) {
    it("are globals, too, as in the specification's diagram", async () => {
      const { added, removed, printed } = await run(`
      mcp_add("holler", "http://localhost:8080")
      print(mcp_status("holler").tools, #mcp_list(), mcp_remove("holler"))
    `);
      expect(added).toMatchObject([["holler", { url: "http://localhost:8080" }]]);
      expect({ removed, printed }).toEqual({ removed: ["holler"], printed: ["47\t1\ttrue"] });
      await expect(run("local x = 1\nmcp_add('bad name', 'http://x')")).rejects.toThrow(
        /^startup.lua:2: mcp_add: .*name/,
      );
    });
  }

  it("mcp_status, mcp_list and mcp_remove give what is said", async () => {
    const { printed, removed } = await run(`
      local status = tools.mcp_status("holler")
      print(status.state, status.tools, status.error)
      print(tools.mcp_status("nobody"))
      local all = tools.mcp_list()
      print(#all, all[1].name)
      print(tools.mcp_remove("holler"), tools.mcp_remove("nobody"))
    `);
    expect(printed).toEqual(["connected\t47\tnil", "nil", "1\tholler", "true\tfalse"]);
    expect(removed).toEqual(["holler", "nobody"]);
  });

  const refused: readonly (readonly [source: string, reason: RegExp])[] = [
    [`tools.mcp_add("bad name", "http://x")`, /mcp_add: .*name/],
    [`tools.mcp_add("a", { command = 3 })`, /mcp_add/],
    [`tools.mcp_add("a")`, /mcp_add/],
    [`tools:mcp_add("a", "http://x")`, /^startup.lua:1: mcp_add: the first argument is the connection's name/],
    [`local t = {} t.url = t tools.mcp_add("a", t)`, /^startup.lua:1: mcp_add: a table that holds itself/],
    ["print(1)\ntools.mcp_ad('x')", /^startup.lua:2: there is no tools.mcp_ad; did you mean `tools.mcp_add`\?$/],
    [`tools.print("x")`, /^startup.lua:1: there is no tools.print$/],
    [`tools.mcp_add("a", "nope")`, /^startup.lua:1: mcp_add: url: an address like .*; "nope" is none$/],
    [`tools.mcp_add("a", { command = "x", start = "lasy" })`, /^startup.lua:1: mcp_add: start: .*"lazy"/],
    ["\x1bLuaS", /^startup.lua:1: unexpected symbol/],
    [`while true do print("x") end`, /^startup.lua:1: it prints more than 1000 lines$/],
    ["this is not lua", /^startup.lua:1: syntax error near/],
    [`error("stop here")`, /^startup.lua:1: stop here$/],
    [
      `print(1)\ntools.mcp_add("x", { comand = "node" })`,
      /^startup.lua:2: mcp_add: comand: there is no such field; did you mean `command`\?$/,
    ],
  ];
  it.each(refused.filter((_, at) => inLongTier || at % 8 === 0))(
    "%s is refused with a reason",
    async (source, reason) => {
      await expect(run(source)).rejects.toThrow(reason);
    },
  );

  it("an error of a function can be caught by the script, as a text", async () => {
    const { printed } = await run(
      `local ok, why = pcall(tools.mcp_add, "bad name", "x")\nprint(ok, "refused: " .. why)`,
    );
    expect(printed[0]).toMatch(/^false\trefused: mcp_add: .*name/);
  });

  it("an empty table is an empty list where a list is wanted", async () => {
    const { added } = await run(`tools.mcp_add("a", { command = "x", args = {}, env = {}, tools = { allow = {} } })`);
    expect(added).toMatchObject([["a", { args: [], env: {}, tools: { allow: [] } }]]);
  });

  it("print writes what Lua writes", async () => {
    const { printed } = await run(`print(1.0, 2, nil, true, "a", 1 / 0) print({}, print) print()`);
    expect(printed).toEqual(["1.0\t2\tnil\ttrue\ta\tinf", expect.stringMatching(/^table: \S+\tfunction: /), ""]);
  });

  if (inLongTier) {
    it("a file may begin as Lua's files do", async () => {
      expect((await run("\uFEFF#!/usr/bin/lua\nprint(1)")).printed).toEqual(["1"]);
      await expect(run("#!/usr/bin/lua\nerror('here')")).rejects.toThrow("startup.lua:2: here");
    });
  }
});

describe("the sandbox", () => {
  const absent = [
    "os",
    "io",
    "debug",
    "require",
    "package",
    "dofile",
    "loadfile",
    "load",
    "collectgarbage",
    "coroutine",
  ];
  it(`has no ${absent.join(", ")}`, async () => {
    const types = absent.map((name) => `type(${name})`).join(", ");
    expect((await run(`print(${types})`)).printed).toEqual([absent.map(() => "nil").join("\t")]);
  });

  it("gives no compiled code, and takes none", async () => {
    expect((await run("print(string.dump)")).printed).toEqual(["nil"]);
  });

  if (inLongTier) {
    it.each([
      ["a catch-all", "while true do pcall(function() while true do end end) end"],
      ["the collector", "for i = 1, 1e5 do setmetatable({}, { __gc = function() while true do end end }) end"],
      ["a text", `error(setmetatable({}, { __tostring = function() while true do end end }))`],
      ["a word of its own", `getmetatable("").__index = function() while true do end end; print(("x").y)`],
    ])("ends a script that hides in %s", async (_, source) => {
      await expect(run(source, { timeMs: 500 })).rejects.toThrow("ran for more than 500 ms");
    });

    it("has a script catch what is too much for its memory, and go on", async () => {
      const { printed } = await run(`print(pcall(string.rep, "x", 1 << 30)) print("on")`);
      expect(printed).toEqual(["false\tnot enough memory", "on"]);
    });
  }

  it("has strings, tables and numbers", async () => {
    const { printed } = await run(`print(string.rep("ab", 2), table.concat({ 1, 2 }, ","), math.max(1, 2), "ü")`);
    expect(printed).toEqual(["abab\t1,2\t2\tü"]);
  });

  it("leads to nothing of JavaScript", async () => {
    const { printed } = await run(`
      print(pcall(function() return tools.mcp_list.constructor end))
      print(pcall(function() return tools.mcp_list.prototype end))
      print(pcall(function() return getmetatable(tools.mcp_list).__index end))
      print(pcall(function() return tools.constructor end))
      print(type(process), type(globalThis), type(global))
    `);
    expect(printed.slice(0, 4).filter((line) => /^true\t(?!nil)/.test(line))).toEqual([]);
    expect(printed[4]).toBe("nil\tnil\tnil");
  });

  it("ends a script that does not end", async () => {
    await expect(run("while true do end", { timeMs: 500 })).rejects.toThrow("ran for more than 500 ms");
  });

  if (inLongTier) {
    it("ends a script that hides in its patterns", async () => {
      const source = `string.rep("a", 60):find(string.rep("a?", 60) .. string.rep("a", 60))`;
      await expect(run(source, { timeMs: 500 })).rejects.toThrow("ran for more than");
    });
  }

  it("bounds a script's memory", async () => {
    const source = `local t = {} for i = 1, 1e9 do t[i] = string.rep("x", 1000) .. i end`;
    await expect(run(source, { memoryBytes: 8 * 1024 * 1024, timeMs: 20_000 })).rejects.toThrow(/memory/);
  });
});
