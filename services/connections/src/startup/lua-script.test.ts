/** Startup scripts in Lua: the specification's words, and nothing of the machine. */
import { describe, expect, it } from "vitest";
import { type LuaLimits, runLua } from "./lua-script.ts";
import { type ScriptStatus, type StartupTools, scriptTools } from "./script-tools.ts";

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
    ...(limits !== undefined && { limits }),
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

  it.each([
    [`tools.mcp_add("bad name", "http://x")`, /mcp_add: .*name/],
    [`tools.mcp_add("a", { command = 3 })`, /mcp_add/],
    [`tools.mcp_add("a")`, /mcp_add/],
    ["this is not lua", /^startup.lua:1: syntax error near/],
    [`error("stop here")`, /^startup.lua:1: stop here$/],
    [
      `print(1)\ntools.mcp_add("x", { comand = "node" })`,
      /^startup.lua:2: mcp_add: comand: there is no such field; did you mean `command`\?$/,
    ],
  ])("%s is refused with a reason", async (source, reason) => {
    await expect(run(source)).rejects.toThrow(reason);
  });

  it("an error of a function can be caught by the script", async () => {
    const { printed } = await run(`print(pcall(tools.mcp_add, "bad name", "x"))`);
    expect(printed[0]).toMatch(/^false\t.*name/);
  });
});

describe("the sandbox", () => {
  it.each(["os", "io", "debug", "require", "package", "dofile", "loadfile", "load", "collectgarbage", "coroutine"])(
    "has no %s",
    async (name) => {
      expect((await run(`print(type(${name}))`)).printed).toEqual(["nil"]);
    },
  );

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

  it("ends a script that hides in its patterns", async () => {
    const source = `string.rep("a", 60):find(string.rep("a?", 60) .. string.rep("a", 60))`;
    await expect(run(source, { timeMs: 500 })).rejects.toThrow("ran for more than");
  });

  it("bounds a script's memory", async () => {
    const source = `local t = {} for i = 1, 1e9 do t[i] = string.rep("x", 1000) .. i end`;
    await expect(run(source, { memoryBytes: 8 * 1024 * 1024, timeMs: 20_000 })).rejects.toThrow(/memory/);
  });
});
