/** Why a server was not reached, where the platform says so, and whether anything can have been sent to it. */

/** `ECONNREFUSED` and its like, where the platform reports it; browsers do not. */
export const systemCode = (cause: unknown): string => {
  for (let at = cause; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return cause instanceof Error ? cause.message : "no connection";
};

/** True for a failure to connect; after all others the call may have been done. */
export const wasNeverSent = (cause: unknown): boolean => neverSent.has(systemCode(cause));

const neverSent: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** What to do about it, for people. */
export const unreachableHint = "start the kernel with `fairlead up`, or check the address";

/** A bearer token, or where to get one before each attempt. */
export type Token = string | (() => string | undefined | Promise<string | undefined>);

/** The header that carries the token; none without one. */
export const authorization = async (token: Token | undefined): Promise<Record<string, string>> => {
  const value = typeof token === "function" ? await token() : token;
  return value === undefined || value === "" ? {} : { authorization: `Bearer ${value}` };
};
