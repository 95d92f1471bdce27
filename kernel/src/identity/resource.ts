/**
 * This server as an OAuth 2.1 resource: the metadata of RFC 9728, at the address that the challenges of refused requests name. Public, since a client
 * reads it before it has a token. Not here: tokens (`identity.ts`).
 */
import type { IdentityConfig } from "../config/config.ts";
import type { Mount } from "../server/mount.ts";
import { sendProblem } from "../server/problem.ts";

export interface ProtectedResource {
  /** True for a URL that is answered without a token. */
  readonly isPublic: (url: string) => boolean;
  /** Identifiers that a token may be for: the server's own, and those of what is mounted. None while its address is not known. */
  readonly audiences: () => readonly string[];
  /** The value of `WWW-Authenticate` for a request to that URL; `missing`: that its token is valid but lacks a scope. */
  readonly challenge: (url: string, missing?: "scope") => string;
  readonly mount: Mount;
  /** Says where the server listens, in case the configuration does not say how clients call it. */
  readonly listensAt: (url: string) => void;
}

const prefix = "/.well-known/oauth-protected-resource";
/** What is a resource of its own: MCP clients compare its identifier to the address that they call. */
const parts = ["/mcp", "/api", "/trpc"];

export const protectedResource = ({ issuer, scopes, resource }: IdentityConfig): ProtectedResource => {
  let base = resource?.replace(/\/$/, "");
  const identifier = (path: string): string => `${base ?? ""}${path}`;
  const findPart = (path: string): string => parts.find((each) => path === each || path.startsWith(`${each}/`)) ?? "";
  const document = (path: string): string =>
    JSON.stringify({
      resource: identifier(path),
      authorization_servers: [issuer],
      scopes_supported: Object.keys(scopes),
      bearer_methods_supported: ["header"],
      resource_name: "Fairlead",
    });
  return {
    isPublic: (url) => url.startsWith(prefix),
    audiences: () => (base === undefined ? [] : ["", "/", ...parts].map(identifier)),
    challenge: (url, missing) =>
      [
        `Bearer resource_metadata="${base ?? ""}${prefix}${findPart(url.split("?", 1)[0] ?? "")}"`,
        `scope="${Object.keys(scopes).join(" ")}"`,
        ...(missing === undefined ? [] : ['error="insufficient_scope"']),
      ].join(", "),
    mount: {
      prefix,
      handle: ({ path }, response) => {
        if (path !== "" && !parts.includes(path)) sendProblem(response, noResource);
        else {
          const text = document(path);
          response.writeHead(200, {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(text),
            "cache-control": "no-cache",
          });
          response.end(text);
        }
        return Promise.resolve();
      },
      close: () => Promise.resolve(),
    },
    listensAt: (url) => {
      base ??= url;
    },
  };
};

const noResource = {
  code: "not_found",
  message: "no resource is served at this path",
  hint: `see ${prefix}`,
  retryable: false,
} as const;
