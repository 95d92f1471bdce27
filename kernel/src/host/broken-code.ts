/** Code of a service that cannot be run as it is: what to say of it, and where to fix it. */
import { FairleadError, faultPlace } from "@fairlead/contracts";

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
