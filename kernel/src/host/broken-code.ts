/** Code of a service that cannot be run as it is: what to say of it, and where to fix it. */
import { FairleadError, faultPlace } from "@fairlead/contracts";
import * as z from "zod";
import type { Service } from "../service/service.ts";
import { type ServiceEntry, unknownVersion } from "./manifest.ts";

/** `what` could not be read, like "the service rules"; `otherwise` is the advice where the fault is in no file of the project's. */
export const brokenCode = (what: string, cause: unknown, otherwise: string): FairleadError => {
  const place = faultPlace(cause);
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint = place === undefined ? otherwise : `fix ${place}; \`node\` runs it the same way`;
  return new FairleadError(
    { code: "failed_precondition", message: `${what} could not be loaded: ${why}`, hint },
    { cause },
  );
};

/** Why the module of a service cannot be used. */
export const unloadable = ({ id, module }: ServiceEntry, cause: unknown): FairleadError =>
  cause instanceof FairleadError
    ? cause
    : brokenCode(
        `the service ${id} in ${module}`,
        cause,
        `install it, or run \`fairlead gen\`; then run \`fairlead services restart ${id}\``,
      );

/** Stands for a service whose module could not be loaded: its start fails with the reason, its contract is not known. */
export const unloadedService = (id: string, error: FairleadError): Service => ({
  contract: { id, version: unknownVersion, summary: "It could not be loaded.", procedures: {} },
  // Whatever its settings are, they are not what is wrong.
  config: z.looseObject({}),
  start: () => {
    throw error;
  },
});
