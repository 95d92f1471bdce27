/**
 * The contracts that ship have no warning of `fairlead gen` but the one that is meant: `/mcp` lists all tools. A project that plugs a
 * service in would read the others at each of its own runs.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkDrift } from "@fairlead/codegen";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

test("warnings of the contracts that ship", async () => {
  const { default: config } = await import(pathToFileURL(join(root, "fairlead.config.ts")).href);
  const { diagnostics } = await checkDrift({ root, config: genConfigSchema.parse(config.gen) });
  const warnings = diagnostics.filter(({ severity }) => severity !== "note");
  expect(warnings.map(({ code, where }) => `${code} ${where}`)).toEqual(["tool_too_many /mcp"]);
});
