/**
 * Which procedures there are, and which of them are offered right now, as transports and clients look them up.
 *
 * Not here: the procedures themselves (`target.ts`), tools that services relay (`relays.ts`), calls (dispatch).
 */
import type { FairleadError } from "@fairlead/contracts";
import { noSuchProcedure, notAvailable, switchedOff } from "../call/error.ts";
import type { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import type { Relays } from "../dispatch/relays.ts";
import type { ToolEntry } from "../host/manifest.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { Catalog, CatalogEntry } from "../transport/transport.ts";

export class LiveCatalog implements Catalog {
  readonly #procedures: ReadonlyMap<string, HostedProcedure>;
  readonly #relays: Relays;
  readonly #instances: ReadonlyMap<string, ServiceInstance>;
  readonly #listeners = new Set<() => void>();
  #offered: string;
  #revision = 0;
  #ownTools: readonly ToolEntry[] | undefined;

  constructor(
    procedures: ReadonlyMap<string, HostedProcedure>,
    relays: Relays,
    instances: ReadonlyMap<string, ServiceInstance> = new Map(),
  ) {
    this.#procedures = procedures;
    this.#relays = relays;
    this.#instances = instances;
    this.#offered = this.#namesOffered();
    relays.onChange(() => this.#notify());
  }

  get revision(): number {
    return this.#revision;
  }

  get ownTools(): readonly ToolEntry[] | undefined {
    return this.#ownTools;
  }

  list(): readonly CatalogEntry[] {
    return [...this.#procedures.values()].filter(isOffered).map(({ entry }) => entry);
  }

  all(): readonly CatalogEntry[] {
    return [...this.#procedures.values()].map(({ entry }) => entry);
  }

  find(name: string): CatalogEntry | undefined {
    const target = this.#procedures.get(name);
    if (target !== undefined) return isOffered(target) ? target.entry : undefined;
    const through = this.#relays.find(name)?.through;
    return through !== undefined && isOffered(through) ? { ...through.entry, name } : undefined;
  }

  explain(name: string): ReturnType<Catalog["explain"]> {
    const target = this.#procedures.get(name) ?? this.#relays.find(name)?.through;
    const why = target?.instance.off(target.name);
    if (target === undefined) return (this.#unloaded(name) ?? noSuchProcedure(name, this.#procedures.keys())).toJSON();
    if (why === undefined) return noSuchProcedure(name, this.#procedures.keys()).toJSON();
    return switchedOff(target.entry.name, target.instance.redact(why)).toJSON();
  }

  tool(name: string): ReturnType<Catalog["tool"]> {
    return this.#relays.tool(name);
  }

  relayed(): ReturnType<Catalog["relayed"]> {
    return this.#relays.list();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Call it when a service is up again: it may have switched procedures on or off. */
  refresh(): void {
    const before = this.#offered;
    this.#offered = this.#namesOffered();
    if (this.#offered !== before) this.#notify();
  }

  /** Contracts were loaded again: with these tools where what they promise has changed. */
  contractsChanged(tools: readonly ToolEntry[] | undefined): void {
    this.#revision += 1;
    const before = this.#offered;
    this.#offered = this.#namesOffered();
    this.#ownTools = tools ?? this.#ownTools;
    if (tools !== undefined || this.#offered !== before) this.#notify();
  }

  /** The procedures of a service that could not be loaded are not known. */
  #unloaded(name: string): FairleadError | undefined {
    const instance = this.#instances.get(name.split(".")[0] ?? "");
    if (instance === undefined || Object.keys(instance.contract.procedures).length > 0) return undefined;
    return instance.state.tag === "Failed" ? notAvailable(instance.id, instance.state.error) : undefined;
  }

  #namesOffered(): string {
    return this.list()
      .map(({ name }) => name)
      .join();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const isOffered = ({ instance, name }: HostedProcedure): boolean => instance.off(name) === undefined;
