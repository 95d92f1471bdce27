/**
 * tRPC 11 at `/trpc`: the generated router behind tRPC's own protocol code, with the limits that it does not have by itself.
 *
 * Queries may be sent as POST, too: long inputs need it, and it is safe because a body must be `application/json`. Not here: the
 * procedures (`router.ts`), reading (`request.ts`) and writing (`reply.ts`).
 */
import type { ServerResponse } from "node:http";
import { defaultLimits, type WireError } from "@fairlead/contracts";
import type { AnyRouter } from "@trpc/server";
import type { Dispatch } from "../../call/call.ts";
import { loadOnce, perRevision } from "../../call/load-once.ts";
import type { TrpcContext } from "../../host/manifest.ts";
import { errorBytes, withoutInputNames } from "../../limits/fit.ts";
import { mayNamePrototype } from "../../limits/scan.ts";
import type { Authenticate } from "../../server/bearer.ts";
import type { IdentityRules } from "../../server/guard.ts";
import type { GuardedRequest, Mount } from "../../server/mount.ts";
import type { OpenStreams } from "../../server/open-streams.ts";
import { OpenWork } from "../../server/open-work.ts";
import type { CatalogEntry, Surroundings } from "../transport.ts";
import { calledPath, knownPath, trpcRefusal } from "./error.ts";
import { readKeys } from "./keys.ts";
import { answerPlainCalls, isPlain, type SentCalls, withUrl } from "./plain-calls.ts";
import { sendTrpcError, writeAnswer } from "./reply.ts";
import { asWebRequest, batchLimits, callTerms, maxBatchSize, readInput } from "./request.ts";
import type { WebSockets } from "./web-socket.ts";

/** As long as Node's parser takes it, with room for the headers: tRPC's own `httpBatchLink` writes every input of a batch into the URL. */
const longestUrl = 49_152;

interface TrpcParts {
  readonly streams: OpenStreams;
  /** Who calls, for tokens that come in a WebSocket's first message. */
  readonly authenticate: Authenticate;
  /** Finds out who sends such a token where it is an identity provider's; left out where there is none. */
  readonly identity?: Pick<IdentityRules, "identify"> | undefined;
}

