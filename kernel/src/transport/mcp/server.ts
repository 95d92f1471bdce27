/**
 * The protocol server of one exchange or one session: the SDK's low-level `Server` with the tool handlers of an endpoint.
 *
 * One is made for every stateless request and for every session; sharing one between clients leaks replies. Not here: eras,
 * sessions and HTTP (`mcp.ts`), and what a call does (`call.ts`).
 */

import type { Contract } from "@fairlead/contracts";
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  type JSONRPCMessage,
  type ListToolsResult,
  LOG_LEVEL_META_KEY,
  McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
  type ServerContext,
  type ServerOptions,
  type Transport,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type ClientLog, type LogSeverity, logSeverities, type Principal } from "../../call/call.ts";
import { loadOnce } from "../../call/load-once.ts";
import { readMember } from "../../call/record.ts";
import type { ResourceSource } from "../../resources/resources.ts";
import type { Surroundings } from "../transport.ts";
import { type CallContext, type Caller, callTool, requestTerms, taskEnd } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { boundedError } from "./error.ts";
import type { FileMemory } from "./files/contents.ts";
import type { PromptSource } from "./prompts/prompts.ts";
import type { Rounds } from "./rounds.ts";
import type { TaskTerms } from "./tasks/task-calls.ts";

/** The handlers an extension replaces and can fall back to. */
interface ToolHandlers {
  readonly list: (context: ServerContext) => ListToolsResult;
  readonly call: (request: CallToolRequest, context: ServerContext) => Promise<CallToolResult | InputRequiredResult>;
}

/** What the public conformance fixture adds to every fresh server: more capabilities and handlers than Fairlead has. */
export interface Extension {
  readonly options?: ServerOptions;
  readonly install?: (server: Server, own: ToolHandlers) => void;
}

export interface ServerParts {
  readonly surroundings: Surroundings;
  readonly endpoint: Endpoint;
  /** Who the server introduces itself to. */
  readonly principal: Principal;
  /** Who is behind a request. */
  readonly callerOf: (context: ServerContext) => Caller;
  /** Calls that wait for their clients' answers, for all servers of the transport. */
  readonly rounds: Rounds;
  /** Files that are read as resources, for all servers of the transport. */
  readonly held: FileMemory;
  readonly extension?: Extension | undefined;
}

/** How long a client may keep the tool list; changes are announced as well. */
const listTtlMs = 60_000;

const capabilities = { tools: { listChanged: true }, logging: {} };

/** What the clients of sessions want of messages for their log. */
const wantedLogs = new WeakMap<Server, LogSeverity>();

/** True where a session's client wants messages for its log: only the SDK can send those. */
export const wantsLog = (server: Server): boolean => wantedLogs.has(server);

/** Makes a server that is ready to be connected. */
export const makeServer = (parts: ServerParts): Server => {
  const server = new BoundedServer(identity(parts), serverOptions(parts));
  install(server, parts);
  return server;
};

/**
 * The same for a stateless request at an endpoint where tools ask for arguments to be repeated in headers (`x-mcp-header` in the
 * input schema): the SDK holds the headers to the arguments, but only for what is an `McpServer`.
 */
export const makeMirrorServer = (parts: ServerParts): McpServer => {
  const product = new MirrorServer(parts);
  install(product.server, parts);
  return product;
};

/** An endpoint of one service introduces itself as that service, one of all as the kernel. */
const identity = (parts: ServerParts): Implementation => {
  const contract = ownContract(parts);
  if (contract === undefined) return parts.surroundings.server;
  const { id, version, summary } = contract;
  return { name: id, version, title: summary.replace(/\.$/, "") };
};

const ownContract = ({ surroundings: { catalog }, endpoint: { service } }: ServerParts): Contract | undefined =>
  service === undefined ? undefined : catalog.all().find((entry) => entry.service === service)?.contract;

const serverOptions = ({ endpoint, principal, extension }: ServerParts): ServerOptions => {
  const instructions = endpoint.instructions(principal);
  const resources = hasResources(endpoint, principal) ? { resources: { subscribe: true }, completions: {} } : {};
  const prompts = hasPrompts(endpoint, principal) ? { prompts: {}, completions: {} } : {};
  const extensions = endpoint.hasTasks() ? { extensions: { [tasksExtension]: {} } } : {};
  return {
    ...(instructions !== undefined && { instructions }),
    cacheHints: {
      "tools/list": { ttlMs: listTtlMs, cacheScope: "private" },
      "prompts/list": { ttlMs: listTtlMs, cacheScope: "private" },
      "resources/list": { ttlMs: 0, cacheScope: "private" },
      "resources/read": { ttlMs: 0, cacheScope: "private" },
      "resources/templates/list": { ttlMs: listTtlMs, cacheScope: "private" },
    },
    ...extension?.options,
    capabilities: { ...capabilities, ...resources, ...prompts, ...extensions, ...extension?.options?.capabilities },
  };
};

