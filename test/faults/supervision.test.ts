/** The table of supervision: every case, with what the trusted ones do and what we do. `supervision-table.test.ts` writes it down. */
import { afterEach, describe, it } from "vitest";
import { closeAll } from "./supervision-cases/kit.ts";
import { supervisionCases } from "./supervision-cases/table.ts";

afterEach(closeAll);

for (const [title, cases] of supervisionCases) {
  describe(title, () => {
    // Not `it.each`, which cuts long names off: a test has the whole name of its case.
    for (const { name, ours, check } of cases) it(`${name}: ${ours}`, check);
  });
}
