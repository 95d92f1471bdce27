/** What to say when a kernel does not offer something. Pure. */
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
  // An upstream's tool as MCP clients list it, without the service that relays it.
  const relayed = kind === "procedure" ? relayedTool(`connections.${name}`)?.name : undefined;
  const hint = suggestHint([relayed, findByOwnName(name, known) ?? nearest(name, known)], otherwise);
  return new CommandError({ code: "not_found", exit: 6 }, { message, hint });
};