const install = (server: Server, parts: ServerParts): void => {
  const { surroundings, endpoint, callerOf, rounds, extension } = parts;
  const own: ToolHandlers = {
    list: (context) => ({ tools: [...endpoint.tools(callerOf(context).principal)] }),
    call: ({ params }, context) =>
      callTool(
        endpoint,
        { dispatch: surroundings.dispatch, rounds },
        {
          name: params.name,
          input: params.arguments,
          caller: callerOf(context),
          context: { ...toContext(context), log: clientLog(context, wantedLogs.get(server)) },
          able: ableIn(context) ?? server.getClientCapabilities(),
          app: appIn(context) ?? server.getClientVersion()?.name,
          takesTasks: takesTasks(ableIn(context)),
          revision: server.getNegotiatedProtocolVersion(),
        },
      ),
  };
  server.setRequestHandler("logging/setLevel", ({ params }) => {
    wantedLogs.set(server, params.level);
    return {};
  });
  server.setRequestHandler("tools/list", (_, context) => own.list(context));
  server.setRequestHandler("tools/call", own.call);
  if (hasResources(endpoint, parts.principal)) installResources(server, parts);
  if (endpoint.hasTasks()) installTasks(server, parts);
  const isCompleting = [hasPrompts, hasResources].some((has) => has(endpoint, parts.principal));
  if (hasPrompts(endpoint, parts.principal)) installPrompts(server, parts);
  if (isCompleting) installCompletion(server, parts);
  extension?.install?.(server, own);
};

const hasResources = (endpoint: Endpoint, principal: Principal): boolean =>
  endpoint.fileTools(principal).length > 0 ||
  endpoint.contracts(principal).some(({ resources = {} }) => Object.keys(resources).length > 0);

const sourceIn = ({ surroundings, endpoint, callerOf }: ServerParts, context: ServerContext): ResourceSource => {
  const caller = callerOf(context);
  const contracts = endpoint.contracts(caller.principal);
  return { contracts, dispatch: surroundings.dispatch, terms: requestTerms(toContext(context), caller) };
};

/** Those of contracts, and files that tools give, which are not listed: nothing says which there are. */
const installResources = (server: Server, parts: ServerParts): void => {
  const { surroundings, endpoint, callerOf, held } = parts;
  const load = () => import("./resources.ts");
  const loadOwn = () => import("./resources/contract-resources.ts");
  const readIn = (uri: string, context: ServerContext): Promise<ReadResourceResult> => {
    const { dispatch, log } = surroundings;
    const terms = requestTerms(toContext(context), callerOf(context));
    return load().then(({ readResource }) => readResource({ endpoint, dispatch, log, held }, uri, terms));
  };
  server.setRequestHandler("resources/list", (_, context) =>
    loadOwn()
      .then(({ listResources }) => listResources(sourceIn(parts, context)))
      .then((resources) => ({ resources: [...resources] })),
  );
  server.setRequestHandler("resources/templates/list", (_, context) =>
    Promise.all([load(), loadOwn()]).then(([{ listFileTemplates }, { listTemplates }]) => {
      const { principal } = callerOf(context);
      const own = listTemplates(endpoint.contracts(principal));
      return { resourceTemplates: [...own, ...listFileTemplates(endpoint, principal)] };
    }),
  );
  server.setRequestHandler("resources/read", ({ params }, context) => readIn(params.uri, context));
  const follows = loadOnce(() => loadOwn().then(({ SessionFollows }) => closedWith(server, new SessionFollows())));
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }, context) => {
    await readIn(uri, context);
    const updated = (): void => void server.sendResourceUpdated({ uri }).catch(() => {});
    (await follows()).add(sourceIn(parts, context), uri, updated);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    (await follows()).remove(uri);
    return {};
  });
};

/** What a server has opened ends with its connection. */
const closedWith = <T extends { close(): void }>(server: Server, opened: T): T => {
  const before = server.onclose;
  server.onclose = () => {
    opened.close();
    before?.();
  };
  return opened;
};

const hasPrompts = (endpoint: Endpoint, principal: Principal): boolean =>
  endpoint.contracts(principal).some(({ prompts = {} }) => Object.keys(prompts).length > 0);

const installPrompts = (server: Server, { endpoint, callerOf }: ServerParts): void => {
  const load = () => import("./prompts/prompts.ts");
  server.setRequestHandler("prompts/list", (_, context) =>
    load().then(({ listPrompts }) => ({ prompts: [...listPrompts(promptsIn(endpoint, callerOf(context)))] })),
  );
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    load().then(({ fillPrompt }) => fillPrompt(promptsIn(endpoint, callerOf(context)), params.name, params.arguments)),
  );
};

const promptsIn = (endpoint: Endpoint, { principal }: Caller): PromptSource => ({
  contracts: endpoint.contracts(principal),
  tool: endpoint.words.tool,
});

/** What completes an argument is asked with the caller's rights; what it may not ask completes nothing. */
const installCompletion = (server: Server, parts: ServerParts): void => {
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument, context: given } }, context) => {
    const source = sourceIn(parts, context);
    const typed = { typed: argument.value, values: given?.arguments ?? {} };
    if (ref.type === "ref/resource") {
      const { completeTemplate } = await import("./resources/contract-resources.ts");
      return completeTemplate(source, { template: ref.uri, field: argument.name, ...typed });
    }
    const [{ completeArgument }, { asker }] = await Promise.all([
      import("./prompts/prompts.ts"),
      import("../../resources/resources.ts"),
    ]);
    const completion = { name: ref.name, argument: argument.name, ...typed };
    return completeArgument(promptsIn(parts.endpoint, parts.callerOf(context)), completion, asker(source));
  });
};

