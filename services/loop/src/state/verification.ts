/** Who says that a ticket's commands have passed. Pure. */
import { signFailure } from "../spindle/signature.ts";
import type { EventPayload } from "./event.ts";
import type { BaseOutcome, QaResult, RunState, TicketWork } from "./run-state.ts";
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

/** Where the server decides: what it ran and what failed. Of hooks it always does. */
export const findServerFailure = ({ settings }: RunState, { qaResults }: TicketWork): QaResult | undefined =>
  qaResults.find(
    ({ command, by, success }) => by === "server" && !success && (settings.qa === "server" || isHook(command)),
  );

/** What a command that fails now did before the ticket. */
export const compareWithBase = ({
  command,
  output,
  base,
}: Pick<EventPayload<"QA_COMMAND_RESULT">, "command" | "output" | "base">): BaseOutcome | undefined => {
  if (base === undefined) return undefined;
  if (base.success) return "passed";
  return base.signature === signFailure(command, output) ? "same" : "failed";
};

const beforeTexts: Readonly<Record<BaseOutcome, string>> = {
  passed: "it passed on the files as they were before this ticket",
  same: "it failed in the same way before this ticket",
  failed: "it failed before this ticket, too, in another way",
};

/** Completes "the command failed". */
export const describeBefore = (before: BaseOutcome | undefined): string =>
  before === undefined ? "" : ` (${beforeTexts[before]})`;

/** Hooks of a commit, in the order in which they run. */
export const hookNames = ["pre-commit", "commit-msg"] as const;

/** How a hook is recorded among a ticket's commands: `git hook pre-commit`. */
export const hookCommand = (name: string): string => `git hook ${name}`;

const isHook = (command: string): boolean => hookNames.some((name) => command === hookCommand(name));

/** Names of the hooks that the ticket has passed since its last result. */
export const listPassedHooks = ({ qaResults }: TicketWork): readonly string[] =>
  hookNames.filter((name) =>
    qaResults.some(({ command, by, success }) => by === "server" && success && command === hookCommand(name)),
  );
