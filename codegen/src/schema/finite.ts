/** Numbers of a JSON Schema that JSON has no words for: NaN and the infinite. Not here: the rest of what a converter gives (`lower`). */

/** Limits that every number is within. */
const endless: Readonly<Record<string, number>> = {
  minimum: Number.NEGATIVE_INFINITY,
  exclusiveMinimum: Number.NEGATIVE_INFINITY,
  maximum: Number.POSITIVE_INFINITY,
  exclusiveMaximum: Number.POSITIVE_INFINITY,
  maxLength: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
  maxProperties: Number.POSITIVE_INFINITY,
};

/** Keywords whose values are the author's own. */
const authored: readonly string[] = ["const", "enum", "default", "examples"];

/** Takes limits out of `json` that say nothing, and gives the numbers that say something and cannot be written. */
export const takeNonFinite = (json: Record<string, unknown>): readonly string[] => {
  const found: string[] = [];
  for (const keyword of Object.keys(json)) {
    const value = json[keyword];
    if (typeof value === "number" && !Number.isFinite(value) && endless[keyword] === value) delete json[keyword];
    else if (typeof value === "number" || authored.includes(keyword)) addNonFinite(value, found);
  }
  return found;
};

const addNonFinite = (value: unknown, found: string[]): void => {
  if (typeof value === "number" && !Number.isFinite(value)) found.push(String(value));
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) addNonFinite(inner, found);
};
