/**
 * Recognises the `tools/call` and the `tools/list` that need nothing of the protocol's machinery: one well-formed request of either era, whose headers
 * say the same as its body. What is in any doubt is not recognised, and the SDK judges it. Pure.
 *
 * Not here: answering them (`direct-call.ts`, `list/kept-lists.ts`).
 */
import type { IncomingHttpHeaders } from "node:http";
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isRecord } from "../../call/record.ts";
import { readHeader } from "./request.ts";

export interface PlainCall {
  readonly id: RequestId;
  readonly name: string;
  /** Raw; absent means no fields. */
  readonly input: unknown;
  /** Without the envelope. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** What a stateless request says its client can do. */
  readonly able: ClientCapabilities | undefined;
  /** The client's name, where a stateless request says it. */
  readonly app?: string | undefined;
  /** The revision that a session was opened with. */
  readonly revision?: string | undefined;
}

/** Says which posted bodies are plain calls, in each era. */
export interface Recogniser {
  session(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined;
  stateless(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined;
  /** The id of a plain question for the list. */
  sessionList(headers: IncomingHttpHeaders, body: unknown): RequestId | undefined;
  statelessList(headers: IncomingHttpHeaders, body: unknown): RequestId | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A call inside a session. */
export const sessionCall = (headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined => {
  if (!isKnownVersion(headers)) return undefined;
  const call = callIn(headers, body);
  return call === undefined || hasReserved(call.meta) ? undefined : call;
};

/** A call with the envelope of 2026-07-28. */
export const statelessCall = (headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined => {
  if (headers["mcp-protocol-version"] !== statelessRevision || headers["mcp-method"] !== "tools/call") return undefined;
  const call = callIn(headers, body);
  if (call === undefined || headers["mcp-name"] !== call.name || !plainName.test(call.name)) return undefined;
  const envelope = openEnvelope(call.meta);
  return envelope && { ...call, ...envelope };
};

/** A question for the list inside a session. */
export const sessionList = (headers: IncomingHttpHeaders, body: unknown): RequestId | undefined => {
  if (!isKnownVersion(headers)) return undefined;
  const list = listIn(headers, body);
  return list === undefined || hasReserved(list.meta) ? undefined : list.id;
};

/** A question for the list with the envelope of 2026-07-28. */
export const statelessList = (headers: IncomingHttpHeaders, body: unknown): RequestId | undefined => {
  if (headers["mcp-protocol-version"] !== statelessRevision || headers["mcp-method"] !== "tools/list") return undefined;
  if (headers["mcp-name"] !== undefined) return undefined;
  const list = listIn(headers, body);
  return list === undefined || openEnvelope(list.meta) === undefined ? undefined : list.id;
};

export const plainCalls: Recogniser = {
  session: sessionCall,
  stateless: statelessCall,
  sessionList,
  statelessList,
};

const isKnownVersion = ({ "mcp-protocol-version": version }: IncomingHttpHeaders): boolean =>
  version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));

const hasReserved = (meta: Fields): boolean => reserved.some((key) => key in meta);

/** What the stateless era says of a client, and the rest of `_meta`; `undefined` where any of it is in doubt. */
const openEnvelope = (sent: Fields): Pick<PlainCall, "meta" | "able" | "app"> | undefined => {
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: info,
    [CLIENT_CAPABILITIES_META_KEY]: able,
    ...meta
  } = sent;
  if (version !== statelessRevision || !isClientInfo(info) || !isPlainAble(able)) return undefined;
  return hasReserved(meta) ? undefined : { meta, able, app: info?.name };
};

const statelessRevision = "2026-07-28";
/** Members of `_meta` that mean something to the protocol. */
const reserved = [
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  RELATED_TASK_META_KEY,
];
const messageKeys = new Set(["jsonrpc", "id", "method", "params"]);
const paramKeys = new Set(["name", "arguments", "_meta"]);
const listKeys = new Set(["_meta"]);
/** Members of a client's introduction that are strings. */
const infoKeys = new Set(["name", "version", "title", "description", "websiteUrl"]);
/** Members of each family of capabilities that are objects. */
const ableKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["sampling", new Set(["context", "tools"])],
  ["elicitation", new Set(["form", "url"])],
  ["roots", new Set<string>()],
]);
/** Such a name is the same in a header as in a body. */
const plainName = /^[\w.-]+$/;

const callIn = (headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined => {
  const request = requestIn(headers, body);
  if (request?.method !== "tools/call") return undefined;
  const { id, params } = request;
  if (!isRecord(params) || !hasOnly(params, paramKeys)) return undefined;
  const { name, arguments: input, _meta: meta = {} } = params;
  if (typeof name !== "string" || !(input === undefined || isRecord(input)) || !isRecord(meta)) return undefined;
  return isToken(meta.progressToken) ? { id, name, input, meta, able: undefined } : undefined;
};

const listIn = (headers: IncomingHttpHeaders, body: unknown): Pick<PlainCall, "id" | "meta"> | undefined => {
  const request = requestIn(headers, body);
  if (request?.method !== "tools/list") return undefined;
  const { id, params = {} } = request;
  if (!isRecord(params) || !hasOnly(params, listKeys)) return undefined;
  const { _meta: meta = {} } = params;
  return isRecord(meta) && isToken(meta.progressToken) ? { id, meta } : undefined;
};

interface PlainRequest {
  readonly id: RequestId;
  readonly method: unknown;
  readonly params?: unknown;
}

/** One request, and no more than that, of a client that takes both kinds of answers. */
const requestIn = (headers: IncomingHttpHeaders, body: unknown): PlainRequest | undefined => {
  const accept = readHeader(headers, "accept");
  if (accept?.includes("application/json") !== true || !accept.includes("text/event-stream")) return undefined;
  if (!isRecord(body) || !hasOnly(body, messageKeys)) return undefined;
  const { jsonrpc, id, method, params } = body;
  return jsonrpc === "2.0" && isId(id) ? { id, method, params } : undefined;
};

const hasOnly = (value: Fields, known: ReadonlySet<string>): boolean => {
  for (const key in value) if (!known.has(key)) return false;
  return true;
};

const isId = (id: unknown): id is RequestId => typeof id === "string" || Number.isSafeInteger(id);

const isToken = (token: unknown): boolean => token === undefined || isId(token);

const isClientInfo = (info: unknown): info is { readonly name: string } | undefined =>
  info === undefined ||
  (isRecord(info) &&
    hasOnly(info, infoKeys) &&
    Object.values(info).every((value) => typeof value === "string") &&
    "name" in info &&
    "version" in info);

/** Capabilities in which nothing is but empty objects: so much is sure to be what the protocol means. */
const isPlainAble = (able: unknown): able is ClientCapabilities =>
  isRecord(able) &&
  Object.entries(able).every(([family, options]) => {
    const known = ableKeys.get(family);
    return known !== undefined && isRecord(options) && hasOnly(options, known) && Object.values(options).every(isEmpty);
  });

const isEmpty = (option: unknown): boolean => isRecord(option) && Object.keys(option).length === 0;
