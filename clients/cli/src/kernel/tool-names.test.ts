import { loop } from "@fairlead/contracts/loop";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CommandNames, mentionsTools, replaceToolNames } from "./tool-names.ts";

const verbs = Object.entries(loop.verbs ?? {}).map(([name, { steps }]) => ({ name, service: loop.id, steps }));
const tools = new Map([
  ["promptwheel_advance", "loop.advance"],
  ["lua_load_build", "pob.luaLoadBuild"],
  ["mcp_add", "connections.add"],
  ["eval", "inspector.eval"],
]);

const names: CommandNames = { tools, verbs };

test.each([
  ["go on with promptwheel_advance", "go on with `fairlead session advance`"],
  ["call `promptwheel_advance`, then stop", "call `fairlead session advance`, then stop"],
  ["call lua_load_build first", "call `fairlead call pob.luaLoadBuild` first"],
  ["tools.mcp_add(name) in eval", "tools.mcp_add(name) in eval"],
  ["my_lua_load_build, lua_load_builds, other_tool", "my_lua_load_build, lua_load_builds, other_tool"],
])("%s", (text, words) => {
  expect(replaceToolNames(text, names)).toBe(words);
});

test("what the loop's errors advise names a command that there is", () => {
  const own = new Map(
    Object.entries(loop.procedures).map(([name, { tool }]) => [
      typeof tool === "object" ? `${tool.name}` : String(tool),
      `loop.${name}`,
    ]),
  );
  for (const { errors } of Object.values<{ errors?: Readonly<Record<string, { hint?: string }>> }>(loop.procedures))
    for (const { hint = "" } of Object.values(errors ?? {}))
      expect(replaceToolNames(hint, { tools: own, verbs })).not.toMatch(/promptwheel_|fairlead call/);
});

test("a text without tools stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "_", "`", ".", " ", "1") }), (text) => {
      expect(replaceToolNames(text, { tools: new Map(), verbs })).toBe(text);
      if (!mentionsTools(text)) expect(replaceToolNames(text, names)).toBe(text);
    }),
  );
});
