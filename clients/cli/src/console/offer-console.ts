/**
 * The console as `fairlead up` and `fairlead dev` offer it at a terminal: `o` and Enter open it. Where its pages are not built, how to build them.
 *
 * Keys are lines, so that Ctrl C, Ctrl Z and the terminal itself stay as they are, also when this process is killed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../command/context.ts";
import { createConsoleLink } from "../kernel/console-link.ts";
import { readTerminalLines } from "../terminal/key-lines.ts";
import { openBrowser } from "./open-browser.ts";

interface ConsoleOffer {
  /** Address of the console. */
  readonly url: string;
  /** Folder of the built pages; `undefined` where the package is not installed. */
  readonly folder: string | undefined;
  /** Where lines come from; the terminal where left out. */
  readonly lines?: typeof readTerminalLines;
}

/** Listens until the function that it gives is called. */
export const offerConsole = (
  context: Context,
  { url, folder, lines = readTerminalLines }: ConsoleOffer,
): (() => void) => {
  if (folder === undefined || !existsSync(join(folder, "index.html"))) {
    context.say(
      folder === undefined
        ? "the console is not in this installation: its address says so"
        : "the console is not built: `npm run build -w @fairlead/console`, then load its page",
    );
    return () => undefined;
  }
  // A person has to be there: at a terminal, and willing to be asked.
  if (context.io.prompt === undefined || context.json) return () => undefined;
  context.say("o and Enter open the console");
  return lines((line) => {
    if (line.trim().toLowerCase() !== "o") return;
    open(context, url).catch((error: unknown) => context.say(error instanceof Error ? error.message : String(error)));
  });
};

const open = async (context: Context, url: string): Promise<void> => {
  if (await wantsToken(url)) {
    // The link lets in whoever has it, so it is shown here and given to no program.
    const { url: link } = await createConsoleLink(context);
    context.say(`open this in a browser; it works once, for five minutes: ${link}`);
    return;
  }
  if (!(await openBrowser(url, context.io.env))) context.say(`no browser could be started; open ${url}`);
};

/** Whether the kernel lets in nothing without a token. */
const wantsToken = async (url: string): Promise<boolean> => {
  const { status } = await fetch(new URL("/version", url), { signal: AbortSignal.timeout(5_000) });
  return status === 401 || status === 403;
};
