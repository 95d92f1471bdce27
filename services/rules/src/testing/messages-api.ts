/**
 * For tests only: a server on loopback that speaks the Messages API over HTTP. It checks requests by the API's own rules, answers
 * by a script, and keeps every request with its retry count. Ids are counted, so that runs are the same.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buildMessage, countedIds, errorBody, type Ids, type ScriptedReply } from "./messages-api-script.ts";

/** What is answered to a request whose user text contains `when`, one after the other; the last one again and again. */
interface ScriptedScene {
  readonly when: string;
  readonly answers: readonly ScriptedReply[];
}

interface LoggedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** What the client says about itself: 0 for the first try. */
  readonly retryCount: number;
}

export interface FakeMessagesApi {
  readonly url: string;
  /** Every request, in order. */
  readonly requests: readonly LoggedRequest[];
  /** Resolves once this many requests have come in. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves once a request was given up by its client. */
  readonly abandoned: Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const fakeApiKey = "test-key";

export const startFakeMessagesApi = async (script: readonly ScriptedScene[]): Promise<FakeMessagesApi> => {
  const requests: LoggedRequest[] = [];
  const listeners: { readonly count: number; readonly resolve: () => void }[] = [];
  const turns = new Map<ScriptedScene, number>();
  const ids = countedIds();
  const { promise: abandoned, resolve: abandon } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) abandon();
    });
    const requestId = ids.next("req");
    const body = await readBody(request);
    const path = new URL(request.url ?? "/", "http://stand-in").pathname;
    requests.push({
      path,
      headers: request.headers,
      body,
      retryCount: Number(request.headers["x-stainless-retry-count"]),
    });
    for (const { count, resolve } of listeners) if (requests.length >= count) resolve();
    const wrong = findRequestError(request, path, body);
    if (wrong !== undefined)
      return send(response, wrong.status, errorBody(wrong.type, wrong.message, requestId), requestId);
    if (path === "/v1/messages/count_tokens") return send(response, 200, { input_tokens: 700 }, requestId);
    const text = JSON.stringify(body.messages);
    const scene = script.find(({ when }) => text.includes(when));
    if (scene === undefined)
      return send(response, 500, errorBody("api_error", "no scene for this text", requestId), requestId);
    const turn = turns.get(scene) ?? 0;
    turns.set(scene, turn + 1);
    const answer = scene.answers[Math.min(turn, scene.answers.length - 1)] ?? { kind: "silent" };
    perform(answer, response, { ids, requestId, model: String(body.model) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    waitForRequests: (count) =>
      new Promise((resolve) => {
        listeners.push({ count, resolve });
        if (requests.length >= count) resolve();
      }),
    abandoned,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const readBody = async (request: IncomingMessage): Promise<LoggedRequest["body"]> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return {};
  }
};

const send = (response: ServerResponse, status: number, body: unknown, requestId: string): void => {
  response.writeHead(status, { "content-type": "application/json", "request-id": requestId });
  response.end(JSON.stringify(body));
};

interface ResponseContext {
  readonly ids: Ids;
  readonly requestId: string;
  readonly model: string;
}

const perform = (answer: ScriptedReply, response: ServerResponse, { ids, requestId, model }: ResponseContext): void => {
  switch (answer.kind) {
    case "calls":
    case "text":
    case "refusal":
    case "cut":
      send(response, 200, buildMessage(answer, model, ids), requestId);
      break;
    case "status":
      for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
      send(
        response,
        answer.status,
        errorBody(answer.type, answer.message ?? `scripted ${answer.status}`, requestId),
        requestId,
      );
      break;
    case "body":
      response.writeHead(200, { "content-type": "application/json", "request-id": requestId });
      response.end(answer.body);
      break;
    case "close":
      response.socket?.destroy();
      break;
    case "torn":
    case "slow": {
      const body = JSON.stringify(buildMessage(answer, model, ids));
      response.writeHead(200, { "content-type": "application/json", "content-length": String(body.length) });
      response.write(body.slice(0, 40), () => {
        if (answer.kind === "torn") response.socket?.destroy();
      });
      break;
    }
    case "silent":
      break;
  }
};

interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

/** What the API itself would refuse. */
const findRequestError = (
  { method, headers }: IncomingMessage,
  path: string,
  body: LoggedRequest["body"],
): ApiError | undefined => {
  const bad = (message: string): ApiError => ({ status: 400, type: "invalid_request_error", message });
  if (method !== "POST" || !["/v1/messages", "/v1/messages/count_tokens"].includes(path)) {
    return { status: 404, type: "not_found_error", message: `${method} ${path}` };
  }
  if (headers.authorization !== `Bearer ${fakeApiKey}` && headers["x-api-key"] !== fakeApiKey) {
    return { status: 401, type: "authentication_error", message: "invalid key" };
  }
  if (typeof headers["anthropic-version"] !== "string") return bad("anthropic-version: header is required");
  const { model, max_tokens: most, messages, tools = [], tool_choice: choice } = body;
  if (typeof model !== "string" || model === "") return bad("model: required");
  if (path === "/v1/messages" && (!Number.isInteger(most) || Number(most) < 1)) return bad("max_tokens: required");
  if (!Array.isArray(messages) || messages.length === 0) return bad("messages: at least one");
  const names = Array.isArray(tools) ? tools.map(({ name }: { name: unknown }) => String(name)) : [];
  if (new Set(names).size !== names.length) return bad("tools: names must be unique");
  if (names.some((name) => !/^[a-zA-Z0-9_-]+$/.test(name))) return bad("tools: a name has other characters");
  const { type, name } = (choice ?? {}) as { readonly type?: string; readonly name?: string };
  if (type === "any" && names.length === 0) return bad("tool_choice: there are no tools");
  if (type === "tool" && !names.includes(name ?? "")) return bad("tool_choice: names no tool");
  return undefined;
};
