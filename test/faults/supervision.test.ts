/** The table of supervision: every case, with what the trusted ones do and what we do. */
import { describe, it } from "vitest";
import { contextCases } from "./supervision-cases/context.ts";
import { policyCases } from "./supervision-cases/policies.ts";
import { stopCases } from "./supervision-cases/stops.ts";

describe.each([
  ["the context of a call", contextCases],
  ["stops", stopCases],
  ["policies", policyCases],
] as const)("%s", (_, cases) => {
  it.each(cases)("$name: $ours", ({ check }) => check());
});
