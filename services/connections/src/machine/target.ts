/**
 * What a connection leads to, as data: an address or a program, with how its tools are shown. Texts stay as they were written, and all
 * of them may hold `${VAR}`: it is resolved only when connecting, so that no secret is kept here, shown or logged.
 */

/** Which of an upstream's tools are shown, and under what names. */
export interface ToolRules {
  /** Only these; all when left out. */
  readonly allow?: readonly string[];
  /** Never these. */
  readonly deny?: readonly string[];
  /** The upstream's name to the name it is shown under. */
  readonly rename?: Readonly<Record<string, string>>;
  /** The upstream's name to the text that is shown in place of its description. */
  readonly describe?: Readonly<Record<string, string>>;
  /** The upstream's name to hints that are shown, and believed, in place of its own. */
  readonly annotate?: Readonly<Record<string, ToolHints>>;
  /** The upstream's name to what holds for calls of it. */
  readonly policy?: Readonly<Record<string, ToolPolicy>>;
}

interface ToolHints {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What holds for calls of one tool. */
interface ToolPolicy {
  /** Milliseconds until a call that was sent must be answered, in place of the upstream's. */
  readonly callMs?: number;
  /** The most calls in any 60 seconds, of all callers together. */
  readonly perMinute?: number;
  /** What a caller needs that others of the upstream's tools do not. */
  readonly access?: "admin";
}

/** Limits of one upstream; what is left out is as for all. */
export interface UpstreamLimits {
  /** Milliseconds until it must be connected. */
  readonly connectMs?: number;
  /** The same for a program that was not connected yet: it may have to be installed. */
  readonly firstConnectMs?: number;
  /** Milliseconds until a call that was sent must be answered. */
  readonly callMs?: number;
  /** Tools that are taken of its list. */
  readonly tools?: number;
}

/** `auto` finds out which revision the upstream speaks. */
type EraSetting = "auto" | "legacy" | "modern";

interface TargetCommon {
  /** Connections of one group have an MCP address together. */
  readonly group?: string;
  readonly tools: ToolRules;
  readonly era: EraSetting;
  readonly limits?: UpstreamLimits;
  /** True for one that is another than was approved: it waits, and nothing of it runs. */
  readonly awaitsApproval: boolean;
  /** Set for one that is only connected when one of its tools is called, once they are known. */
  readonly lazy?: true;
}

export interface HttpTarget extends TargetCommon {
  readonly transport: "http";
  readonly url: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Stricter rules apply to addresses that a caller added than to those of the server's own configuration. */
  readonly trusted: boolean;
  /** Set when tokens are to be had by OAuth. */
  readonly oauth?: OAuthClient;
}

/** Who we are to the authorization server. With nothing in it, we register there. */
export interface OAuthClient {
  /** The client that Fairlead is registered as. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The authorization server that knows `clientId`; it is sent to no other. */
  readonly issuer?: string;
  /** Address of our metadata, for authorization servers that take it for a client's name. */
  readonly metadataUrl?: string;
}

/** Only ever from the server's own configuration. */
export interface StdioTarget extends TargetCommon {
  readonly transport: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Set in addition to `PATH`, `HOME`, `LANG` and `TZ`. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  readonly sandbox?: Sandbox;
}

/** What a program has to do without. It writes nowhere but in `write`. */
export interface Sandbox {
  readonly network: boolean;
  /** Absolute paths of folders. */
  readonly write: readonly string[];
  /** Folders that it finds empty. */
  readonly hide: readonly string[];
  /** MiB of address space for each of its processes. */
  readonly memoryMb?: number;
}

export type Target = HttpTarget | StdioTarget;

/** For people: the address without its credentials and query, or the program's command line. Variables stay unresolved. */
export const formatEndpoint = (target: Target): string => {
  if (target.transport === "stdio") return [target.command, ...target.args].join(" ").slice(0, longest);
  if (target.url.includes("${")) {
    const [place = ""] = target.url.split(/[?#]/);
    return place.replace(/^(\w+:\/\/)[^/]*@/, "$1").slice(0, longest);
  }
  const url = URL.parse(target.url);
  return url === null ? "(no address)" : `${url.protocol}//${url.host}${url.pathname}`;
};

const longest = 200;

/** True when nothing about them differs, so that a connection need not be made again. */
export const isSameTarget = (a: Target, b: Target): boolean =>
  a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
};
