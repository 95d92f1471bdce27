/**
 * A running kernel, over its HTTP API. The route of each procedure is read from the OpenAPI document that the kernel serves, so
 * that this command can call kernels whose contracts it has never seen.
 */
import { ClientError, createClient, fetchTransport, type Transport } from "@fairlead/client";
import type { NamedVerb } from "@fairlead/contracts";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import type { KernelAddress, KernelConnection } from "./connection.ts";
import { notFoundError } from "./not-found.ts";
import { type ApiRoutes, parseOpenapi } from "./openapi.ts";
import { relayedTool } from "./relayed-tool.ts";
import { isVerbDocument } from "./verb-document.ts";

type Document = {
  readonly input: Record<never, never>;
  readonly output: unknown;
  readonly errors: Record<never, never>;
};

/** The documents that a kernel serves about itself, as procedures without input. */
interface Documents {
  readonly openapi: Document;
  readonly verbs: Document;
}

/** The name is what a failure begins with. */
const document = (name: string, path: string) => ({ name, kind: "query", path, retry: "safe", query: {} }) as const;

const documents = {
  id: "documents",
  procedures: {
    openapi: document("the kernel's list of procedures", "/openapi.json"),
    verbs: document("the kernel's list of commands", "/verbs.json"),
  },
} as const;

/** Milliseconds. A kernel that has only begun to listen on a busy machine needs many seconds for its first document. */
const documentTimeoutMs = 60_000;

const documentClient = (transport: Transport) =>
  createClient<Documents>(documents, transport, { timeoutMs: documentTimeoutMs, retry: false });

/** Where a kernel is reached, and the token it takes. */
interface RemoteAddress extends KernelAddress {
  /** Instead of the global one, for a kernel on a private socket. */
  readonly fetch?: typeof globalThis.fetch;
}

const remoteTransport = ({ url, token, fetch }: RemoteAddress): Transport =>
  fetchTransport({ url, ...(token !== undefined && { token }), ...(fetch !== undefined && { fetch }) });

/** The verbs that the kernel at an address serves; none where it serves no such document. */
export const servedVerbs = async (address: RemoteAddress, { io }: Context): Promise<readonly NamedVerb[]> => {
  try {
    const served = await documentClient(remoteTransport(address)).verbs({}, { signal: io.signal });
    return isVerbDocument(served) ? served.verbs : [];
  } catch (error) {
    if (error instanceof ClientError && error.code === "not_found") return [];
    throw error;
  }
};

/** The JSON Schema document of a service, from the kernel at `--url`, as text; `undefined` where there is no such service. */
export const servedSchema = async (service: string, context: Context): Promise<string | undefined> => {
  const { url = "" } = context;
  const one = {
    id: "documents",
    procedures: { schema: document("the service's schema", `/schema/${service}.json`) },
  } as const;
  const transport = remoteTransport({ url, token: context.token() });
  const client = createClient<{ readonly schema: Document }>(one, transport, { timeoutMs: 10_000, retry: false });
  try {
    return JSON.stringify(await client.schema({}, { signal: context.io.signal }));
  } catch (error) {
    if (error instanceof ClientError && error.code === "not_found") return undefined;
    throw error;
  }
};

/** Why the kernel does not offer a procedure that its service has switched off. A GET is answered before anything runs, or reads at most. */
const switchedOff = async (transport: Transport, name: string): Promise<ClientError | undefined> => {
  const [service = "", local = ""] = name.split(".");
  const procedures = {
    ask: document(name, `/api/${encodeURIComponent(service)}/${encodeURIComponent(local)}`),
  } as const;
  const client = createClient<{ readonly ask: Document }>({ id: "asked", procedures }, transport, { retry: false });
  return client.ask({}, { timeoutMs: 10_000 }).then(
    () => undefined,
    (error: unknown) => (error instanceof ClientError && error.code === "unimplemented" ? error : undefined),
  );
};

export const connectRemote = (address: RemoteAddress, context: Context): KernelConnection => {
  const { url } = address;
  const transport = remoteTransport(address);
  let offered: Promise<ApiRoutes> | undefined;
  const load = async (): Promise<ApiRoutes> => {
    const found = parseOpenapi(await documentClient(transport).openapi({}, { signal: context.io.signal }));
    if (found !== undefined) return found;
    const text = {
      message: `${url} is not a Fairlead kernel: its OpenAPI document cannot be read`,
      hint: "correct --url or FAIRLEAD_URL",
    };
    throw new CommandError({ code: "unavailable", exit: 4 }, text);
  };
  return {
    address: { url, token: address.token, socket: address.socket, served: address.served },
    transport,
    procedure: async (name) => {
      offered ??= load();
      const { routes } = await offered;
      const descriptor = routes.get(name) ?? relayedTool(name);
      if (descriptor !== undefined) return descriptor;
      throw (await switchedOff(transport, name)) ?? notFoundError("procedure", name, [...routes.keys()]);
    },
    tools: async () => {
      offered ??= load();
      return (await offered).tools;
    },
    verbs: () => servedVerbs(address, context),
    close: async () => undefined,
  };
};
