/**
 * Whether the input of a download may be in an address of its bytes, and what is said where it may not. Addresses are shown, logged and kept: what a contract
 * marks as secret is in none, and none is longer than a person or a model can read.
 *
 * Not here: how an input is written there (`inputToQuery`, `transport/mcp/files`).
 */
import { httpPath, type Procedure, secretTexts, shortSecrets } from "@fairlead/contracts";

/** Characters of a query string. */
const longestQuery = 1_000;

export const mayBeInAddress = ({ input: schema }: Procedure, input: unknown, query: string): boolean => {
  if (query.length > longestQuery) return false;
  const texts = asTexts(input);
  return secretTexts(schema, texts).length === 0 && shortSecrets(schema, texts).length === 0;
};

/** A PIN is as secret as a password; what looks for secrets looks at texts. */
const asTexts = (input: unknown): unknown =>
  JSON.parse(
    JSON.stringify(input ?? {}, (_, value) =>
      typeof value === "number" || typeof value === "boolean" ? String(value) : value,
    ),
  );

/** How to get the bytes without such an address. `name` is the procedure's full name. */
export const withoutAddress = (name: string, procedure: Procedure): string => {
  const at = name.indexOf(".");
  const path = httpPath(name.slice(0, at), name.slice(at + 1), procedure);
  return `this input can be in no address of the file's bytes: for them, send it as JSON by POST to ${path} of the HTTP API`;
};
