/**
 * The protocol era of a posted body: sessions that open with `initialize`, or the stateless envelope of 2026-07-28. Pure.
 */
import type { IncomingHttpHeaders } from "node:http";
import { classifyInboundRequest, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { headerOf } from "./web.ts";

export type Era = "session" | "stateless";

/**
 * Which leg answers a posted body. The SDK's own rule, with a short cut for the common case: what carries the envelope and is no
 * handshake is stateless, whatever else is wrong with it.
 */
export const eraOf = (headers: IncomingHttpHeaders, body: unknown): Era => {
  if (carriesEnvelope(body)) return "stateless";
  const header = (name: string): string | undefined => headerOf(headers, name) ?? undefined;
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map(header);
  const { kind } = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  return kind === "legacy" ? "session" : "stateless";
};

/** A posted body, of which nothing is known yet. */
type Posted = { readonly method?: unknown; readonly params?: { readonly _meta?: unknown } | null } | null;

/** The method a body names, if it names one. */
export const methodOf = (body: unknown): unknown => (body as Posted)?.method;

const carriesEnvelope = (body: unknown): boolean => {
  const method = methodOf(body);
  const meta = (body as Posted)?.params?._meta;
  const isHandshake = method === "initialize" || typeof method !== "string";
  return !isHandshake && typeof meta === "object" && meta !== null && PROTOCOL_VERSION_META_KEY in meta;
};
