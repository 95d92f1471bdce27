/**
 * Canonical JSON: members sorted by name, so that two texts are equal exactly when the values are. For digests, not for wires.
 */

/** Takes plain JSON values of bounded depth; anything else is written as JSON would. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let members = "";
  for (const key of Object.keys(value).sort()) {
    const item: unknown = Reflect.get(value, key);
    if (item !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(item)}`;
  }
  return `{${members}}`;
};
