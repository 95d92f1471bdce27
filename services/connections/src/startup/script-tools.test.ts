/** What the error says of a wrong word in a script: which field, and which name was meant. */
import { expect, it } from "vitest";
import { scriptTools } from "./script-tools.ts";

const { call: ask } = scriptTools({
  mcp_add: () => undefined,
  mcp_remove: () => true,
  mcp_status: () => undefined,
  mcp_list: () => [],
});

it.each<[string, readonly unknown[], string]>([
  ["mcp_add", ["x", { comand: "node" }], "mcp_add: comand: there is no such field; did you mean `command`?"],
  ["mcp_add", ["x", { command: "node", arg: [] }], "mcp_add: arg: there is no such field; did you mean `args`?"],
  [
    "mcp_add",
    ["x", { url: "http://x", header: {} }],
    "mcp_add: header: there is no such field; did you mean `headers`?",
  ],
  ["mcp_add", ["x", { url: "http://x", args: [] }], "mcp_add: args: there is no such field"],
  [
    "mcp_add",
    ["x", { url: "http://x", tools: { alow: [] } }],
    "mcp_add: tools.alow: there is no such field; did you mean `allow`?",
  ],
  ["mcp_add", ["x", { command: 3 }], "mcp_add: command: "],
  ["mcp_status", [], 'mcp_status: the first argument is the connection\'s name, like tools.mcp_status("holler")'],
  ["mcp_remove", [{}, "x"], "mcp_remove: the first argument is the connection's name"],
  ["mcp_add", ["x", { command: "node", args: [1] }], "mcp_add: args.0: "],
  ["mcp_add", ["x", {}], "mcp_add: name a `url` or a `command`"],
  ["mcp_add", ["x"], "mcp_add: name a `url` or a `command`"],
  ["mcp_add", ["bad name", "http://x"], "mcp_add: a name: letters"],
])("%s(%j) is refused with %s", (name, args, text) => {
  expect(() => ask(name, args)).toThrow(text);
});
