/** `fairlead stop`: ends the kernel that owns this project's state folder, and waits until the folder is free. */
import { examineProcess, ownIdentity } from "@fairlead/kernel/owner";
import type { CommandModule } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { type FoundOwner, findOwner, statePlace } from "../owner/place.ts";
import { howToTakeOver, ownerName } from "../owner/words.ts";
import { exitOfSignal } from "../terminal/io.ts";

/** Milliseconds that an owner has to stop its services, when --timeout says nothing else. */
const usualMs = 30_000;
const lookEveryMs = 20;

const stop: CommandModule = {
  kernel: "stops",
  define: (command) => {
    command.addHelpText(
      "after",
      "\nCalls that run are finished first, for a few seconds. Exits 0 where no kernel runs.\n\nExamples:\n  fairlead stop\n  fairlead stop --timeout 5000\n",
    );
  },

  run: async (context) => {
    const { folder } = await statePlace(context);
    const found = await findOwner(folder);
    if (found.state === "free") {
      context.print({ folder, stopped: null }, () => `no kernel owns ${folder}`);
      return 0;
    }
    if (found.state !== "ending") signalOwner(found, folder);
    if (!(await untilFree(context, found, folder))) return exitOfSignal(context.io.signal.reason);
    const { pid = null, record } = found;
    context.print({ folder, stopped: { pid, command: record?.command ?? null } }, () => `stopped ${ownerName(found)}`);
    if (record?.command === "mcp serve")
      context.say("an MCP client had started it, and may start it again; `fairlead status` says so");
    return 0;
  },
};

/** Only a process that is certainly the owner is signalled. */
const signalOwner = (found: FoundOwner, folder: string): void => {
  const { record, pid } = found;
  const own = ownIdentity();
  // Where the system does not say when a process started, an owner that answers on its socket is the proof.
  const identity = record && examineProcess(record, own).process;
  const isCertain = identity === "same" || (identity === "unknown" && found.state === "open");
  if (pid === undefined || !isCertain || record?.pidSpace !== own.pidSpace) {
    throw new CommandError(
      { code: "unavailable", exit: 4 },
      {
        message: `${ownerName(found)} owns ${folder}, and its process cannot be seen from here`,
        hint: howToTakeOver(found, folder),
        data: { pid: pid ?? null, folder },
      },
    );
  }
  try {
    process.kill(pid, "SIGTERM");
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || cause.code === "ESRCH") return;
    const message = `${ownerName(found)} belongs to another user`;
    throw new CommandError(
      { code: "permission_denied", exit: 3 },
      { message, hint: "stop it as that user" },
      { cause },
    );
  }
};

/** Free is also a folder that another process has taken since. False when the command was interrupted before. */
const untilFree = async (context: Context, { number, ...owner }: FoundOwner, folder: string): Promise<boolean> => {
  const most = context.timeoutMs ?? usualMs;
  const began = performance.now();
  while (!context.io.signal.aborted) {
    const now = await findOwner(folder);
    if (now.state === "free" || now.number !== number) return true;
    if (performance.now() - began > most) {
      throw new CommandError(
        { code: "deadline_exceeded", exit: 4 },
        {
          message: `${ownerName(owner)} is still stopping after ${most} ms`,
          hint: `\`fairlead logs\` shows what it waits for; \`kill -9 ${owner.pid}\` ends it at once`,
          data: { pid: owner.pid ?? null, folder },
        },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return false;
};

export default stop;
