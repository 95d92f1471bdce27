/**
 * For tests only: a kernel's surroundings with a scripted dispatch, and the smallest HTTP server that a mount can be tested on.
 *
 * The guard and the body reader here are bare; the public conformance suite runs the transport behind the real ones.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { defaultLimits, type Limits } from "@fairlead/contracts";
import { type CallRequest, type Dispatch, localPrincipal, type Principal, type Reply } from "../call/call.ts";
import type { ToolEntry } from "../host/manifest.ts";
import { parseJson } from "../limits/scan.ts";
import { cutStuckReaders } from "../server/connections/slow-readers.ts";
import type { Body, GuardedRequest, Mount } from "../server/mount.ts";
import type { CatalogEntry, Surroundings } from "../transport/transport.ts";

/** What a fake procedure does with a call. */
type FakeHandler = (request: CallRequest) => Reply | Promise<Reply>;

export interface FakeProcedure {
  readonly run: FakeHandler;
  readonly tool?: Partial<ToolEntry["tool"]>;
  /** True for outputs that are no object. */
  readonly wrapped?: boolean;
  /** True for outputs that are tool results already. */
  readonly passed?: boolean;
  readonly listed?: ToolEntry["listed"];
  readonly ownArguments?: ToolEntry["ownArguments"];
  readonly limits?: Partial<Limits>;
}

export interface Fake {
  readonly surroundings: Surroundings;
  /** Every request that reached dispatch. */
  readonly calls: CallRequest[];
  /** What was logged as an error. */
  readonly errors: unknown[];
  /** Switches a procedure on or off, and calls the listeners. */
  switch(procedure: string, on: boolean): void;
  /** Says that the tools have changed. */
  changed(): void;
}

const ok = (value: unknown): Reply => ({ ok: true, value });
const object = (properties: Record<string, unknown>): Record<string, unknown> => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** Field of a raw input; tests know what they send. */
const field = (request: CallRequest, name: string): unknown => (request.input as Record<string, unknown>)[name];

/** Resolves when the call's signal fires. */
export const untilCancelled = ({ signal }: CallRequest): Promise<Reply> =>
  new Promise((resolve) => {
    const end = (): void =>
      resolve({ ok: false, error: { code: "canceled", message: "the caller gave up", retryable: false } });
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });

