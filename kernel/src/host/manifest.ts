/**
 * The manifest: what `fairlead gen` writes for a kernel to load. It names services by module specifier, so that the kernel never
 * imports one, and carries the artifacts that were computed at generation time.
 */
import type { WireError } from "@fairlead/contracts";
import type { CallRequest } from "../call/call.ts";
import { loadOnce } from "../call/load-once.ts";
import type { CreateRouter } from "./router-options.ts";
import type { SharedStream } from "./shared-stream.ts";

/** Shape version of the manifest; the registry refuses one it does not know. */
export const manifestVersion = 1;

/** Of the contract that stands for one whose service could not be loaded. */
export const unknownVersion = "0.0.0";

/** A service that a manifest names. */
export interface ServiceEntry {
  readonly id: string;
  /** Module whose default export is the service; resolved from the manifest's own location. */
  readonly module: string;
}

/** A tool as `tools/list` shows it, with where its calls go. */
export interface ToolEntry {
  /** Full procedure name. */
  readonly procedure: string;
  /** True when the output is not an object and goes out as `{ value }`. */
  readonly wrapped: boolean;
  /** True when the output is a tool result already and goes out as it is. Never in a manifest; see `relays.ts`. */
  readonly passed?: true;
  /** `core`: for hosts that search for tools, one of the first. `full`: listed by the full profile alone. */
  readonly listed?: "core" | "full";
  /** Names of the arguments that MCP takes with other tools and that are the procedure's own here: `fields`, `limitTokens`. */
  readonly ownArguments?: readonly string[];
  /** The argument that the file of an upload comes in; the input has no field of that name. */
  readonly fileArgument?: string;
  /** It gives a file: its answer is linked to a resource. */
  readonly givesFile?: true;
  /** The tool as MCP lists it: name, title, description, inputSchema, outputSchema, annotations. */
  readonly tool: Readonly<Record<string, unknown>> & { readonly name: string };
}

/** What the generated tRPC router needs from a transport about one request. */
export interface TrpcContext {
  /** The request's own half of each of its calls. */
  readonly terms: Omit<CallRequest, "procedure" | "input" | "signal" | "lastEventId" | "idempotencyKey">;
  /** The idempotency key of each of its calls, by its place in the batch. */
  readonly keys: readonly (string | undefined)[];
  /** Bytes that an error of each of its calls may have. */
  readonly errorBytes: number;
  /** What its subscriptions go over, where that has bounds of its own: a WebSocket. */
  readonly stream: SharedStream | undefined;
  /** Why there is nothing to call of that name. */
  readonly explain: (procedure: string) => WireError;
}

/** What `fairlead gen` wrote: the services, and the artifacts that were computed with them. */
export interface Manifest {
  readonly version: typeof manifestVersion;
  /** `import.meta.url` of the manifest; service modules are resolved from it. */
  readonly url: string;
  readonly services: readonly ServiceEntry[];
  readonly tools: () => Promise<readonly ToolEntry[]>;
  /** The OpenAPI document, as JSON text. */
  readonly openapi: () => Promise<string>;
  /** The services' command-line verbs, as JSON text of a `VerbDocument`; left out where no contract declares one. */
  readonly verbs?: (() => Promise<string>) | undefined;
  /** JSON Schema document of a service, as JSON text. */
  readonly schema: (service: string) => Promise<string | undefined>;
  /** Makes the tRPC router; every procedure passes its raw input to dispatch. */
  readonly router: () => Promise<CreateRouter>;
}

/**
 * The manifest that a running kernel serves: each document as it was when it was first read, whatever is generated meanwhile, until the
 * whole manifest is replaced together with the code.
 */
export class LiveManifest implements Manifest {
  #kept: Manifest;

  constructor(manifest: Manifest) {
    this.#kept = keepDocuments(manifest);
  }

  /** Serves another one from now on. */
  replace(manifest: Manifest): void {
    this.#kept = keepDocuments(manifest);
  }

  /** Reads all that has not been read yet, so that it is of the same time as the code. What cannot be read is tried again when it is needed. */
  readAll(): Promise<unknown> {
    const { services, tools, openapi, verbs, schema, router } = this.#kept;
    const schemas = ["kernel", ...services.map(({ id }) => id)].map((id) => () => schema(id));
    return Promise.allSettled([tools, openapi, verbs, router, ...schemas].map((read) => read?.()));
  }

  get version(): Manifest["version"] {
    return this.#kept.version;
  }

  get url(): string {
    return this.#kept.url;
  }

  get services(): readonly ServiceEntry[] {
    return this.#kept.services;
  }

  get verbs(): Manifest["verbs"] {
    return this.#kept.verbs;
  }

  readonly tools: Manifest["tools"] = () => this.#kept.tools();
  readonly openapi: Manifest["openapi"] = () => this.#kept.openapi();
  readonly schema: Manifest["schema"] = (service) => this.#kept.schema(service);
  readonly router: Manifest["router"] = () => this.#kept.router();
}

const keepDocuments = (manifest: Manifest): Manifest => {
  const schemas = new Map<string, () => Promise<string | undefined>>();
  const { verbs } = manifest;
  return {
    version: manifest.version,
    url: manifest.url,
    services: manifest.services,
    tools: loadOnce(() => manifest.tools()),
    openapi: loadOnce(() => manifest.openapi()),
    ...(verbs !== undefined && { verbs: loadOnce(verbs) }),
    schema: (service) => {
      const known = schemas.get(service);
      if (known !== undefined) return known();
      const read = loadOnce(() => manifest.schema(service));
      // Names that there are no schemas of come from callers, and are as many as they like.
      if (manifest.services.some(({ id }) => id === service) || service === "kernel") schemas.set(service, read);
      return read();
    },
    router: loadOnce(() => manifest.router()),
  };
};
