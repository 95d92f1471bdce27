/** The session of this browser: opened by a one-time link or with a token, ended by signing out. The cookie itself no script can read. */
import { pageHeaders } from "./page-headers.ts";

const mark = "#link=";

interface Answer {
  readonly ok: boolean;
  /** Why not, for people. */
  readonly message: string;
}

const post = async (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const response = await fetch("/console/session", {
    method: "POST",
    headers: { ...pageHeaders, ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: { readonly detail?: string; readonly hint?: string } = await response.json().catch(() => ({}));
  return { ok: response.ok, message: [answer.detail, answer.hint].filter((text) => text !== undefined).join("; ") };
};

/** Why the link of the address did not let us in; empty where it did, or there was none. */
export let linkProblem = "";

/** Exchanges the link in the address, if there is one, and takes it out of the address and the history first. */
export const openLinkedSession = async (): Promise<void> => {
  if (!location.hash.startsWith(mark)) return;
  const code = location.hash.slice(mark.length);
  history.replaceState(null, "", location.pathname + location.search);
  const { ok, message } = await post({ code });
  linkProblem = ok ? "" : message;
};

export const openWithToken = (token: string): Promise<Answer> =>
  post({ open: true }, { authorization: `Bearer ${token}` });

export const endSession = (): Promise<Answer> => post({ end: true });
