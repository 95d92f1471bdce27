/** All cases of supervision, in groups. */
import type { SupervisionCase } from "./case.ts";
import { childCases } from "./children.ts";
import { contextCases } from "./context.ts";
import { importCases } from "./imports.ts";
import { observabilityCases } from "./observability.ts";
import { policyCases } from "./policies.ts";
import { readinessCases } from "./readiness.ts";
import { releaseCases } from "./releases.ts";
import { runCases } from "./runs.ts";
import { startCases } from "./starts.ts";
import { stopCases } from "./stops.ts";

export const supervisionCases: readonly (readonly [title: string, cases: readonly SupervisionCase[]])[] = [
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
];
