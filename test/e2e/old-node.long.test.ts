/** The entries of packages on a Node that is too old, played by this one: `process.versions` is changed before they read it. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });`;
const sentence =
  "fairlead needs Node 24 or newer, and this is Node 20.1.0; install Node 24 from nodejs.org or your package source";

/** What importing an entry prints: on an older Node, or else on this one. */
const imported = (entry: string, before: string) => {
  const script = `${before} import(${JSON.stringify(entry)}).then(() => console.log("fine"), (e) => console.log(e.message))`;
  const args = ["--conditions=@fairlead/source", "--eval", script];
  return spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: "utf8" }).stdout.trim();
};

test.each([
  "@fairlead/kernel",
  "@fairlead/kernel/service",
  "@fairlead/kernel/subprocess",
  "@fairlead/kernel/memory",
  "@fairlead/service-connections",
  "@fairlead/service-inspector",
  "@fairlead/service-loop",
  "@fairlead/service-loop/direct-client",
  "@fairlead/service-pob",
  "@fairlead/service-rules",
])("%s says what it needs, on a Node that is too old", (entry) => {
  expect(imported(entry, old)).toBe(sentence);
  expect(imported(entry, "")).toBe("fine");
});