/** The tRPC transport, to be mounted at `/trpc`. The router is loaded at the first request. */
export const mount = (surroundings: Surroundings, { streams, authenticate, identity }: TrpcParts): Mount => {
  const { dispatch, catalog, manifest } = surroundings;
  const work = new OpenWork();
  /** For tRPC's own code, which does not know of files. */
  const described: Dispatch = {
    subscribe: (request) => dispatch.subscribe(request),
    call: (request) =>
      dispatch.call(request).then((reply) => {
        if (!reply.ok || reply.file === undefined) return reply;
        return withUrl(reply, catalog.find(request.procedure), request.input).then((value) => ({ ...reply, value }));
      }),
  };
  const contractRouter = perRevision(catalog, () =>
    loadOnce(async () => {
      const [create, { ownRouter }] = await Promise.all([manifest.router(), import("./router.ts")]);
      return ownRouter(create, described);
    }),
  );
  const router = async (called: readonly CatalogEntry[]): Promise<AnyRouter> =>
    called.some(isRelayed) ? (await import("./router.ts")).createRelayRouter(dispatch, called) : contractRouter()();

  /** A connection keeps the contracts that it was opened with. */
  const sockets = new Set<Promise<WebSockets>>();
  const loadSockets = perRevision(catalog, () =>
    loadOnce(async () => {
      const { createWebSockets } = await import("./web-socket.ts");
      const limits = batchLimits(catalog.all().map((entry) => entry.limits));
      return createWebSockets({
        router: await contractRouter()(),
        authenticate,
        identify: identity?.identify,
        streams,
        limits,
        explain: (name) => catalog.explain(name),
      });
    }),
  );
  const upgrade: NonNullable<Mount["upgrade"]> = (request, socket, head) => {
    const opened = loadSockets()();
    sockets.add(opened);
    opened.then(
      ({ accept }) => accept(request, socket, head),
      (cause: unknown) => {
        sockets.delete(opened);
        surroundings.log("error", "the WebSocket transport did not load", { cause });
        socket.destroy();
      },
    );
  };

  /** By tRPC's own protocol code, which is loaded for the first of these. */
  const resolve = async (
    request: GuardedRequest,
    response: ServerResponse,
    { text, entries, context }: SentCalls & { readonly text: string },
  ): Promise<void> => {
    const [{ resolveResponse }, called] = await Promise.all([
      import("@trpc/server/http"),
      router(entries.filter((each) => each !== undefined)),
    ]);
    const web = await resolveResponse({
      router: called,
      req: asWebRequest(request, text),
      path: request.path.slice(1),
      createContext: async () => context,
      error: null,
      allowMethodOverride: true,
      maxBatchSize,
    });
    await writeAnswer(web, response, work.closing);
  };

  const handle = async (request: GuardedRequest, response: ServerResponse): Promise<void> => {
    // As tRPC's own adapters answer those who only look whether somebody is there.
    if (request.incoming.method === "HEAD") return void response.writeHead(204).end();
    const name = request.path.slice(1);
    const params = new URLSearchParams(request.query);
    const isBatch = params.get("batch") === "1";
    const names = isBatch ? name.split(",", maxBatchSize + 1) : [name];
    if (names.length > maxBatchSize) return sendTrpcError(response, batchTooLarge);

    const entries = names.map((each) => catalog.find(each));
    const [entry] = entries;
    const allowed = entries.some((each) => each?.procedure.kind === "mutation") ? ["POST"] : ["GET", "POST"];
    if (!allowed.includes(request.incoming.method ?? "")) {
      return sendTrpcError(response, wrongMethod, {
        status: 405,
        path: knownPath(catalog, name),
        allow: allowed.join(", "),
      });
    }
    if (!isBatch && entry === undefined) {
      return sendTrpcError(response, catalog.explain(name), { path: knownPath(catalog, name) });
    }
    const keys = readKeys(request, entries);
    if ("code" in keys) return sendTrpcError(response, keys, { path: knownPath(catalog, name) });
    if (!isBatch && entry !== undefined && takesFile(entry) && hasForm(request)) {
      const { answerUpload } = await import("./upload.ts");
      return answerUpload({ dispatch, entry, key: keys[0] }, request, response);
    }
    const limits = entries.map((each) => each?.limits ?? defaultLimits);
    const body = await readInput(
      request,
      params.get("input"),
      isBatch ? batchLimits(limits) : (limits[0] ?? defaultLimits),
    );
    if (!body.ok) {
      const error = withoutInputNames(body.error, isBatch ? undefined : entry?.procedure);
      return sendTrpcError(response, error, { status: body.status, path: knownPath(catalog, name) });
    }
    if (entry?.procedure.kind === "subscription" && !isBatch) {
      const refused = streams.subscribe(request, response);
      if (refused !== undefined) return sendTrpcError(response, refused, { path: name });
    }
    const context: TrpcContext = {
      terms: callTerms(request, !isBatch && !mayNamePrototype(body.text)),
      keys,
      errorBytes: errorBytes(names.length),
      stream: undefined,
      explain: (called) => catalog.explain(called),
    };
    const sent = { names, entries, isBatch, input: body.value, context };
    if (isPlain(request, sent)) return answerPlainCalls(dispatch, sent, request, response);
    return resolve(request, response, { ...sent, text: body.text });
  };

  return {
    prefix: "/trpc",
    longestUrl,
    handle: (request, response) => work.add(handle(request, response)),
    upgrade,
    refusal: (error, request) =>
      trpcRefusal(error, request, { path: knownPath(catalog, calledPath(request.url)), status: request.status }),
    async close() {
      const closeSockets = [...sockets].map((opened) =>
        opened.then(
          (open) => open.close(),
          // Nothing was opened.
          () => undefined,
        ),
      );
      await Promise.all([work.close(), ...closeSockets]);
    },
  };
};

const takesFile = ({ procedure }: CatalogEntry): boolean =>
  procedure.kind === "mutation" && procedure.upload !== undefined;

/** What is not JSON is a form with a file, or a file. */
const hasForm = ({ incoming }: GuardedRequest): boolean =>
  !/^application\/json\b/i.test(incoming.headers["content-type"] ?? "application/json");

/** Found while its service runs, and named by no contract. */
const isRelayed = ({ name, service, contract }: CatalogEntry): boolean =>
  !Object.hasOwn(contract.procedures, name.slice(service.length + 1));

const wrongMethod: WireError = {
  code: "unimplemented",
  message: "this procedure does not take that method",
  hint: "send mutations by POST, queries and subscriptions by GET or POST",
  retryable: false,
};
const batchTooLarge: WireError = {
  code: "invalid_argument",
  message: `a batch may have at most ${maxBatchSize} calls`,
  hint: `set \`maxItems: ${maxBatchSize}\` on the client's batch link`,
  retryable: false,
};
