/** The table of supervision: every case, with what the trusted ones do and what we do. `supervision-table.test.ts` writes it down. */
import { afterEach, describe, it } from "vitest";
import { closeAll } from "./supervision-cases/kit.ts";
import { supervisionCases } from "./supervision-cases/table.ts";

afterEach(closeAll);

describe.each(supervisionCases)("%s", (_, cases) => {
  it.each(cases)("$name: $ours", ({ check }) => check());
});
