/** Refuses the names of services that the project does not have, before anything starts. */
import type { Context } from "../command/context.ts";
import { projectManifest } from "../owner/place.ts";

export const refuseUnknownServices = async (context: Context, services: readonly string[]): Promise<void> => {
  if (services.length === 0) return;
  const manifest = await projectManifest(context);
  const known = ["kernel", ...manifest.services.map(({ id }) => id)];
  const unknown = services.find((id) => !known.includes(id));
  if (unknown !== undefined) throw (await import("./not-found.ts")).notFoundError("service", unknown, known);
};
