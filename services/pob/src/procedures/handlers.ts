/**
 * The procedures, a file for each family.
 *
 * Not here: what the XML says (`build/`), the process (`session/`, `engine/`), what is switched off (`service.ts`).
 */
import type { pob } from "@fairlead/contracts/pob";
import type { Handlers } from "@fairlead/kernel/service";
import { createBuildHandlers } from "./builds.ts";
import { createChangeHandlers } from "./changes.ts";
import { createComparisonHandlers } from "./comparison.ts";
import type { ProcedureContext } from "./context.ts";
import { createProcessHandlers } from "./process.ts";
import { createStatHandlers } from "./stats.ts";
import { createTreeHandlers } from "./tree.ts";

export const createHandlers = (context: ProcedureContext): Handlers<typeof pob> => ({
  ...createBuildHandlers(context),
  ...createProcessHandlers(context),
  ...createStatHandlers(context),
  ...createTreeHandlers(context),
  ...createChangeHandlers(context),
  ...createComparisonHandlers(context),
});
