/**
 * The contracts that ship have no warning of `fairlead gen` but the one that is meant: `/mcp` lists all tools. A project that plugs a
 * service in would read the others at each of its own runs.
 */
import { resolve } from "node:path";
import { checkDrift } from "@fairlead/codegen";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import shipped from "../../fairlead.config.ts";

test("warnings of the contracts that ship", async () => {
  const root = resolve(import.meta.dirname, "../..");
  const { diagnostics } = await checkDrift({ root, config: genConfigSchema.parse(shipped.gen) });
  const warnings = diagnostics.filter(({ severity }) => severity !== "note");
  expect(warnings.map(({ code, where }) => `${code} ${where}`)).toEqual(["tool_too_many /mcp"]);
});
