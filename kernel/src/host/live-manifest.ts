/**
 * The manifest that a running kernel serves: each document as it was when it was first read, whatever is generated meanwhile, until the
 * whole manifest is replaced together with the code.
 *
 * Not here: loading one (`manifest-file.ts`), and replacing the code of services (`boot/reload.ts`).
 */
import { loadOnce } from "../call/load-once.ts";
import type { Manifest, ServiceEntry } from "./manifest.ts";

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
  async readAll(): Promise<void> {
    const { services, tools, openapi, verbs, schema, router } = this.#kept;
    const reads = [
      tools,
      openapi,
      verbs,
      router,
      ...["kernel", ...services.map(({ id }) => id)].map((id) => () => schema(id)),
    ];
    await Promise.allSettled(reads.map((read) => read?.()));
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