export const fakeProcedures: Readonly<Record<string, FakeProcedure>> = {
  "demo.add": {
    run: (request) => ok({ sum: Number(field(request, "a")) + Number(field(request, "b")) }),
    tool: { outputSchema: object({ sum: { type: "number" } }) },
  },
  "demo.text": {
    run: (request) => ok(`hello ${String(field(request, "name") ?? "nobody")}`),
    tool: { outputSchema: object({ value: { type: "string" } }) },
    wrapped: true,
  },
  "demo.echo": {
    run: async (request) => {
      await new Promise((resolve) => setImmediate(resolve));
      return ok({ echo: field(request, "text"), principal: request.principal.id });
    },
  },
  "demo.fail": {
    run: () => ({
      ok: false,
      error: {
        code: "invalid_argument",
        message: "the input of demo.fail does not match its contract",
        hint: "see `fairlead describe demo.fail`",
        issues: [{ path: "npcs[0].ac", expected: "a whole number", fix: "send 13" }],
        retryable: false,
      },
    }),
    tool: { outputSchema: object({ sum: { type: "number" } }) },
  },
  "demo.slow": { run: untilCancelled },
  "demo.steps": {
    run: async (request) => {
      for (const progress of [1, 2, 3]) {
        request.onProgress?.({ progress, total: 3, message: `step ${progress}` });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return ok({ done: true });
    },
  },
  /** Reports more than any socket takes, then waits. */
  "demo.flood": {
    run: async (request) => {
      const message = "x".repeat(1_048_576);
      // In turns, as a socket takes them: what comes while it is full is left out.
      for (let progress = 1; progress <= 48; progress += 1) {
        request.onProgress?.({ progress, message });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return untilCancelled(request);
    },
  },
  "other.ping": { run: () => ok({ pong: true }) },
};

/** Surroundings over these procedures. */
export const fakeKernel = (procedures: Readonly<Record<string, FakeProcedure>> = fakeProcedures): Fake => {
  const off = new Set<string>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const calls: CallRequest[] = [];
  const errors: unknown[] = [];
  const dispatch: Dispatch = {
    async call(request) {
      calls.push(request);
      const procedure = procedures[request.procedure];
      if (procedure !== undefined && !off.has(request.procedure)) return procedure.run(request);
      return { ok: false, error: { code: "unimplemented", message: "it is switched off", retryable: false } };
    },
    subscribe: () => Promise.reject(new Error("a fake has no subscriptions")),
  };
  const tools = Object.entries(procedures).map(
    ([procedure, { tool, wrapped = false, passed = false, listed, ownArguments }]) => ({
      procedure,
      wrapped,
      ...(passed && { passed: true as const }),
      ...(listed !== undefined && { listed }),
      ...(ownArguments !== undefined && { ownArguments }),
      tool: { name: toolName(procedure), description: procedure, inputSchema: { type: "object" }, ...tool },
    }),
  );
  const find = (name: string): CatalogEntry | undefined => {
    const procedure = procedures[name];
    return procedure === undefined || off.has(name) ? undefined : catalogEntry(name, procedure);
  };
  const services = [...new Set(Object.keys(procedures).map((name) => name.split(".")[0] ?? ""))];
  const surroundings: Surroundings = {
    dispatch,
    catalog: {
      revision: 0,
      ownTools: undefined,
      find,
      list: () => Object.keys(procedures).flatMap((name) => find(name) ?? []),
      relayed: () => [],
      tool: () => undefined,
      onChange: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      all: () => Object.entries(procedures).map(([name, procedure]) => catalogEntry(name, procedure)),
      explain: () => ({ code: "unimplemented", message: "it is switched off", retryable: false }),
    },
    manifest: {
      version: 1,
      url: import.meta.url,
      services: services.map((id) => ({ id, module: "" })),
      tools: async () => tools,
      openapi: async () => "{}",
      schema: async () => undefined,
      router: () => Promise.reject(new Error("a fake has no router")),
    },
    server: { name: "fake", version: "0.0.0" },
    log: (level, _message, fields) => {
      if (level === "error") errors.push(fields?.error);
    },
  };
  return {
    surroundings,
    calls,
    errors,
    changed,
    switch: (name, on) => {
      if (on) off.delete(name);
      else off.add(name);
      changed();
    },
  };
};

const toolName = (procedure: string): string =>
  procedure.slice(procedure.indexOf(".") + 1).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The MCP transport reads an entry's limits, and the words of its contract. */
const catalogEntry = (name: string, { limits }: FakeProcedure): CatalogEntry => {
  const [id = ""] = name.split(".");
  const contract = { id, version: "1.0.0", summary: `Tests by ${id}.`, ...descriptions[id] };
  return {
    name,
    service: id,
    contract,
    procedure: {},
    limits: { ...defaultLimits, ...limits },
  } as unknown as CatalogEntry;
};

const descriptions: Readonly<Record<string, { readonly description: string }>> = {
  demo: { description: "Call `add`, then `getText`; `absent` is not a procedure." },
};

export interface FakeMount {
  /** Like `http://127.0.0.1:1234`. */
  readonly url: string;
  /** How many connections are open. */
  connections(): Promise<number>;
  /** Has readers cut off that take nothing for so many milliseconds. */
  cutStuck(ms: number): void;
  close(): Promise<void>;
}

/** Serves one mount on a free port. The bearer token, if any, is the principal's id. */
export const listen = async (mount: Mount): Promise<FakeMount> => {
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const hangup = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) hangup.abort();
    });
    const request: GuardedRequest = {
      incoming,
      path: url.pathname.slice(mount.prefix.length),
      query: url.search.slice(1),
      principal: toPrincipal(incoming),
      signal: hangup.signal,
      body: (limits) => readBody(incoming, limits),
      bytes: () => incoming,
    };
    await mount.handle(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    cutStuck: (ms) => cutStuckReaders(server, ms, () => undefined),
    async close() {
      server.closeAllConnections();
      await mount.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const toPrincipal = ({ headers }: IncomingMessage): Principal => {
  const token = headers.authorization?.replace("Bearer ", "");
  return token === undefined ? localPrincipal : { ...localPrincipal, id: token };
};

const readBody = async (incoming: IncomingMessage, limits: Limits): Promise<Body> => {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (bytes.length > limits.bytes) {
    const message = `the body is larger than ${limits.bytes} bytes`;
    return { ok: false, status: 413, error: { code: "resource_exhausted", message, retryable: false } };
  }
  const text = bytes.toString("utf8");
  const parsed = parseJson(text, limits);
  return parsed.ok ? { ok: true, text, value: parsed.value } : { ok: false, status: 400, error: parsed.error };
};
