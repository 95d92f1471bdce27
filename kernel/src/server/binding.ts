/**
 * Where the kernel may listen: on loopback as it pleases, anywhere else only with a token or an identity provider. Whatever is not provably loopback
 * counts as open to the network, so no spelling of a wildcard slips through.
 */
import { isIPv4, isIPv6 } from "node:net";
import type { WireError } from "@fairlead/contracts";

/** True for `localhost`, 127.0.0.0/8 and ::1 in canonical spellings; false for all else, odd spellings of loopback included. */
export const isLoopback = (host: string): boolean => {
  const bare = withoutBrackets(host).toLowerCase();
  if (bare === "localhost") return true;
  if (isIPv4(bare)) return bare.startsWith("127.");
  if (!isIPv6(bare) || bare.includes("%")) return false;
  const canonical = new URL(`http://[${bare}]/`).hostname;
  return canonical === "[::1]" || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(canonical);
};

/** What is configured of it. */
interface Binding {
  readonly host: string;
  readonly identity?: { readonly resource?: string | undefined } | undefined;
}

/** The refusal of listening there with so many tokens, or `undefined` when that is fine. Call it before opening anything. */
export const bindingRefusal = ({ host, identity }: Binding, tokens: number): WireError | undefined => {
  if (isLoopback(host)) return undefined;
  if (identity !== undefined) return identity.resource === undefined ? noResource : undefined;
  return tokens > 0 ? undefined : noToken;
};

const noToken: WireError = {
  code: "failed_precondition",
  message: "listening on anything but loopback needs a token, and none is configured",
  hint: "make a token with `fairlead token create`, or set `host` to 127.0.0.1",
  issues: [{ path: "host", expected: "a loopback address, or a token", fix: "set `host` to 127.0.0.1" }],
  retryable: false,
};
const noResource: WireError = {
  code: "failed_precondition",
  message: "an identity provider needs `identity.resource` where the kernel listens on anything but loopback",
  hint: "set `identity.resource` to the address by which clients call this server, like https://tools.example.com",
  issues: [
    {
      path: "identity.resource",
      expected: "the address by which clients call this server",
      fix: "set it, or set `host` to 127.0.0.1",
    },
  ],
  retryable: false,
};

/** The host as a URL or a `Host` header writes it. */
export const bracketed = (host: string): string =>
  isIPv6(withoutBrackets(host)) ? `[${withoutBrackets(host)}]` : host;

const withoutBrackets = (host: string): string => (/^\[.*\]$/.test(host) ? host.slice(1, -1) : host);
