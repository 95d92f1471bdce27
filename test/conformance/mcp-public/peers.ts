/**
 * The SDK clients as one kind of peer: v1, and v2 as it negotiates by default, automatically and pinned to 2026-07-28, over HTTP
 * and stdio.
 */
import { fileURLToPath } from "node:url";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export interface Called {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}

export interface Peer {
  /** Names of the tools, in the order they were listed. */
  tools(): Promise<readonly string[]>;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<Called>;
  close(): Promise<void>;
}

/** Where a peer connects: an HTTP address with a bearer token, or a process of its own. */
export type Place =
  | { readonly kind: "http"; readonly url: string; readonly token?: string }
  | { readonly kind: "stdio" };

export type Connect = (place: Place, onToolsChanged?: () => void) => Promise<Peer>;

const self = { name: "peer", version: "1.0.0" };
const entry = {
  command: process.execPath,
  args: ["--conditions=@fairlead/source", fileURLToPath(new URL("stdio-entry.ts", import.meta.url))],
  stderr: "ignore" as const,
};

const headersOf = ({ token }: { readonly token?: string }): { readonly headers: Record<string, string> } => ({
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
});

const v1: Connect = async (place, onToolsChanged = () => {}) => {
  const transport =
    place.kind === "stdio" ? new StdioV1(entry) : new HttpV1(new URL(place.url), { requestInit: headersOf(place) });
  const client = new ClientV1(self, {
    listChanged: { tools: { onChanged: onToolsChanged, autoRefresh: false, debounceMs: 0 } },
  });
  // The v1 transport types predate exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input, options) => client.callTool({ name, arguments: input }, undefined, options) as Promise<Called>,
    close: () => client.close(),
  };
};

const v2 =
  (mode: "legacy" | "auto" | { readonly pin: string }): Connect =>
  async (place, onToolsChanged = () => {}) => {
    const transport =
      place.kind === "stdio" ? new StdioV2(entry) : new HttpV2(new URL(place.url), { requestInit: headersOf(place) });
    const client = new ClientV2(self, {
      versionNegotiation: { mode },
      listChanged: { tools: { onChanged: onToolsChanged, autoRefresh: false, debounceMs: 0 } },
    });
    await client.connect(transport);
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, input, options) => client.callTool({ name, arguments: input }, options),
      close: () => client.close(),
    };
  };

export const peers: Readonly<Record<string, Connect>> = {
  v1: v1,
  "v2 by default": v2("legacy"),
  "v2 auto": v2("auto"),
  "v2 pinned to 2026-07-28": v2({ pin: "2026-07-28" }),
};
