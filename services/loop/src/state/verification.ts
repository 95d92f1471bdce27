/** Who says that a ticket's commands have passed. Pure. */
import type { QaResult, RunState, TicketWork } from "./run-state.ts";
import type { Verification } from "./tree.ts";

/** By the server when it ran every command, by the client when it reported one of them, none without any or with one that did not pass. */
export const summarizeVerification = ({ ticket, qaResults }: TicketWork): Verification => {
  const results = ticket.verificationCommands.map((command) => qaResults.find((one) => one.command === command));
  if (results.length === 0 || results.some((one) => one?.success !== true)) return "none";
  return results.every((one) => one?.by === "server") ? "server" : "client";
};

/** Commands of the ticket that have not passed, where that counts which the session asks for. */
export const listUnpassed = ({ settings }: RunState, { ticket, qaResults }: TicketWork): readonly string[] => {
  const passed = qaResults.filter(({ success, by }) => success && (settings.qa === "client" || by === "server"));
  return ticket.verificationCommands.filter((command) => !passed.some((one) => one.command === command));
};

/** Where the server decides: what it ran and what failed. */
export const findServerFailure = ({ settings }: RunState, { qaResults }: TicketWork): QaResult | undefined =>
  settings.qa === "server" ? qaResults.find(({ by, success }) => by === "server" && !success) : undefined;