/** The extension's name among capabilities. */
const tasksExtension = "io.modelcontextprotocol/tasks";

/** True where a client says that it takes tasks. */
const takesTasks = (able: ClientCapabilities | undefined): boolean =>
  readMember(able?.extensions, tasksExtension) !== undefined;

/** `params` of the methods about a task. */
const taskParams = z.looseObject({ taskId: z.string().max(200) });

type TaskParams = z.output<typeof taskParams>;

/** Tasks are of clients that say so in each request; a session's client has none. */
const installTasks = (server: Server, { surroundings: { dispatch }, endpoint, callerOf }: ServerParts): void => {
  const load = () => import("./tasks/task-calls.ts");
  const loadView = () => import("./tasks/task.ts");
  const serve = (
    method: string,
    run: (params: TaskParams, terms: TaskTerms, context: ServerContext) => Promise<Record<string, unknown>>,
  ): void =>
    server.setRequestHandler(method, { params: taskParams }, (params, context) => {
      const able = ableIn(context);
      if (able === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
      if (!takesTasks(able))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [tasksExtension]: {} } },
        });
      return run(params, requestTerms(toContext(context), callerOf(context)), context);
    });
  serve("tasks/get", ({ taskId }, terms, context) =>
    load()
      .then(({ findTask }) => findTask(dispatch, taskId, terms))
      .then((run) =>
        Promise.all([loadView(), taskEnd(run, { endpoint, caller: callerOf(context), app: appIn(context) })]).then(
          ([{ toDetailedTask }, end]) => toDetailedTask(run, end, ableIn(context)?.elicitation !== undefined),
        ),
      ),
  );
  serve("tasks/update", ({ taskId: id, inputResponses }, terms, { mcpReq }) => {
    const responses = inputResponses ?? mcpReq.inputResponses;
    return load()
      .then(({ updateTask }) => updateTask(dispatch, { id, responses }, terms))
      .then(() => ({}));
  });
  serve("tasks/cancel", ({ taskId }, terms) =>
    load()
      .then(({ cancelTask }) => cancelTask(dispatch, taskId, terms))
      .then(() => ({})),
  );
};

const toContext = ({ mcpReq }: ServerContext): CallContext => ({
  meta: mcpReq._meta ?? {},
  signal: mcpReq.signal,
  state: mcpReq.requestState(),
  answers: mcpReq.inputResponses,
  // A client that has gone needs no report; the call itself is cancelled by its signal.
  report: (params) => void mcpReq.notify({ method: "notifications/progress", params: { ...params } }).catch(() => {}),
});

/** The log of a client: a stateless request says the level by itself, a session's client has said it before. */
const clientLog = ({ mcpReq }: ServerContext, ofSession: LogSeverity | undefined): ClientLog | undefined => {
  const asked = readMember({ ...mcpReq.envelope }, LOG_LEVEL_META_KEY);
  const level = logSeverities.find((one) => one === asked) ?? ofSession;
  if (level === undefined) return undefined;
  const least = logSeverities.indexOf(level);
  return {
    level,
    send: (message) => {
      if (logSeverities.indexOf(message.level) < least) return;
      void mcpReq.notify({ method: "notifications/message", params: { ...message } }).catch(() => {});
    },
  };
};

/** What a stateless request says its client can do. */
const ableIn = ({ mcpReq }: ServerContext): ClientCapabilities | undefined => {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const able = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof able === "object" && able !== null ? able : undefined;
};

/** How a stateless request's client calls itself. */
const appIn = ({ mcpReq }: ServerContext): string | undefined => {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const name = readMember(envelope[CLIENT_INFO_META_KEY], "name");
  return typeof name === "string" ? name : undefined;
};

/** No error that is sent can be longer than a page: the SDK's validation errors repeat what was sent. */
const bounded = (transport: Transport): Transport => {
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, options) => send(boundedError(withoutContent(message)), options);
  return transport;
};

/** A task has no content; the SDK wants one of every tool's result. */
const withoutContent = (message: JSONRPCMessage): JSONRPCMessage => {
  if (!("result" in message) || message.result.resultType !== "task") return message;
  const { content: _, ...result } = message.result;
  return { ...message, result };
};

class BoundedServer extends Server {
  override connect(transport: Transport): Promise<void> {
    return super.connect(bounded(transport));
  }
}

class MirrorServer extends McpServer {
  readonly #endpoint: Endpoint;

  constructor(parts: ServerParts) {
    super(identity(parts), serverOptions(parts));
    this.#endpoint = parts.endpoint;
  }

  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    return this.#endpoint.headerSchemas.get(name);
  }

  override connect(transport: Transport): Promise<void> {
    return super.connect(bounded(transport));
  }
}
