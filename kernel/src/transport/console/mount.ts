/**
 * The console at `/console`: its files, which hold no data and need no token, and the route of its sessions. Every address that is not a file
 * shows the same page, which finds its view by itself.
 *
 * Not here: what the pages show, which they read over tRPC like any other client.
 */
import type { ServerResponse } from "node:http";
import type { WireError } from "@fairlead/contracts";
import type { ConsolePage } from "../../host/console-page.ts";
import type { GuardedRequest, Mount } from "../../server/mount.ts";
import { sendProblem } from "../../server/problem.ts";
import { chooseEncoding } from "../../server/response/encoding.ts";
import { type PageFile, type PageFiles, readPages } from "./files.ts";
import { answerSession, type SessionParts } from "./session-route.ts";
import { notBuilt, shellPage } from "./shell.ts";

interface ConsoleParts extends SessionParts {
  /** Where the built pages are; nothing is served but the sentence that says so where it is left out or empty. */
  readonly folder: string | undefined;
  /** The page that the package of a loaded service brings. */
  readonly page: (service: string) => ConsolePage | undefined;
}

const prefix = "/console";

/** True for the addresses that need no token: the files, and the route of sessions, which checks its callers itself. `url` as sent. */
export const isConsoleUrl = (url: string): boolean =>
  url.startsWith(prefix) && (url.length === prefix.length || "/?".includes(url.charAt(prefix.length)));

/** True for pages that a browser may come to from elsewhere, as after a login at an upstream: they hold no data, and ask as any page of ours. */
export const isConsoleLanding = (url: string): boolean => url.startsWith(`${prefix}/x/`);

export const mountConsole = ({ folder, page, ...session }: ConsoleParts): Mount => {
  const pages = readPages(folder);
  const ofServices = makeServicePages(page);
  return {
    prefix,
    handle: (request, response) => {
      if (request.path === "/session") return answerSession(request, response, session);
      answerFile(request, response, { pages, ofServices, isThere: folder !== undefined });
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
};

/** Finds a file of the page of a service, by the service and the path in the page's folder. */
type ServicePages = (service: string, path: string) => PageFile | undefined;

const makeServicePages = (page: ConsoleParts["page"]): ServicePages => {
  // As many as there are services with a page: other names are not kept.
  const known = new Map<string, { readonly folder: string; readonly files: PageFiles }>();
  return (service, path) => {
    const found = page(service);
    if (found === undefined) return undefined;
    const { folder, file } = found;
    const kept = known.get(service);
    const files = kept?.folder === folder ? kept.files : readPages(folder, file);
    known.set(service, { folder, files });
    files.entry();
    return files.find(path);
  };
};

/** `/x/rules/page.js`: the service, and the path in its folder. */
const servicePath = /^\/x\/([^/]{1,40})(\/.*\.[a-z0-9]{1,8})$/;

interface FileParts {
  readonly pages: PageFiles;
  readonly ofServices: ServicePages;
  /** Whether there is a folder for the pages. */
  readonly isThere: boolean;
}

const answerFile = (
  { incoming, path }: GuardedRequest,
  response: ServerResponse,
  { pages, ofServices, isThere }: FileParts,
) => {
  if (incoming.method !== "GET" && incoming.method !== "HEAD")
    return sendProblem(response, onlyGet, { status: 405, headers: { allow: "GET, HEAD" } });
  const [, service, inside = ""] = servicePath.exec(path) ?? [];
  if (service !== undefined || !isPageAddress(path)) {
    const file = service === undefined ? pages.find(path) : ofServices(service, inside);
    return file === undefined ? sendProblem(response, noFile) : sendFile(response, file);
  }
  const shell = pages.entry();
  if (shell === undefined) return sendNotBuilt(response, isThere);
  return sendShell(response, shell);
};

/** Files are below `/assets/` and `/kit/`, or have an extension and no folder; every other path is an address of the page. */
const isPageAddress = (path: string): boolean =>
  !path.startsWith("/assets/") && !path.startsWith("/kit/") && !(path.includes(".") && path.lastIndexOf("/") === 0);

const common = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const sendShell = (response: ServerResponse, shell: string): void => {
  const { text, type, headers } = shellPage(shell);
  response.writeHead(200, {
    ...common,
    ...headers,
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
};

const sendFile = (response: ServerResponse, file: PageFile): void => {
  const { headers } = response.req;
  const encoding = chooseEncoding(headers["accept-encoding"]?.toString(), (name) => file[name] !== undefined);
  const { bytes, etag } = (encoding === undefined ? undefined : file[encoding]) ?? file.plain;
  const described = {
    ...common,
    etag,
    vary: "accept-encoding",
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (isKnown(headers["if-none-match"], etag)) {
    response.writeHead(304, described);
    response.end();
    return;
  }
  response.writeHead(200, {
    ...described,
    "content-type": file.type,
    "content-length": bytes.byteLength,
    ...(encoding !== undefined && { "content-encoding": encoding }),
  });
  response.end(bytes);
};

const isKnown = (sent: string | undefined, etag: string): boolean =>
  sent?.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag) === true;

const notThere = "This kernel was started without the pages of the console. `fairlead up` in a project serves them.\n";

const sendNotBuilt = (response: ServerResponse, isThere: boolean): void => {
  const text = isThere ? notBuilt : notThere;
  response.writeHead(503, {
    ...common,
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
};

const noFile: WireError = {
  code: "not_found",
  message: "the console has no such file",
  hint: "open /console",
  retryable: false,
};
const onlyGet: WireError = {
  code: "unimplemented",
  message: "files of the console are only read",
  hint: "send a GET",
  retryable: false,
};
