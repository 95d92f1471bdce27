/** An error of a client in the words of this command: its flags, and the numbers that were given to them. Pure. */
import { ClientError } from "@fairlead/client";
import type { Context } from "./context.ts";

/** The same error, with a message and a hint for whoever typed the command; anything else as it is. */
export const inCommandWords = (
  error: unknown,
  { timeoutMs, token, url, verbose }: Pick<Context, "timeoutMs" | "token" | "url" | "verbose">,
): unknown => {
  if (!(error instanceof ClientError)) return error;
  const { procedure, cause } = error;
  if (error.code === "internal" && error.id !== undefined && url === undefined) {
    const hint = verbose ? "the log above says why" : "run it again with -v to see why";
    return new ClientError({ ...wireOf(error), hint }, procedure, { cause });
  }
  if (error.code === "deadline_exceeded" && error.reason === undefined && timeoutMs !== undefined) {
    const message = error.message.replace(/\b\d+\.\d+ ms\b/, `${timeoutMs} ms`);
    return new ClientError({ ...wireOf(error), message, hint: "give it more time with --timeout" }, procedure, {
      cause,
    });
  }
  if (error.code === "unauthenticated" && error.reason === undefined) {
    const hint =
      token() === undefined
        ? "give a token of that kernel: in a file with --token-file, or in FAIRLEAD_TOKEN"
        : "that kernel has another token: correct --token-file or FAIRLEAD_TOKEN";
    return new ClientError({ ...wireOf(error), hint }, procedure, { cause });
  }
  return error;
};

/** An error's message is no field of its own that a spread would copy. */
const wireOf = (error: ClientError): ClientError & { readonly message: string } => ({
  ...error,
  message: error.message,
});
