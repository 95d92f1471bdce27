import { expect, test } from "vitest";
import { parsePasted } from "./declared-entries.ts";

test.each(["mcpServers", "servers"])("reads addresses and their headers below `%s`", (key) => {
  const text = JSON.stringify({ [key]: { holler: { url: "http://localhost:8080/mcp", headers: { "x-team": "a" } } } });
  expect(parsePasted(text)).toEqual({
    ok: true,
    entries: [{ name: "holler", address: { url: "http://localhost:8080/mcp", headers: { "x-team": "a" } } }],
  });
});

test("reads servers without anything around them", () => {
  expect(parsePasted('{"a":{"url":"https://a.example/mcp"}}')).toEqual({
    ok: true,
    entries: [{ name: "a", address: { url: "https://a.example/mcp" } }],
  });
});

const variable = (name: string): string => `\${${name}}`;

test.each([
  ["a program", { command: "npx", args: ["server"] }, "only the configuration may start"],
  ["variables", { url: `https://a.example/${variable("TEAM")}` }, "needs variables"],
  [
    "variables in a header",
    { url: "https://a.example", headers: { authorization: variable("TOKEN") } },
    "needs variables",
  ],
  ["a login", { url: "https://a.example", oauth: {} }, "logs in by OAuth"],
  ["no address", {}, "no `url`"],
  ["a wrong address", { url: "here" }, "not an address"],
  ["no object", 7, "not an object"],
])("says why it cannot add what has %s", (_, entry, why) => {
  const read = parsePasted(JSON.stringify({ mcpServers: { one: entry } }));
  expect(read.ok && read.entries[0]?.problem).toContain(why);
});

test.each([
  ["{", "not JSON"],
  ["[]", "not an object"],
  ["{}", "names no server"],
  ['{"mcpServers":{}}', "names no server"],
])("refuses %s", (text, why) => {
  const read = parsePasted(text);
  expect(!read.ok && read.problem).toContain(why);
});

test("refuses names that no connection may have", () => {
  const read = parsePasted('{"mcpServers":{"<b>":{"url":"http://localhost"}}}');
  expect(read.ok && read.entries[0]?.problem).toContain("A name has letters");
});
