/**
 * The routes that describe the kernel rather than call it: documents, health, metrics, version, and an index for people.
 *
 * Behind the same guard as everything else. Not here: what is in the documents (the manifest) and the figures (metrics, health).
 */
import type { ServerResponse } from "node:http";
import type { WireError } from "@fairlead/contracts";
import { sendProblem } from "../../server/problem.ts";
import type { GuardedRequest, Mount, Surroundings } from "../transport.ts";
import { indexPage } from "./index-page.ts";

export interface DocsParts {
  /** Whether the kernel can serve, and how each service is. */
  readonly ready: () => { readonly ready: boolean; readonly services: unknown };
  /** Prometheus text. */
  readonly metrics: () => string;
}

interface Page {
  readonly type: string;
  readonly text: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Gives the page at a path below the prefix, or `undefined` for none. */
type Give = (path: string) => Page | undefined | Promise<Page | undefined>;

export const mountDocs = ({ manifest, server }: Surroundings, { ready, metrics }: DocsParts): readonly Mount[] => {
  const exactly =
    (give: () => Page | Promise<Page>): Give =>
    (path) =>
      path === "" ? give() : undefined;
  const index = indexPage(server);
  return [
    pages(
      "/",
      exactly(() => index),
    ),
    pages(
      "/openapi.json",
      exactly(async () => jsonText(await manifest.openapi())),
    ),
    pages("/verbs.json", async (path) => {
      const verbs = path === "" ? await manifest.verbs?.() : undefined;
      return verbs === undefined ? undefined : jsonText(verbs);
    }),
    pages("/schema", async (path) => {
      const service = /^\/([A-Za-z0-9]{1,64})\.json$/.exec(path)?.[1];
      const schema = service === undefined ? undefined : await manifest.schema(service);
      return schema === undefined ? undefined : jsonText(schema);
    }),
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
      exactly(() => readiness(ready())),
    ),
    pages(
      "/metrics",
      exactly(() => ({ type: "text/plain; version=0.0.4; charset=utf-8", text: metrics() })),
    ),
  ];
};

const jsonText = (text: string): Page => ({ type: "application/json", text });

const readiness = (found: ReturnType<DocsParts["ready"]>): Page => ({
  ...jsonText(JSON.stringify(found)),
  status: found.ready ? 200 : 503,
});

const pages = (prefix: string, give: Give): Mount => ({
  prefix,
  handle: async ({ incoming, path }: GuardedRequest, response: ServerResponse) => {
    const page = await give(path);
    if (page === undefined) return sendProblem(response, noPage);
    if (incoming.method !== "GET" && incoming.method !== "HEAD") {
      return sendProblem(response, onlyGet, { status: 405, headers: { allow: "GET, HEAD" } });
    }
    response.writeHead(page.status ?? 200, {
      "content-type": page.type,
      "content-length": Buffer.byteLength(page.text),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...page.headers,
    });
    response.end(page.text);
  },
  close: async () => undefined,
});

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
