/**
 * The protocol era of a posted body: sessions that open with `initialize`, or the stateless envelope of 2026-07-28. Pure.
 */
import type { IncomingHttpHeaders } from "node:http";
import {
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { readMember } from "../../call/record.ts";
import { readHeader } from "./request.ts";

export type Era = "session" | "stateless";

/**
 * Which leg answers a posted body. The SDK's own rule, with short cuts for the common cases: what carries the envelope and is no
 * handshake is stateless, whatever else is wrong with it; a plain message of a revision before it belongs to a session.
 */
export const detectEra = (headers: IncomingHttpHeaders, body: unknown): Era => {
  if (carriesEnvelope(body)) return "stateless";
  if (isPlain(body) && isBefore(headers["mcp-protocol-version"])) return "session";
  const header = (name: string): string | undefined => readHeader(headers, name) ?? undefined;
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
type PostedBody = {
  readonly method?: unknown;
  readonly params?: { readonly _meta?: unknown; readonly name?: unknown } | null;
} | null;

/** The method a body names, if it names one. */
export const rpcMethod = (body: unknown): unknown => (body as PostedBody)?.method;

/** True for a request to listen that says which resources it follows. */
export const namesResources = (body: unknown): boolean =>
  readMember(readMember(readMember(body, "params"), "notifications"), "resourceSubscriptions") !== undefined;

/** The tool that a message calls; `undefined` for any other message. */
export const calledTool = (body: unknown): string | undefined => {
  const name: unknown = rpcMethod(body) === "tools/call" ? (body as PostedBody)?.params?.name : undefined;
  return typeof name === "string" ? name : undefined;
};

/** One message with nothing in it that could say otherwise. */
const isPlain = (body: unknown): boolean => {
  if (typeof body !== "object" || body === null) return false;
  for (const key in body) if (key !== "jsonrpc" && key !== "id" && key !== "method" && key !== "params") return false;
  const { jsonrpc, id, method, params } = body as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0" || typeof method !== "string" || !(typeof id === "string" || Number.isSafeInteger(id)))
    return false;
  return params === undefined || (typeof params === "object" && params !== null && isPlainParams(params));
};

const isPlainParams = (params: object): boolean => !Array.isArray(params) && !("_meta" in params);

const isBefore = (version: unknown): boolean =>
  version === undefined || (typeof version === "string" && SUPPORTED_PROTOCOL_VERSIONS.includes(version));

const carriesEnvelope = (body: unknown): boolean => {
  const method = rpcMethod(body);
  const meta = (body as PostedBody)?.params?._meta;
  const isHandshake = method === "initialize" || typeof method !== "string";
  return !isHandshake && typeof meta === "object" && meta !== null && PROTOCOL_VERSION_META_KEY in meta;
};
