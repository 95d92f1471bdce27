/** An entry goes into a client's file and out of it, and nothing else of the file changes. */
import fc from "fast-check";
import * as toml from "smol-toml";
import { describe, expect, it } from "vitest";
import { addEntry, readEntries, removeEntry } from "./config-text.ts";

const json = { syntax: "json", section: "mcpServers" } as const;
const codex = { syntax: "toml", section: "mcp_servers" } as const;
const value = { command: "/opt/node", args: ["mcp", "serve"] };

describe("JSON with comments", () => {
  it("keeps comments, order, tabs and line ends", () => {
    const text =
      '{\r\n\t// mine\r\n\t"z": 1,\r\n\t"mcpServers": {\r\n\t\t"other": { "url": "x" }, // theirs\r\n\t},\r\n}\r\n';
    const added = addEntry(text, json, { name: "todo", value });
    expect(added).toContain("// mine");
    expect(added).toContain("// theirs");
    expect(added).toContain('\r\n\t\t"todo": {\r\n\t\t\t"command": "/opt/node"');
    expect(added.replaceAll("\r\n", "")).not.toContain("\n");
    expect(Object.keys(readEntries(added, json))).toEqual(["todo", "other"]);
    expect(readEntries(removeEntry(added, json, "todo"), json)).toEqual({ other: { url: "x" } });
  });

  const commented = `{
  // all of mine
  "mcpServers": {
    // one
    "a": { "command": "x" }, // of a
    "b": { "url": "y" } // of b
    // "c": {}
  }
}
`;

  it("leaves neighbours and their comments as they are", () => {
    const added = addEntry(commented, json, { name: "todo", value });
    for (const line of commented.split("\n")) expect(added.split("\n")).toContain(line);
    expect(removeEntry(added, json, "todo")).toBe(commented);
  });

  it.each(["a", "b"])("takes %s out, and no comment", (name) => {
    const { [name]: _, ...rest } = readEntries(commented, json);
    const removed = removeEntry(commented, json, name);
    expect(readEntries(removed, json)).toEqual(rest);
    for (const comment of ["// all of mine", "// one", "// of a", "// of b", '// "c": {}'])
      expect(removed).toContain(comment);
  });

  it("takes out questions that no other entry needs", () => {
    const servers = { ...json, section: "servers" };
    const asking = (input: string) => ({ ...value, env: { KEY: `\${input:${input}}` } });
    const one = addEntry("", servers, { name: "a", value: asking("KEY"), inputs: ["KEY"] });
    const two = addEntry(one, servers, { name: "b", value: asking("OTHER"), inputs: ["OTHER"] });
    expect(JSON.parse(removeEntry(two, servers, "b"))).toEqual(JSON.parse(one));
    expect(JSON.parse(removeEntry(one, servers, "a"))).toEqual({});
  });

  it.each(["", "  \n", "{}", "{\n}\n"])("begins a file of %j", (text) =>
    expect(readEntries(addEntry(text, json, { name: "todo", value }), json)).toEqual({ todo: value }),
  );

  it("replaces an entry of the same name", () => {
    const text = addEntry("", json, { name: "todo", value: { url: "x" } });
    expect(readEntries(addEntry(text, json, { name: "todo", value }), json)).toEqual({ todo: value });
  });

  it("asks for variables once", () => {
    const once = addEntry("", { ...json, section: "servers" }, { name: "a", value, inputs: ["KEY"] });
    const twice = addEntry(once, { ...json, section: "servers" }, { name: "b", value, inputs: ["KEY", "TOKEN"] });
    expect(JSON.parse(twice).inputs.map(({ id }: { readonly id: string }) => id)).toEqual(["KEY", "TOKEN"]);
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', "it is not readable as JSON: line 3"],
    ["[]", "it holds no object"],
    ['{ "mcpServers": [] }', "its member mcpServers is not an object"],
    ['{ "mcpServers": { "a": 1 }, "mcpServers": {} }', "it cannot be changed without changing what else it says"],
  ])("refuses %j", (text, message) => expect(() => addEntry(text, json, { name: "todo", value })).toThrow(message));

  it("gives back each file that it was added to", () => {
    const names = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !["__proto__", "todo"].includes(name));
    const files = fc.record({
      before: fc.dictionary(names, fc.jsonValue()),
      servers: fc.dictionary(names, fc.jsonValue(), { minKeys: 1 }),
      indent: fc.constantFrom(0, 2, 4, "\t"),
    });
    fc.assert(
      fc.property(files, ({ before, servers, indent }) => {
        const document = JSON.parse(JSON.stringify({ ...before, mcpServers: servers }));
        const text = JSON.stringify(document, null, indent);
        const added = addEntry(text, json, { name: "todo", value });
        expect(JSON.parse(added)).toEqual({ ...document, mcpServers: { ...document.mcpServers, todo: value } });
        expect(JSON.parse(removeEntry(added, json, "todo"))).toEqual(document);
      }),
      { numRuns: 100 },
    );
  });
});

describe("TOML", () => {
  const mine =
    '# mine\nmodel = "m" # why\n\n[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "b"\n\n[profiles.p]\nk = 1\n';

  it("gives back every byte", () => {
    const added = addEntry(mine, codex, { name: "todo", value });
    expect(added.startsWith(mine)).toBe(true);
    expect(readEntries(added, codex)).toMatchObject({ todo: value, other: { command: "x" } });
    expect(removeEntry(added, codex, "todo")).toBe(mine);
  });

  it("takes out tables that are between others", () =>
    expect(removeEntry(mine, codex, "other")).toBe('# mine\nmodel = "m" # why\n\n[profiles.p]\nk = 1\n'));

  it("leaves what is said of the next table", () => {
    const text = '[mcp_servers.a]\ncommand = "x"\n# of a\nargs = []\n\n# Work: keep\n[profiles.work]\nk = 1\n';
    expect(removeEntry(text, codex, "a")).toBe("\n# Work: keep\n[profiles.work]\nk = 1\n");
  });

  it("replaces an entry with its tables", () => {
    const changed = addEntry(mine, codex, { name: "other", value });
    expect(readEntries(changed, codex)).toEqual({ other: value });
    expect(toml.parse(changed)).toMatchObject({ model: "m", profiles: { p: { k: 1 } } });
  });

  it.each([
    ["a = ", "it is not readable as TOML: line 1"],
    ["mcp_servers = 1\n", "its member mcp_servers is not an object"],
    ['mcp_servers = { other = { command = "x" } }\n', "it cannot be changed without"],
  ])("refuses %j", (text, message) => expect(() => addEntry(text, codex, { name: "todo", value })).toThrow(message));

  it("refuses to take out what is not a table of its own", () =>
    expect(() => removeEntry('[mcp_servers]\ntodo = { command = "x" }\n', codex, "todo")).toThrow(
      "it cannot be changed without",
    ));
});
