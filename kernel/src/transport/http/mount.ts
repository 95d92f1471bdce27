/**
 * The HTTP API as the OpenAPI document describes it: JSON in and out, problem details for errors, server-sent events for
 * subscriptions and, where the client asks for them, for progress.
 *
 * Guards and translates. Not here: what a call means (dispatch), reading (`request.ts`), writing (`reply.ts`), framing of events (`event-stream.ts`).
 */
import type { ServerResponse } from "node:http";
import { FairleadError, type WireError } from "@fairlead/contracts";
import { toWireError } from "../../call/error.ts";
import { perRevision } from "../../call/load-once.ts";
import { withoutInputNames } from "../../limits/fit.ts";
import { mayNamePrototype } from "../../limits/scan.ts";
import type { Body, GuardedRequest, Mount } from "../../server/mount.ts";
import type { OpenStreams } from "../../server/open-streams.ts";
import { OpenWork } from "../../server/open-work.ts";
import { hasUnreadBody, isFileTooLarge, sendProblem } from "../../server/problem.ts";
import { defaultKeepAliveMs, EventStream } from "../../server/response/event-stream.ts";
import type { CatalogEntry, Surroundings } from "../transport.ts";
import { errorEvent, sendValue, sendWrongMethod } from "./reply.ts";
import {
  apiPrefix,
  fromQuery,
  type HttpCall,
  makeRoutes,
  prefersAsync,
  readLastEventId,
  toCallRequest,
  wantsEvents,
} from "./request.ts";

type BodyRefusal = Extract<Body, { readonly ok: false }>;

type HttpSurroundings = Pick<Surroundings, "dispatch" | "catalog" | "log">;

interface HttpParts {
  readonly streams: OpenStreams;
  /** Milliseconds of silence on a stream before a comment is sent. */
  readonly keepAlive?: number | undefined;
}

