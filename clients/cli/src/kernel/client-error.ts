/** An error of a client in the words of this command: its flags, the numbers that were given to them, its commands. Pure. */
import { ClientError } from "@fairlead/client";
import type { Context } from "../command/context.ts";
import { inCommands, type Tools } from "./tool-command.ts";

/** What the command was told, and the tools that the kernel calls its procedures by. */
export interface Surroundings extends Pick<Context, "timeoutMs" | "token" | "url" | "verbose"> {
  readonly tools: Tools;
}

/** The same error, with a message and a hint for whoever typed the command; anything else as it is. */
export const inCommandWords = (error: unknown, surroundings: Surroundings): unknown => {
  if (!(error instanceof ClientError)) return error;
  const { message, procedure, cause } = error;
  const words = ofFlags(error, surroundings) ?? ofCommands(error, surroundings.tools);
  // An error's message is no field of its own that a spread would copy.
  return words === undefined ? error : new ClientError({ ...error, message, ...words }, procedure, { cause });
};

interface ErrorWords {
  readonly message?: string;
  readonly hint?: string;
}

const ofFlags = (
  { code, reason, id, message }: ClientError,
  { timeoutMs, token, url, verbose }: Surroundings,
): ErrorWords | undefined => {
  if (reason !== undefined) return undefined;
  if (code === "internal" && id !== undefined && url === undefined) {
    return { hint: verbose ? "the log above says why" : "run it again with -v to see why" };
  }
  if (code === "deadline_exceeded" && timeoutMs !== undefined) {
    const asked = message.replace(/\b\d+\.\d+ ms\b/, `${timeoutMs} ms`);
    return { message: asked, hint: "give it more time with --timeout" };
  }
  if (code === "unauthenticated") {
    return token() === undefined
      ? { hint: "give a token of that kernel: in a file with --token-file, or in FAIRLEAD_TOKEN" }
      : { hint: "that kernel has another token: correct --token-file or FAIRLEAD_TOKEN" };
  }
  return undefined;
};

const ofCommands = ({ message, hint }: ClientError, tools: Tools): ErrorWords | undefined => {
  const said = inCommands(message, tools);
  const advised = hint === undefined ? undefined : inCommands(hint, tools);
  if (said === message && advised === hint) return undefined;
  return { message: said, ...(advised !== undefined && { hint: advised }) };
};
