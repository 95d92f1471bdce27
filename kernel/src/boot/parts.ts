/**
 * The parts of a kernel as Effect services: the keys under which layers find each other. `layers.ts` makes them, `composition.ts`
 * puts them together, and a test may replace each by a fake.
 */
import type { Contract, Redactor } from "@fairlead/contracts";
import * as Context from "effect/Context";
import type * as Scope from "effect/Scope";
import type { Principal } from "../call/call.ts";
import type { MemoryTransport } from "../call/memory-transport.ts";
import type { LiveCatalog } from "../catalog/catalog.ts";
import type { Config } from "../config/config.ts";
import type { Sections } from "../config/sections.ts";
import type { StoppableDispatch } from "../dispatch/dispatch.ts";
import type { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import type { Relays } from "../dispatch/relays.ts";
import type { ConsolePage } from "../host/console-page.ts";
import type { ServiceSource } from "../host/lifecycle.ts";
import type { Manifest } from "../host/manifest.ts";
import type { LoadedService } from "../host/registry.ts";
import type { CodeLoading, ServiceInstance } from "../host/service-instance.ts";
import type { Events } from "../observe/event.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Tracer } from "../observe/trace.ts";
import type { NodeStatus } from "../placement/fleet/roster.ts";
import type { AnswerStore } from "../policy/idempotency.ts";
import type { CallerRates } from "../policy/rate.ts";
import type { Runs } from "../runs/open-runs.ts";
import type { Host } from "../service/host.ts";
import type { LazyState } from "../state/lazy-state.ts";
import type { ChildStatus } from "../supervision/child-state.ts";
import type { ServiceSupervision } from "../supervision/settings.ts";
import type { Supervisor } from "../supervision/supervisor.ts";

/** What a kernel is opened with in addition to its configuration. */
export interface Inputs {
  readonly services: readonly LoadedService[];
  /** None where no service has settings. */
  readonly sections?: Sections;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes secrets out of what leaves the kernel. None where nothing is secret. */
  readonly redactor?: Redactor;
  /** How each service is supervised; as it declares it where left out. */
  readonly supervision?: ReadonlyMap<string, ServiceSupervision>;
  /** JSON Schema document of a service, from the manifest. */
  readonly schema: (service: string) => Promise<string | undefined>;
  /** Tools of the manifest, as MCP lists them; none where it is left out. */
  readonly tools?: Manifest["tools"];
  /** The page that a service's package brings for the console; none where left out. */
  readonly page?: (service: string) => Promise<ConsolePage | undefined>;
  /** Default `needed`. */
  readonly code?: CodeLoading;
  /** Default true. */
  readonly stays?: boolean;
  /** True for a kernel that takes calls over NATS: it sends none. Default false. */
  readonly isWorker?: boolean;
  /** False where the state folder is one that others use, too: it takes no runs there. Default true. */
  readonly hasFolder?: boolean;
  /** How services reach each other in place of this kernel's own dispatch. */
  readonly peers?: (principal: Principal) => MemoryTransport;
  /** Where the state is kept in place of the state folder, of which nothing is then touched. */
  readonly state?: LazyState;
  /** Where answers of keyed calls are kept in place of the state's own place. */
  readonly answers?: AnswerStore;
  /** Services that start at once; the others when something needs them. Default: all. */
  readonly starts?: readonly string[] | undefined;
}

/** What can be called: the services' instances and procedures by name, the kernel's own among them. */
export interface Registry {
  readonly instances: ReadonlyMap<string, ServiceInstance>;
  readonly procedures: ReadonlyMap<string, HostedProcedure>;
  readonly relays: Relays;
  readonly catalog: LiveCatalog;
  /** Takes the contract and the procedures of a service whose module could be loaded only now. */
  readonly adopt: (contract: Contract) => void;
}

/** The services' code, which may be replaced while the kernel runs. */
export interface Sources {
  /** By id. */
  readonly sources: ReadonlyMap<string, ServiceSource>;
  /** What a service gets whose settings were decoded again. */
  readonly hostWith: (id: string, sections: Sections) => Host;
}

/** What outlives the services. */
export interface State extends LazyState {
  /** Closes once the services are down, before the files do. */
  readonly scope: Scope.Scope;
}

/** Work that outlives its callers. Loaded when it is first needed. */
interface LazyRuns {
  open(): Promise<Runs>;
  /** Ends what need not be waited for; before the services stop. */
  interrupt(): Promise<void>;
}

export class KernelInputs extends Context.Service<KernelInputs, Inputs>()("@fairlead/kernel/Inputs") {}
export class KernelConfig extends Context.Service<KernelConfig, Config>()("@fairlead/kernel/Config") {}
export class KernelLog extends Context.Service<KernelLog, Log>()("@fairlead/kernel/Log") {}
export class KernelEvents extends Context.Service<KernelEvents, Events>()("@fairlead/kernel/Events") {}
export class KernelMetrics extends Context.Service<KernelMetrics, Metrics>()("@fairlead/kernel/Metrics") {}
/** `open` is undefined when no spans are exported. */
export class KernelTracer extends Context.Service<KernelTracer, { readonly open: Tracer | undefined }>()(
  "@fairlead/kernel/Tracer",
) {}
export class KernelState extends Context.Service<KernelState, State>()("@fairlead/kernel/State") {}
export class KernelSupervision extends Context.Service<KernelSupervision, Supervisor>()(
  "@fairlead/kernel/Supervision",
) {}
export class KernelRegistry extends Context.Service<KernelRegistry, Registry>()("@fairlead/kernel/Registry") {}
export class KernelDispatch extends Context.Service<KernelDispatch, StoppableDispatch>()("@fairlead/kernel/Dispatch") {}
export class KernelRuns extends Context.Service<KernelRuns, LazyRuns>()("@fairlead/kernel/Runs") {}
/** What callers have used of their rates. */
export class KernelRates extends Context.Service<KernelRates, CallerRates>()("@fairlead/kernel/Rates") {}
interface OtherProcesses {
  /** Those that answer at the kernel's port; set once they are there. */
  children: () => readonly ChildStatus[];
  /** Those of its fleet, itself among them; set once it is on NATS. */
  nodes: () => readonly NodeStatus[];
}

export class KernelFronts extends Context.Service<KernelFronts, OtherProcesses>()("@fairlead/kernel/Fronts") {}
export class KernelSources extends Context.Service<KernelSources, Sources>()("@fairlead/kernel/Sources") {}
/** All parts of a kernel without a network. */
export type KernelParts =
  | KernelInputs
  | KernelConfig
  | KernelLog
  | KernelEvents
  | KernelMetrics
  | KernelTracer
  | KernelState
  | KernelSupervision
  | KernelRegistry
  | KernelDispatch
  | KernelRuns
  | KernelRates
  | KernelFronts
  | KernelSources;
