/**
 * The kernel of `fairlead dev`: opened once the contracts allow it, then kept current with the files. Knows which services a change belongs to,
 * and which of them still wait for their new code.
 *
 * Not here: watching and generating (`dev-session.ts`).
 */
import type { FollowedModules, Kernel, Manifest, ReloadedService } from "@fairlead/kernel";
import { reloadManifest, serviceFile } from "@fairlead/kernel/manifest";

/** What became of a change. */
export type Outcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "reloaded"; readonly services: readonly ReloadedService[] }
  /** Other services than before: a kernel cannot take them up while it runs. */
  | { readonly kind: "other-services"; readonly ids: readonly string[] };

export class DevKernel {
  readonly kernel: Kernel;
  readonly #modules: FollowedModules;
  /** Services whose files have changed since they were loaded. */
  readonly #behind = new Set<string>();
  #contractsBehind = false;
  #generation = 0;

  constructor(kernel: Kernel, modules: FollowedModules) {
    this.kernel = kernel;
    this.#modules = modules;
    for (const { id } of this.#services())
      if (kernel.catalog.all().every(({ service }) => service !== id)) this.#behind.add(id);
  }

  /** How often code was loaded again. */
  get generation(): number {
    return this.#generation;
  }

  /** All files that services have loaded. */
  files(): ReadonlySet<string> {
    return new Set(this.#services().flatMap(({ id }) => [...this.#findFiles(id)]));
  }

  /** Takes note of changed files; `contracts` says whether something was generated. */
  note(changed: readonly string[], contracts: boolean): void {
    for (const { id } of this.#services()) {
      const files = this.#findFiles(id);
      if (changed.some((file) => files.has(file))) this.#behind.add(id);
    }
    this.#contractsBehind ||= contracts;
  }

  /** Rejects with what is wrong with a configuration for the services as their files are now. */
  async checkConfig(file: unknown, flags: Readonly<Record<string, unknown>>): Promise<void> {
    this.#generation += 1;
    await this.kernel.checkConfig({ file, flags, services: [...this.#behind], generation: this.#generation });
  }

  /** Loads what has changed. What cannot be loaded is tried again at the next change, whatever that is. */
  async update(): Promise<Outcome> {
    if (this.#behind.size === 0 && !this.#contractsBehind) return { kind: "nothing" };
    this.#generation += 1;
    const generation = this.#generation;
    if (this.#contractsBehind) {
      const { services } = await reloadManifest(this.kernel.manifest.url, generation);
      const ids = services.map(({ id }) => id);
      if (ids.join() !== this.kernel.manifest.services.map(({ id }) => id).join())
        return { kind: "other-services", ids };
    }
    const contracts = this.#contractsBehind;
    const services = await this.kernel.reload({ generation, services: [...this.#behind], contracts });
    for (const { service, error } of services) if (error === undefined) this.#behind.delete(service);
    this.#contractsBehind = contracts && this.#behind.size > 0;
    return { kind: "reloaded", services };
  }

  /** Those that run: a configuration may leave some out. */
  #services(): Manifest["services"] {
    const { only } = this.kernel.config;
    return this.kernel.manifest.services.filter(({ id }) => only === undefined || only.includes(id));
  }

  #findFiles(id: string): ReadonlySet<string> {
    const entry = this.kernel.manifest.services.find((each) => each.id === id);
    const file = entry && serviceFile(entry, this.kernel.manifest);
    return file === undefined ? new Set() : this.#modules.imported(file);
  }
}
