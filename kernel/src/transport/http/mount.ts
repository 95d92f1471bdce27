/**
 * The HTTP API as the OpenAPI document describes it: JSON in and out, problem details for errors, server-sent events for
 * subscriptions and, where the client asks for them, for progress.
 *
 * Guards and translates. Not here: what a call means (dispatch), routes (`routes.ts`), framing of events (`event-stream.ts`).
 */
import type { ServerResponse } from "node:http";
import { FairleadError, queryFields, queryToInput, type WireError } from "@fairlead/contracts";
import type { CallRequest } from "../../call/call.ts";
import { fromUnknown } from "../../call/error.ts";
import { errorBytes, fitted } from "../../limits/fit.ts";
import { defaultKeepAliveMs, EventStream, type SseEvent } from "../../server/event-stream.ts";
import type { OpenStreams } from "../../server/open-streams.ts";
import { PendingWork } from "../../server/pending-work.ts";
import { sendProblem } from "../../server/problem.ts";
import type { GuardedRequest, Mount, Surroundings } from "../transport.ts";
import { apiPrefix, makeRoutes, type Route } from "./routes.ts";

export interface HttpParts {
  readonly streams: OpenStreams;
  /** Milliseconds of silence on a stream before a comment is sent. */
  readonly keepAlive?: number | undefined;
}

type Request = { -readonly [K in keyof CallRequest]: CallRequest[K] };

/** The HTTP API, to be mounted at `/api`. */
export const mount = (surroundings: Surroundings, { streams, keepAlive = defaultKeepAliveMs }: HttpParts): Mount => {
  const { dispatch, catalog, log } = surroundings;
  const routes = makeRoutes(catalog);
  const closing = new AbortController();
  const streaming = new PendingWork();

  const answer = async (call: Request, response: ServerResponse): Promise<void> => {
    const reply = await dispatch.call(call);
    if (reply.ok) sendValue(response, reply.value);
    else sendProblem(response, reply.error);
  };

  /** The same with progress: plain problem details while nothing was sent, events from then on. */
  const answerWithEvents = async (call: Request, response: ServerResponse): Promise<void> => {
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

  const subscribe = async (call: Request, request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const refused = streams.subscribe(request, response);
    if (refused !== undefined) return sendProblem(response, refused);
    const signal = call.signal === undefined ? closing.signal : AbortSignal.any([call.signal, closing.signal]);
    const opened = await dispatch.subscribe({ ...call, signal });
    if (!opened.ok) return sendProblem(response, opened.error);
    const stream = new EventStream(response, keepAlive);
    try {
      for await (const { id, value } of opened.items) {
        await stream.send({ id, data: value });
        if (stream.isGone) break;
      }
      // Without an `end`, clients come back and resume.
      if (!closing.signal.aborted) stream.send({ event: "end", data: {} });
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
    return fromUnknown(cause, { procedure, repeatable: true, defect });
  };

  /** The catalog knows why a procedure is not offered, or which one is near; paths that name none are ours. */
  const missingAt = (path: string): WireError => {
    const [, service, local] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const name = service === undefined ? undefined : `${service}.${local}`;
    if (name !== undefined && catalog.find(name) === undefined) return catalog.explain(name);
    const near = (name === undefined ? undefined : routes.pathOf(name)) ?? routes.near(path);
    return {
      code: "not_found",
      message: `no procedure is served at this path${near === undefined ? "" : `; did you mean ${near}?`}`,
      hint: "see /openapi.json for all paths",
      retryable: false,
    };
  };

  const handle = async (request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const route = routes.find(request.path);
    if (route === undefined) return sendProblem(response, missingAt(request.path));
    const { entry, endpoint } = route;
    if (catalog.find(entry.name) === undefined) return sendProblem(response, catalog.explain(entry.name));
    if (request.incoming.method !== endpoint.method) return sendWrongMethod(response, endpoint.method);

    const call = toCallRequest(request, entry.name, undefined);
    if (endpoint.encoding === "query") Object.assign(call, fromQuery(route, request));
    else {
      const body = await request.body(entry.limits);
      if (!body.ok) return sendProblem(response, body.error, { status: body.status });
      call.input = body.value;
      call.scanned = true;
    }
    if (entry.procedure.kind === "subscription") {
      const lastEventId = readLastEventId(request) ?? call.lastEventId;
      if (lastEventId !== undefined) call.lastEventId = lastEventId;
      return streaming.add(subscribe(call, request, response));
    }
    return wantsEvents(request) ? streaming.add(answerWithEvents(call, response)) : answer(call, response);
  };

  return {
    prefix: apiPrefix,
    handle,
    close: async () => {
      closing.abort();
      await streaming.ended();
    },
  };
};

const toCallRequest = (request: GuardedRequest, procedure: string, input: unknown): Request => {
  const call: Request = { procedure, input, principal: request.principal, transport: "http", signal: request.signal };
  if (request.timeoutMs !== undefined) call.timeoutMs = request.timeoutMs;
  if (request.idempotencyKey !== undefined) call.idempotencyKey = request.idempotencyKey;
  if (request.trace !== undefined) call.trace = request.trace;
  return call;
};

/** `lastEventId` in the query resumes a subscription, unless its own input has a field of that name. */
const fromQuery = ({ entry }: Route, { query }: GuardedRequest): Pick<CallRequest, "input" | "lastEventId"> => {
  const input = queryToInput(entry.procedure, query);
  const { lastEventId, ...rest } = input;
  const isOurs = entry.procedure.kind === "subscription" && queryFields(entry.procedure)?.has("lastEventId") === false;
  if (!isOurs || lastEventId === undefined) return { input };
  return typeof lastEventId === "string" && lastEventId !== "" ? { input: rest, lastEventId } : { input: rest };
};

/** Browsers send the id as UTF-8, which Node reads as Latin-1. Who cannot set headers says it in the URL of a POST, too. */
const readLastEventId = ({ incoming, query }: GuardedRequest): string | undefined => {
  const sent = incoming.headers["last-event-id"];
  if (typeof sent === "string" && sent !== "") return Buffer.from(sent, "latin1").toString("utf8");
  return incoming.method === "POST" ? new URLSearchParams(query).get("lastEventId") || undefined : undefined;
};

const wantsEvents = ({ incoming }: GuardedRequest): boolean => {
  const { accept } = incoming.headers;
  return accept?.includes("text/event-stream") === true && !accept.includes("application/json");
};

const errorEvent = (error: WireError): SseEvent => ({
  event: "error",
  data: fitted(error, errorBytes(), (fit) => fit),
});

const sendValue = (response: ServerResponse, value: unknown): void => {
  const text = JSON.stringify(value) ?? "null";
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
};

const sendWrongMethod = (response: ServerResponse, method: string): void =>
  sendProblem(
    response,
    {
      code: "unimplemented",
      message: "this path does not take that method",
      hint: `send a ${method}; see /openapi.json`,
      retryable: false,
    },
    { status: 405, headers: { allow: method } },
  );
