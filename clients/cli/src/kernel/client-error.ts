/** An error of a client in the words of this command: its flags, the numbers that were given to them, its commands. Pure. */
import { ClientError } from "@fairlead/client";
import type { Context } from "../command/context.ts";
import { type CommandNames, replaceToolNames } from "./tool-names.ts";

/** The flags of the command, and what the kernel's tools are called on the command line. */
interface CommandSituation extends Pick<Context, "timeoutMs" | "token" | "url" | "verbose"> {
  readonly names: CommandNames;
}

/** The same error, with a message and a hint for the user of the command; anything else as it is. */
export const withCommandHints = (error: unknown, situation: CommandSituation): unknown => {
  if (!(error instanceof ClientError)) return error;
  const { message, procedure, cause } = error;
  const words = flagWords(error, situation) ?? commandWords(error, situation.names);
  // An error's message is not a field of its own that a spread would copy.
  return words === undefined ? error : new ClientError({ ...error, message, ...words }, procedure, { cause });
};

interface ErrorText {
  readonly message?: string;
  readonly hint?: string;
}

const flagWords = (
  { code, reason, id, message }: ClientError,
  { timeoutMs, token, url, verbose }: CommandSituation,
): ErrorText | undefined => {
  if (reason !== undefined) return undefined;
  if (code === "internal" && id !== undefined && url === undefined) {
    return { hint: verbose ? "the log above says why" : "run it again with -v to see why" };
  }
  if (code === "deadline_exceeded" && timeoutMs !== undefined) {
    const rounded = message.replace(/\b\d+\.\d+ ms\b/, `${timeoutMs} ms`);
    return { message: rounded, hint: "give it more time with --timeout" };
  }
  if (code === "unauthenticated") {
    return token() === undefined
      ? { hint: "give a token of that kernel: in a file with --token-file, or in FAIRLEAD_TOKEN" }
      : { hint: "that kernel has another token: correct --token-file or FAIRLEAD_TOKEN" };
  }
  return undefined;
};

const commandWords = ({ message, hint }: ClientError, names: CommandNames): ErrorText | undefined => {
  const text = replaceToolNames(message, names);
  const advice = hint === undefined ? undefined : replaceToolNames(hint, names);
  if (text === message && advice === hint) return undefined;
  return { message: text, ...(advice !== undefined && { hint: advice }) };
};
