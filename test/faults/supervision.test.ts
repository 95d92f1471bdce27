/** The table of supervision: every case, with what the trusted ones do and what we do. `supervision-table.test.ts` writes it down. */
import { afterEach, describe, it } from "vitest";
import { closeAll } from "./supervision-cases/kit.ts";
import { supervisionCases } from "./supervision-cases/table.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(closeAll);

for (const [title, cases] of supervisionCases) {
  describe(title, () => {
    // Not `it.each`, which cuts long names off: a test has the whole name of its case.
    const tried = cases.filter((_, at) => inLongTier || at % 5 === 0);
    for (const { name, ours, check } of tried) it(`${name}: ${ours}`, check);
  });
}
