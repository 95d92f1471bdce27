/**
 * Text of a response as JSON. Not here: what it means (`fetch.ts`, `stream.ts`).
 */
import { ClientError } from "./error.ts";
import type { Attempt } from "./transport.ts";

/** The output of a call; nothing at all is `undefined`. Throws a `ClientError` for what is not JSON. */
export const parseOutput = (text: string, { procedure }: Attempt): unknown => {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `the answer to ${procedure.name} is not JSON`;
    const hint = "check that the address is that of a Fairlead kernel";
    throw new ClientError({ code: "unknown", message, hint, retryable: false }, procedure.name, { cause });
  }
};

/** The JSON in a text; `undefined` where there is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
