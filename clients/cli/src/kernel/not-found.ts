/** The error for a service or a procedure that a kernel does not have. Pure. */
import { CommandError } from "../command/failure.ts";
import { findByOwnName, nearest, suggestHint } from "../text/suggest.ts";
import { relayedTool } from "./relayed-tool.ts";

/** `otherwise` is the advice where no known name is near. */
export const notFoundError = (
  kind: "service" | "procedure",
  name: string,
  known: readonly string[],
  otherwise = "run `fairlead ls` for the list",
): CommandError => {
  const message = `there is no ${kind} ${JSON.stringify(name)}`;
  const suggestion = suggestHint([findByOwnName(name, known) ?? nearest(name, known)], otherwise);
  // A tool of another server, as MCP clients list it: without the service that relays it.
  const isRelayed = kind === "procedure" && relayedTool(`service.${name}`) !== undefined;
  const hint = isRelayed
    ? `${suggestion.replace(/\?$/, "")}; a relayed tool needs its service, like <service>.${name}`
    : suggestion;
  return new CommandError({ code: "not_found", exit: 6 }, { message, hint });
};
