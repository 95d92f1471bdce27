/** A refused change; of a version that is not the newest one, in words. */
import { ErrorNote, readCallError } from "@fairlead/console/kit";
import { staleText } from "./stale.ts";

export const Refused = ({ error }: { readonly error: Error }) => {
  const refusal = readCallError(error);
  const stale = staleText(refusal);
  return stale === undefined ? (
    <ErrorNote {...refusal} />
  ) : (
    <p role="alert" className="rounded-md bg-warn-soft p-3 text-warn">
      {stale}
    </p>
  );
};
