/** Reads values of which nothing is known: parsed JSON, messages of peers, files of others. */

/** An object by its fields, no array. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A member of what may be no object. */
export const readMember = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
