/** Where the kernel is that this project's entries with an address ask. */
import type { Context } from "../command/context.ts";
import { findOwner, statePlace } from "../owner/place.ts";

/** Of `--url`, else of the kernel that runs for the project; `undefined` where there is none. */
export const findOrigin = async (context: Context): Promise<string | undefined> => {
  const url = context.url ?? (await findOwner((await statePlace(context)).folder)).record?.url;
  return typeof url !== "string" ? undefined : URL.parse(url)?.origin;
};
