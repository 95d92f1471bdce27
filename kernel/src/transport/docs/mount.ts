/**
 * The routes that describe the kernel rather than call it: documents, health, metrics, version, and an index for people.
 *
 * Behind the same guard as everything else. Not here: what is in the documents (the manifest) and the figures (metrics, health).
 */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { WireError } from "@fairlead/contracts";
import { parseSchemaDocument, partDocument } from "../../host/schema-document.ts";
import type { GuardedRequest, Mount } from "../../server/mount.ts";
import { sendProblem } from "../../server/problem.ts";
import { chooseEncoding, type Encoding } from "../../server/response/encoding.ts";
import type { Surroundings } from "../transport.ts";
import { indexPage } from "./index-page.ts";
import { readLlms, readReference } from "./reference.ts";
import { isVisible, type Services, visibleOpenApi, visibleVerbs } from "./visible.ts";

interface DocsParts {
  /** Whether the kernel can serve, and how each service is. */
  readonly ready: () => { readonly ready: boolean; readonly services: readonly { readonly id: string }[] };
  /** Prometheus text; of these services alone, where some are named. */
  readonly metrics: (services: Services) => string;
  /** The page that shows the reference. */
  readonly viewer: () => Page;
}

/** A document as it goes out. */
export interface Page {
  readonly type: string;
  readonly text: string;
  /** The text as it is sent, where all who ask get the same. */
  readonly bytes?: Uint8Array;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives the page at a path below the prefix, as someone with these services may see it, or `undefined` for none. */
type Give = (path: string, services: Services, request: GuardedRequest) => Page | undefined | Promise<Page | undefined>;

export const mountDocs = (
  { manifest, server, catalog }: Surroundings,
  { ready, metrics, viewer }: DocsParts,
): readonly Mount[] => {
  const exactly =
    (give: (services: Services) => Page | Promise<Page>): Give =>
    (path, services) =>
      path === "" ? give(services) : undefined;
  const index = indexPage(server);
  const openApi = keepViews(
    () => manifest.openapi(),
    visibleOpenApi,
    () => listSwitchedOff(catalog),
  );
  const verbs = keepViews(async () => manifest.verbs?.(), visibleVerbs);
  return [
    pages(
      "/",
      exactly(() => index),
    ),
    pages("/openapi.json", async (path, services) => (path === "" ? jsonPage(await openApi(services)) : undefined)),
    pages("/verbs.json", async (path, services) => (path === "" ? jsonPage(await verbs(services)) : undefined)),
    pages("/schema", async (path, services) => {
      const [, service, part] = /^\/([A-Za-z0-9]{1,64})(?:\/([A-Za-z0-9]{1,64}))?\.json$/.exec(path) ?? [];
      if (service === undefined || !isVisible(services, service)) return undefined;
      const whole = await manifest.schema(service);
      if (whole === undefined || part === undefined) return jsonPage(whole);
      const document = partDocument(parseSchemaDocument(whole), service, part);
      return document === undefined ? undefined : jsonPage(`${JSON.stringify(document, undefined, 2)}\n`);
    }),
    pages("/docs", async (path, _services, request) =>
      path === "" ? viewer() : tagged(await readReference(openApi, path, request)),
    ),
    pages("/llms.txt", async (path, _services, request) =>
      path === "" ? tagged(await readLlms(openApi, server.name, request)) : undefined,
    ),
    pages(
      "/version",
      exactly(() => jsonText(JSON.stringify({ name: server.name, version: server.version }))),
    ),
    pages(
      "/livez",
      exactly(() => jsonText('{"live":true}')),
    ),
    pages(
      "/readyz",
      exactly((services) => readiness(ready(), services)),
    ),
    pages(
      "/metrics",
      exactly((services) => ({ type: "text/plain; version=0.0.4; charset=utf-8", text: metrics(services) })),
    ),
  ];
};

/** Views of a document that are kept: as many sets of services as tokens usually have. */
const mostViews = 32;

/** Names of procedures that their services switched off. */
const listSwitchedOff = (catalog: Surroundings["catalog"]): readonly string[] => {
  const offered = new Set(catalog.list().map(({ name }) => name));
  return catalog.all().flatMap(({ name }) => (offered.has(name) ? [] : [name]));
};

/** A document as each set of services may see it, without the procedures that `off` names. */
const keepViews = (
  read: () => Promise<string | undefined>,
  view: (text: string, services: Services, off: readonly string[]) => string,
  readOff: () => readonly string[] = () => [],
): ((services: Services) => Promise<string | undefined>) => {
  const views = new Map<string, string>();
  let latest: string | undefined;
  return async (services) => {
    const whole = await read();
    const off = readOff();
    if (whole === undefined) return undefined;
    if (whole !== latest) views.clear();
    latest = whole;
    const key = JSON.stringify([services?.toSorted(), off]);
    const isWhole = services === undefined && off.length === 0;
    const text = views.get(key) ?? (isWhole ? compact(whole) : view(whole, services, off));
    if (views.size >= mostViews) views.clear();
    views.set(key, text);
    return text;
  };
};

/** Generated documents are indented for those who read them in a diff. */
const compact = (text: string): string => JSON.stringify(JSON.parse(text));

const jsonPage = (text: string | undefined): Page | undefined =>
  tagged(text === undefined ? undefined : jsonText(text));

/** A document that changes with the contracts alone: clients keep it, and send its tag to learn whether it is still the same. */
const tagged = (page: Page | undefined): Page | undefined => {
  if (page === undefined) return undefined;
  const known = documents.get(page.text);
  if (known?.type === page.type) return known;
  const bytes = Buffer.from(page.text);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  const document = { ...page, bytes, headers: { etag, "cache-control": "private, no-cache" } };
  if (documents.size >= mostKept) documents.clear();
  documents.set(page.text, document);
  return document;
};

/** By their text: a tag costs milliseconds, and the bytes that wait for slow readers are the same for all of them. */
const documents = new Map<string, Page>();

const jsonText = (text: string): Page => ({ type: "application/json", text });

const readiness = (found: ReturnType<DocsParts["ready"]>, allowed: Services): Page => ({
  ...jsonText(JSON.stringify({ ...found, services: found.services.filter(({ id }) => isVisible(allowed, id)) })),
  status: found.ready ? 200 : 503,
});

const pages = (prefix: string, give: Give): Mount => ({
  prefix,
  handle: async (request: GuardedRequest, response: ServerResponse) => {
    const { incoming, path, principal } = request;
    const page = await give(path, principal.services, request);
    if (page === undefined) return sendProblem(response, noPage);
    if (incoming.method !== "GET" && incoming.method !== "HEAD") {
      return sendProblem(response, onlyGet, { status: 405, headers: { allow: "GET, HEAD" } });
    }
    const { bytes, headers } = await encode(page, incoming.headers["accept-encoding"]?.toString());
    if (isKnown(incoming.headers["if-none-match"], headers.etag)) {
      response.writeHead(304, headers);
      response.end();
      return;
    }
    response.writeHead(page.status ?? 200, {
      "content-type": page.type,
      "content-length": bytes.byteLength,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...headers,
    });
    response.end(bytes);
  },
  close: async () => undefined,
});

interface EncodedPage {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A document with a tag in the coding that the client takes, with a tag of its own; anything else as it is. */
const encode = async ({ text, bytes: own, headers = {} }: Page, accepted: string | undefined): Promise<EncodedPage> => {
  const { etag } = headers;
  const plain = { bytes: own ?? Buffer.from(text), headers };
  if (etag === undefined || plain.bytes.byteLength < smallest) return plain;
  const varying = { ...headers, vary: "accept-encoding" };
  const encoding = chooseEncoding(accepted);
  if (encoding === undefined) return { ...plain, headers: varying };
  const tag = etag.replace(/"$/, `-${encoding}"`);
  const known = kept.get(tag);
  const bytes = known ?? compress[encoding](plain.bytes);
  if (known === undefined) {
    if (kept.size >= mostKept) kept.clear();
    kept.set(tag, bytes);
    bytes.catch(() => kept.delete(tag));
  }
  return { bytes: await bytes, headers: { ...varying, etag: tag, "content-encoding": encoding } };
};

/** Bytes from which a document is compressed. */
const smallest = 1_024;

/** Documents that are kept as they are sent, and as many compressed ones: for as many views as there are. */
const mostKept = 64;
const kept = new Map<string, Promise<Uint8Array>>();

const brotli = promisify<Uint8Array, { readonly params: Readonly<Record<number, number>> }, Uint8Array>(brotliCompress);
const zip = promisify<Uint8Array, Uint8Array>(gzip);

/** Once for each document, in a thread of libuv's: quality 9 takes a tenth of a second for the largest. */
const compress: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => zip(bytes),
};

/** The comparison of RFC 9110 for `If-None-Match`, which takes weak tags for the strong ones they were made from. */
const isKnown = (sent: string | undefined, etag: string | undefined): boolean =>
  sent !== undefined &&
  etag !== undefined &&
  sent.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);

const noPage: WireError = {
  code: "not_found",
  message: "there is no such document",
  hint: "see / for the addresses of this server",
  retryable: false,
};
const onlyGet: WireError = {
  code: "unimplemented",
  message: "documents are only read",
  hint: "send a GET",
  retryable: false,
};
