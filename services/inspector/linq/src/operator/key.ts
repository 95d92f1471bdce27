/** Keys that cost fuel: what a record or a list contains is in its key, so a long text in it makes a long key. */
import type { Frame } from "../core/frame.ts";
import type { HostAccess } from "../type/host.ts";
import { valueKey } from "./compare.ts";

/** A longer key is made of lists, whose characters were copied once for each list around them. */
const long = 1_024;

/** The key of a value for maps, at a step for every sixteen characters that had to be made for it, at two for each one of a long key. */
export const chargeKey = (value: unknown, host: HostAccess, frame: Frame): unknown => {
  const key = valueKey(value, host);
  if (typeof key === "string" && typeof value !== "string")
    frame.spend(key.length > long ? 2 * key.length : key.length >> 4);
  return key;
};
