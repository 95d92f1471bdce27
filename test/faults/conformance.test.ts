/** One scenario of the suite for each revision; `conformance.long.test.ts` runs all that a revision requires. */
import { expect, it } from "vitest";
import { judge } from "./conformance.ts";

const inLongTier = process.env.TESTS_TIER === "long";

it.each(["2025-11-25", "2026-07-28"].filter((_, at) => inLongTier || at % 2 === 0))(
  "revision %s: a client lists the tools and calls one",
  async (revision) => {
    const { code } = await judge("--scenario", "tools_call", "--spec-version", revision);
    expect(code).toBe(0);
  },
);
