/**
 * Opens an address in the person's own browser, by the system's program for it or the one that `BROWSER` names. Addresses alone, and none with a
 * secret in it: every user of the machine can read the arguments of a program.
 */
import { spawn } from "node:child_process";

interface Launch {
  readonly program: string;
  readonly args: readonly string[];
}

/** Pure. */
export const browserLaunch = (
  url: string,
  { platform, browser }: { readonly platform: NodeJS.Platform; readonly browser: string | undefined },
): Launch => {
  if (browser !== undefined && browser !== "") return { program: browser, args: [url] };
  if (platform === "darwin") return { program: "open", args: [url] };
  if (platform === "win32") return { program: "rundll32", args: ["url.dll,FileProtocolHandler", url] };
  return { program: "xdg-open", args: [url] };
};

/** Resolves with whether the program could be started; what becomes of it is not waited for. */
export const openBrowser = (url: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> =>
  new Promise((resolve) => {
    const { program, args } = browserLaunch(url, { platform: process.platform, browser: env.BROWSER });
    const { FAIRLEAD_TOKEN: _, ...rest } = env;
    const child = spawn(program, [...args], { stdio: "ignore", detached: true, env: rest });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
