/** The table of supervision: every case, with what the trusted ones do and what we do. */
import { afterEach, describe, it } from "vitest";
import { childCases } from "./supervision-cases/children.ts";
import { contextCases } from "./supervision-cases/context.ts";
import { importCases } from "./supervision-cases/imports.ts";
import { closeAll } from "./supervision-cases/kit.ts";
import { observabilityCases } from "./supervision-cases/observability.ts";
import { policyCases } from "./supervision-cases/policies.ts";
import { readinessCases } from "./supervision-cases/readiness.ts";
import { releaseCases } from "./supervision-cases/releases.ts";
import { runCases } from "./supervision-cases/runs.ts";
import { startCases } from "./supervision-cases/starts.ts";
import { stopCases } from "./supervision-cases/stops.ts";

afterEach(closeAll);

describe.each([
  ["children", childCases],
  ["the context of a call", contextCases],
  ["runs that end by themselves", runCases],
  ["starts", startCases],
  ["imports", importCases],
  ["stops", stopCases],
  ["releases", releaseCases],
  ["readiness", readinessCases],
  ["policies", policyCases],
  ["what can be seen", observabilityCases],
] as const)("%s", (_, cases) => {
  it.each(cases)("$name: $ours", ({ check }) => check());
});
