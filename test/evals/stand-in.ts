/**
 * A stand-in for a model: a server that speaks the Messages API and answers by a brain, a plain function of the request. It refuses what the API refuses,
 * so that a tool list or a history that a real model's API would not take fails here as well.
 *
 * Not here: what is answered (`brains.ts`).
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type ModelBlock, type ModelRequest, toolResults, toolUses } from "./messages.ts";

export type Brain = (request: ModelRequest) => readonly ModelBlock[];

export interface StandIn {
  readonly url: string;
  /** Requests that were answered. */
  readonly answered: () => number;
  close(): Promise<void>;
}

/** The next so many requests are refused as busy. */
export interface StandInOptions {
  readonly busy?: number;
}

/** Serves the brains by the names of their models. */
export const serveModel = async (
  brains: Readonly<Record<string, Brain>>,
  { busy = 0 }: StandInOptions = {},
): Promise<StandIn> => {
  let answered = 0;
  let refuse = busy;
  const reply = async (request: IncomingMessage): Promise<Reply> => {
    if (request.method !== "POST" || request.url !== "/v1/messages")
      return problem(404, "not_found_error", `${request.method} ${request.url}`);
    if (request.headers["x-api-key"] === undefined) return problem(401, "authentication_error", "x-api-key is missing");
    if (request.headers["anthropic-version"] === undefined)
      return problem(400, "invalid_request_error", "anthropic-version is missing");
    // Every field that matters is looked at in `refusal`.
    const asked = (await json(request)) as ModelRequest;
    if (refuse > 0) {
      refuse -= 1;
      return problem(529, "overloaded_error", "Overloaded");
    }
    const wrong = refusal(asked);
    if (wrong !== undefined) return problem(400, "invalid_request_error", wrong);
    const brain = Object.hasOwn(brains, asked.model) ? brains[asked.model] : undefined;
    if (brain === undefined) return problem(404, "not_found_error", `model: ${asked.model}`);
    const content = brain(asked);
    answered += 1;
    return {
      status: 200,
      body: {
        id: `msg_${answered}`,
        type: "message",
        role: "assistant",
        model: asked.model,
        content,
        stop_reason: toolUses(content).length > 0 ? "tool_use" : "end_turn",
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    };
  };
  const server = createServer((request, response) => {
    reply(request)
      .catch((cause: unknown) => problem(500, "api_error", String(cause)))
      .then(({ status, body }) => {
        response.writeHead(status, {
          "content-type": "application/json",
          ...(status === 529 && { "retry-after": "0" }),
        });
        response.end(JSON.stringify(body));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered: () => answered,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const problem = (status: number, type: string, message: string): Reply => ({
  status,
  body: { type: "error", error: { type, message } },
});

const toolName = /^[a-zA-Z0-9_-]{1,128}$/;
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** What the API would say to that request; `undefined` where it takes it. */
const refusal = ({ max_tokens: most, tools = [], messages }: ModelRequest): string | undefined => {
  if (!Number.isInteger(most) || most < 1) return "max_tokens: Input should be greater than or equal to 1";
  const names = tools.map(({ name }) => name);
  const odd = names.find((name) => !toolName.test(name));
  if (odd !== undefined) return `tools: String should match pattern '${toolName.source}': ${odd}`;
  if (new Set(names).size < names.length) return "tools: Tool names must be unique";
  for (const { name, input_schema: schema } of tools) {
    if (schema.type !== "object") return `tools.${name}.input_schema.type: Field required`;
    const union = ["oneOf", "anyOf", "allOf"].find((word) => word in schema);
    if (union !== undefined) return `tools.${name}.input_schema: does not support ${union} at the top level`;
    const key = Object.keys(Object(schema.properties)).find((each) => !propertyName.test(each));
    if (key !== undefined) return `tools.${name}.input_schema.properties: Property keys should match pattern: ${key}`;
  }
  return historyProblem(messages);
};

/** Roles take turns, and each call is answered in the message after it. */
const historyProblem = (messages: ModelRequest["messages"]): string | undefined => {
  if (messages.at(-1)?.role !== "user") return "messages: the last one must be the user's";
  for (const [at, message] of messages.entries()) {
    if (message.role !== (at % 2 === 0 ? "user" : "assistant")) return `messages.${at}: roles must alternate`;
    if (message.role === "assistant") continue;
    const before = messages[at - 1];
    const wanted = before?.role === "assistant" ? toolUses(before.content).map(({ id }) => id) : [];
    const given = toolResults(message).map(({ tool_use_id: id }) => id);
    const missing = wanted.find((id) => !given.includes(id));
    if (missing !== undefined) return `messages.${at}: tool_use ids without tool_result blocks: ${missing}`;
    const unknown = given.find((id) => !wanted.includes(id));
    if (unknown !== undefined) return `messages.${at}: unexpected tool_use_id in tool_result blocks: ${unknown}`;
  }
  return undefined;
};
