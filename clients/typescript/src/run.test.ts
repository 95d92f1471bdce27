/** What runs call of the kernel. Runs themselves: `test/conformance/runs.test.ts`. */
import { expect, test } from "vitest";
import { kernel } from "../gen/kernel.ts";
import { runProcedures } from "./run.ts";

test("the kernel's procedures that a handle calls are those of its contract", () => {
  for (const [name, procedure] of Object.entries(runProcedures))
    expect(kernel.procedures[name as keyof typeof runProcedures]).toEqual(procedure);
});
