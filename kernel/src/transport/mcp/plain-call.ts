/**
 * Recognises the `tools/call` that needs nothing of the protocol's machinery: one well-formed request of either era, whose headers say
 * the same as its body. What is in any doubt is not recognised, and the SDK judges it. Pure.
 *
 * Not here: answering it (`direct-call.ts`).
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
}

/** Says which posted bodies are plain calls, in each era. */
export interface Recogniser {
  session(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined;
  stateless(headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A call inside a session. */
export const sessionCall = (headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined => {
  const version = headers["mcp-protocol-version"];
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return undefined;
  const call = callIn(headers, body);
  return call === undefined || reserved.some((key) => key in call.meta) ? undefined : call;
};

/** A call with the envelope of 2026-07-28. */
export const statelessCall = (headers: IncomingHttpHeaders, body: unknown): PlainCall | undefined => {
  if (headers["mcp-protocol-version"] !== statelessRevision || headers["mcp-method"] !== "tools/call") return undefined;
  const call = callIn(headers, body);
  if (call === undefined || headers["mcp-name"] !== call.name || !plainName.test(call.name)) return undefined;
  const {
    [PROTOCOL_VERSION_META_KEY]: version,
    [CLIENT_INFO_META_KEY]: info,
    [CLIENT_CAPABILITIES_META_KEY]: able,
    ...meta
  } = call.meta;
  if (version !== statelessRevision || !isClientInfo(info) || !isPlainAble(able)) return undefined;
  return reserved.some((key) => key in meta) ? undefined : { ...call, meta, able, app: info?.name };
};

export const plainCalls: Recogniser = { session: sessionCall, stateless: statelessCall };

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
  const accept = readHeader(headers, "accept");
  if (accept?.includes("application/json") !== true || !accept.includes("text/event-stream")) return undefined;
  if (!isRecord(body) || !hasOnly(body, messageKeys)) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id)) return undefined;
  if (!isRecord(params) || !hasOnly(params, paramKeys)) return undefined;
  const { name, arguments: input, _meta: meta = {} } = params;
  if (typeof name !== "string" || !(input === undefined || isRecord(input)) || !isRecord(meta)) return undefined;
  return isToken(meta.progressToken) ? { id, name, input, meta, able: undefined } : undefined;
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
