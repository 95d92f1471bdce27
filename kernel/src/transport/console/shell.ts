/**
 * The pages of the console's package that a browser begins with, as they go out: each with a nonce of its own, and a policy that keeps it from
 * loading anything from elsewhere. One is the console, one the viewer of the reference, at `/docs`.
 */
import { randomBytes } from "node:crypto";
import { readPages } from "./files.ts";

/** A page with what its headers have to say. */
interface ShellPage {
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** What the build writes where a nonce belongs. */
const noncePlace = /__CSP_NONCE__/g;

/** A page as it was built. */
export const shellPage = (shell: string): ShellPage => {
  const nonce = randomBytes(18).toString("base64");
  return {
    type: "text/html; charset=utf-8",
    text: shell.replace(noncePlace, nonce),
    headers: {
      "content-security-policy": `default-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "referrer-policy": "no-referrer",
    },
  };
};

export const notBuilt =
  "The console is not built. Run `npm run build -w @fairlead/console`, then load this page again.\n";

/** The viewer of the reference, from the folder of the built console. */
export const referenceViewer = (folder: string | undefined): (() => ShellPage) => {
  const pages = readPages(folder, "docs.html");
  return () => {
    const shell = pages.entry();
    if (shell !== undefined) return shellPage(shell);
    const text = folder === undefined ? notThere : notBuilt;
    return { type: "text/plain; charset=utf-8", text, headers: {}, status: 404 };
  };
};

const notThere =
  "This kernel was started without the pages of the console, of which the viewer is a part. The reference is at /docs/<service>.md; /llms.txt lists the services.\n";

/** True for the address of the viewer, which holds no data and needs no token. `url` as sent. */
export const isViewerUrl = (url: string): boolean => url === "/docs" || url.startsWith("/docs?");
