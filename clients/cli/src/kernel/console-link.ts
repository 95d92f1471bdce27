/** The console of a kernel: where its built pages are in this installation, and links that let one browser in. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createClient } from "@fairlead/client";
import type { Context } from "../command/context.ts";
import { findOwner, statePlace } from "../owner/place.ts";
import { withKernel } from "./connect.ts";
import { usualAddress } from "./running-address.ts";

/** Folder of the built pages; `undefined` where the package is not installed, as in a project that was built into one folder. */
export const consoleFolder = (): string | undefined => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("@fairlead/console/package.json")), "dist");
  } catch {
    return undefined;
  }
};

interface ConsoleLink {
  /** Path and code, like `/console#link=…`. */
  readonly path: string;
  /** UTC. */
  readonly expiresAt: string;
}

interface SessionRoute {
  readonly link: {
    readonly input: { readonly link: true };
    readonly output: ConsoleLink;
    readonly errors: Record<never, never>;
  };
}

const session = {
  id: "console",
  procedures: { link: { name: "the console", kind: "mutation", path: "/console/session", retry: "unsafe" } },
} as const;

/** A link that works once, for some minutes, with the rights of whoever runs this command. */
export const createConsoleLink = async (
  context: Context,
): Promise<{ readonly url: string; readonly expiresAt: string }> => {
  const { path, expiresAt } = await withKernel(
    context,
    ({ transport }) => createClient<SessionRoute>(session, transport, { timeoutMs: 10_000 }).link({ link: true }),
    { running: true },
  );
  return { url: `${await address(context)}${path}`, expiresAt };
};

/** Where a browser reaches the kernel that the command talks to. */
const address = async (context: Context): Promise<string> => {
  if (context.url !== undefined) return context.url.replace(/(?<!\/)\/+$/, "");
  const { record } = await findOwner((await statePlace(context)).folder);
  return record?.url ?? (await usualAddress(context));
};