/** The HTTP API, to be mounted at `/api`. */
export const mount = (
  surroundings: HttpSurroundings,
  { streams, keepAlive = defaultKeepAliveMs }: HttpParts,
): Mount => {
  const { dispatch, catalog, log } = surroundings;
  const routes = perRevision(catalog, () => makeRoutes(catalog));
  const work = new OpenWork();

  const answer = async (call: HttpCall, response: ServerResponse): Promise<void> => {
    const reply = await dispatch.call(call);
    // A handler need not read all of a file.
    const isCut = call.file !== undefined && hasUnreadBody(response.req);
    if (reply.ok) sendValue(response, reply.value, isCut ? { headers: { connection: "close" } } : {});
    else sendProblem(response, reply.error, isFileTooLarge(reply.error) ? { status: 413 } : {});
  };

  /** Read with the first file: few procedures take or give one. */
  const takeFile = async (
    call: HttpCall,
    request: GuardedRequest,
    entry: CatalogEntry,
  ): Promise<BodyRefusal | undefined> => {
    const { readUpload } = await import("./files/upload.ts");
    const sent = await readUpload(request, entry);
    if (!sent.ok) return sent;
    call.input = sent.input;
    if (sent.file !== undefined) call.file = sent.file;
    return undefined;
  };

  const giveFile = async (call: HttpCall, request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const refused = streams.subscribe(request, response);
    if (refused !== undefined) return sendProblem(response, refused);
    const reply = await dispatch.call(call);
    if (!reply.ok) return sendProblem(response, reply.error);
    if (reply.file === undefined) return sendValue(response, reply.value);
    const { sendDownload } = await import("./files/download.ts");
    await sendDownload(response, reply.file).catch((error: unknown) =>
      log("error", "a file could not be read to its end", { procedure: call.procedure, error }),
    );
  };

  /** Starts it as a run: 202 with the run, and where it is shown. Its body was held to its own limits, which may be wider than those of a start. */
  const start = async ({ timeoutMs: _, ...call }: HttpCall, response: ServerResponse): Promise<void> => {
    const input = { procedure: call.procedure, input: call.input };
    const reply = await dispatch.call({ ...call, procedure: "kernel.startRun", input });
    if (!reply.ok) return sendProblem(response, reply.error);
    // The kernel's own contract says what it gives.
    const { run } = reply.value as { readonly run: { readonly id: string } };
    const location = `${routes().pathTo("kernel.getRun")}?id=${encodeURIComponent(run.id)}`;
    sendValue(response, run, { status: 202, headers: { location, "preference-applied": "respond-async" } });
  };

  /** The same with progress: plain problem details while nothing was sent, events from then on. */
  const answerWithEvents = async (call: HttpCall, response: ServerResponse): Promise<void> => {
    const refused = streams.claim(call.principal, response);
    if (refused !== undefined) return sendProblem(response, refused);
    let stream: EventStream | undefined;
    const opened = (): EventStream => {
      stream ??= new EventStream(response, keepAlive);
      return stream;
    };
    const quiet = setTimeout(opened, keepAlive);
    call.onProgress = (progress) => {
      if (!response.writableEnded && !opened().isFull) opened().send({ event: "progress", data: progress });
    };
    const reply = await dispatch.call(call);
    clearTimeout(quiet);
    if (!reply.ok && stream === undefined) return sendProblem(response, reply.error);
    opened().send(reply.ok ? { event: "result", data: reply.value } : errorEvent(reply.error));
    opened().end();
  };

  const subscribe = async (call: HttpCall, request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const refused = streams.subscribe(request, response);
    if (refused !== undefined) return sendProblem(response, refused);
    const signal = call.signal === undefined ? work.closing : AbortSignal.any([call.signal, work.closing]);
    const opened = await dispatch.subscribe({ ...call, signal });
    if (!opened.ok) return sendProblem(response, opened.error);
    const stream = new EventStream(response, keepAlive);
    try {
      for await (const { id, value } of opened.items) {
        await stream.send({ id, data: value });
        if (stream.isGone) break;
      }
      // Without an `end`, clients come back and resume.
      if (!work.closing.aborted) stream.send({ event: "end", data: {} });
    } catch (cause) {
      stream.send(errorEvent(streamError(cause, call.procedure)));
    } finally {
      stream.end();
    }
  };

  const streamError = (cause: unknown, procedure: string): WireError => {
    if (cause instanceof FairleadError) return cause.toJSON();
    const defect = (id: string, error: unknown): void =>
      log("error", "a subscription failed", { id, procedure, error });
    return toWireError(cause, { procedure, repeatable: true, defect });
  };

  /** The catalog knows why a procedure is not offered, or which one is near; paths that name none are ours. */
  const missingAt = (path: string): WireError => {
    const [, service, local] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const name = service === undefined ? undefined : `${service}.${local}`;
    if (name !== undefined && catalog.find(name) === undefined) return catalog.explain(name);
    const near = (name === undefined ? undefined : routes().pathTo(name)) ?? routes().near(path);
    return {
      code: "not_found",
      message: `no procedure is served at this path${near === undefined ? "" : `; did you mean ${near}?`}`,
      hint: "see /openapi.json for all paths",
      retryable: false,
    };
  };

  const handle = async (request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const route = routes().find(request.path);
    if (route === undefined) return sendProblem(response, missingAt(request.path));
    const { entry, methods } = route;
    const { method = "" } = request.incoming;
    if (catalog.find(entry.name) === undefined) return sendProblem(response, catalog.explain(entry.name));
    if (!methods.includes(method)) return sendWrongMethod(response, methods);

    const call = toCallRequest(request, entry.name);
    const { procedure } = entry;
    if (method === "GET") Object.assign(call, fromQuery(route, request));
    else if (procedure.kind === "mutation" && procedure.upload !== undefined) {
      const refused = await takeFile(call, request, entry);
      if (refused !== undefined)
        return sendProblem(response, withoutInputNames(refused.error, procedure), { status: refused.status });
    } else {
      const body = await request.body(entry.limits);
      if (!body.ok)
        return sendProblem(response, withoutInputNames(body.error, entry.procedure), { status: body.status });
      call.input = body.value;
      if (!mayNamePrototype(body.text)) call.scanned = true;
    }
    if (entry.procedure.kind === "subscription") {
      const lastEventId = readLastEventId(request) ?? call.lastEventId;
      if (lastEventId !== undefined) call.lastEventId = lastEventId;
      return work.add(subscribe(call, request, response));
    }
    if (procedure.kind === "query" && procedure.download !== undefined)
      return work.add(giveFile(call, request, response));
    if (entry.procedure.run !== undefined && prefersAsync(request)) return start(call, response);
    return wantsEvents(request) ? work.add(answerWithEvents(call, response)) : answer(call, response);
  };

  return {
    prefix: apiPrefix,
    handle,
    close: () => work.close(),
  };
};
