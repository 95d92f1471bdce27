/**
 * A kernel in memory: services on the one path in the caller's own process, without a network. What `@fairlead/kernel/memory`
 * gives to direct clients and tests.
 */
import "./call/version.ts";
import { makeRedactor } from "@fairlead/contracts";
import { compose } from "./boot/composition.ts";
import { connect, type MemoryTransport } from "./call/memory-transport.ts";
import { readConfig } from "./config/config.ts";
import { readSections, refuseUnknownServices } from "./config/sections.ts";
import { makeEvents } from "./observe/events.ts";
import { type Log, makeLog } from "./observe/log.ts";
import type { Service } from "./service/service.ts";
import { readSupervision, type SupervisionSettings } from "./supervision/settings.ts";

export type { MemoryOptions, MemoryTransport } from "./call/memory-transport.ts";

/** What a kernel in memory is opened with. */
export interface MemoryKernelOptions {
  /** Sections of the services, by id. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** How services are supervised, by id; each setting overrides what the service declares. */
  readonly supervision?: Readonly<Record<string, SupervisionSettings>>;
  /** Folder for what must survive a restart; the XDG state folder when left out, and no runs then. */
  readonly stateDir?: string;
  /** The environment that services see. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Warnings on stderr when left out. */
  readonly log?: Log;
}

/** A running kernel in memory, as its caller. */
export interface MemoryKernel extends MemoryTransport {
  /** Ends running calls with `unavailable` and stops the services in reverse. */
  close(): Promise<void>;
}

/** Starts services in this process. Calls wait until their service is ready. */
export const openMemoryKernel = (services: readonly Service[], options: MemoryKernelOptions = {}): MemoryKernel => {
  const flags = {
    services: options.config ?? {},
    supervision: options.supervision ?? {},
    ...(options.stateDir !== undefined && { stateDir: options.stateDir }),
  };
  const config = readConfig({ flags });
  refuseUnknownServices(
    config,
    services.map(({ contract }) => contract.id),
  );
  const redactor = makeRedactor();
  const composition = compose({
    config,
    services,
    hasFolder: options.stateDir !== undefined,
    sections: readSections(config.services, services, redactor),
    supervision: readSupervision(config.supervision, services),
    env: options.env ?? process.env,
    redactor,
    events: makeEvents({ redactor }),
    log: options.log ?? makeLog({ level: "warn", redactor }),
    schema: () => Promise.resolve(undefined),
  });
  return { ...connect(composition.dispatch), close: () => composition.close() };
};
