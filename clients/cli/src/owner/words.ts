/** What a command says about the owner of a state folder. Pure. */
import { join } from "node:path";
import { type OwnerCommand, type OwnerMismatch, type OwnerRecord, ownerFolder } from "@fairlead/kernel/owner";
import { CommandError } from "../command/failure.ts";
import type { FoundOwner } from "./place.ts";

type NamedOwner = Pick<FoundOwner, "record" | "pid">;

/** The owner in a few words: `fairlead up (pid 17, http://127.0.0.1:5099)`. */
export const ownerName = ({ record, pid }: NamedOwner): string => {
  const details = [pid === undefined ? undefined : `pid ${pid}`, record?.url ?? undefined].filter(
    (each) => each !== undefined,
  );
  return `\`fairlead ${record?.command ?? "…"}\` (${details.join(", ")})`;
};

/** A stdio server is its MCP client's process: stopped by itself, it is started again. */
const howToStop = ({ record, pid }: NamedOwner): string =>
  record?.command === "mcp serve"
    ? `end the MCP client that started it (or \`kill ${pid}\`)`
    : "stop it with `fairlead stop`";

/** A second kernel that listens needs a port of its own as well. */
const beside = (command: OwnerCommand): string =>
  `or work beside it on a throw-away folder with ${command === "up" || command === "dev" ? "--local --port 0" : "--local"}`;

/** For a command that needs a folder for itself that another process owns. */
export const ownedError = (found: NamedOwner, folder: string, command: OwnerCommand): CommandError =>
  new CommandError(
    { code: "already_exists", exit: 8 },
    {
      message: `a kernel runs here already: ${ownerName(found)} owns the state folder ${folder}`,
      hint: `${howToStop(found)}, ${beside(command)}`,
      data: { pid: found.pid ?? null, url: found.record?.url ?? null, folder },
    },
  );

/** What ends an owner that does not answer. Where its process cannot be identified, as in another container, only people know whether it ended. */
export const howToTakeOver = ({ pid, number }: FoundOwner, folder: string): string =>
  `stop it with \`kill ${pid}\` (in its container, if it has one); if it has ended, remove ${join(ownerFolder(folder), `${number}.json`)}`;

/** For a command that cannot reach an owner that runs, or may. */
export const unreachableError = (found: FoundOwner, folder: string, command: OwnerCommand): CommandError =>
  new CommandError(
    { code: "unavailable", exit: 4 },
    {
      message: `${ownerName(found)} owns the state folder ${folder} and does not answer`,
      hint: `${howToTakeOver(found, folder)}, ${beside(command)}`,
      data: { pid: found.pid ?? null, folder },
    },
  );

const terms: Readonly<Record<OwnerMismatch, (owner: OwnerRecord | undefined) => string>> = {
  user: () => "belongs to another user",
  version: (owner) => `is of another version${owner === undefined ? "" : ` (${owner.version})`}`,
  configuration: () => "has another configuration or works in another folder",
};

/** Why a command works on a throw-away folder. */
export const localNotice = (found: NamedOwner, because: readonly OwnerMismatch[]): string => {
  const differences = because.map((term) => terms[term](found.record)).join(", and ");
  return `${ownerName(found)} ${differences}; this command starts services of its own, whose state is thrown away at the end`;
};

/** The same where no owner runs, and the folder itself belongs to another user. */
export const foreignFolderNotice = (folder: string): string =>
  `the state folder ${folder} belongs to another user; this command starts services of its own, whose state is thrown away at the end`;
