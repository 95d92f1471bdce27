/**
 * All figures of a kernel, in families: its procedures, services and their children, events, and the process. Read on request
 * for `/metrics`; `docs/observability.md` says what each means. Not here: counting (`observe/metrics.ts`) and the text (`observe/exposition.ts`).
 */
import { listChildren, type ServiceInstance } from "../host/service-instance.ts";
import type { Events } from "../observe/event.ts";
import { exposition, type HistogramFamily, type MetricFamily, type Sample } from "../observe/exposition.ts";
import type { Metrics, ProcedureMetrics } from "../observe/metrics.ts";
import type { NodeStatus } from "../placement/fleet/roster.ts";
import type { ChildStatus, StateTag } from "../supervision/child-state.ts";

interface FigureSources {
  readonly metrics: Metrics;
  readonly instances: ReadonlyMap<string, ServiceInstance>;
  /** Names of the subscriptions. */
  readonly subscriptions: Pick<ReadonlySet<string>, "has">;
  readonly events: Pick<Events, "seq" | "dropped">;
  /** Processes of its fleet; none without NATS. */
  readonly nodes?: () => readonly NodeStatus[];
}

/** Makes the text of `/metrics`: of these services alone, or of the whole kernel. */
export const kernelFigures = (sources: FigureSources): ((services?: readonly string[]) => string) => {
  const children = new ChildRestarts();
  return (services) => {
    if (services !== undefined) {
      const some = ofServices(sources, services);
      return exposition([...procedureFamilies(some), ...serviceFamilies(some, children)]);
    }
    return exposition([
      ...procedureFamilies(sources),
      ...serviceFamilies(sources, children),
      counter(
        "fairlead_requests_refused_total",
        "Requests that were refused before they were calls, by why.",
        [...sources.metrics.refusals].map(([reason, count]): Sample => [{ reason }, count]),
      ),
      counter("fairlead_events_total", "Events since the kernel started.", [[{}, sources.events.seq]]),
      counter("fairlead_events_dropped_total", "Events that readers missed because they were too slow.", [
        [{}, sources.events.dropped],
      ]),
      ...nodeFamilies(sources.nodes?.() ?? []),
      ...processFamilies(),
    ]);
  };
};

const ofServices = ({ metrics, instances, ...rest }: FigureSources, services: readonly string[]): FigureSources => ({
  ...rest,
  metrics: {
    ...metrics,
    list: () => metrics.list().filter(({ procedure }) => services.includes(procedure.split(".", 1)[0] ?? "")),
  },
  instances: new Map([...instances].filter(([id]) => services.includes(id))),
});

type Family = MetricFamily | HistogramFamily;

const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  type: "counter",
  help,
  samples,
});
const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  type: "gauge",
  help,
  samples,
});

const procedureFamilies = ({ metrics, subscriptions }: FigureSources): readonly Family[] => {
  const all = metrics.list();
  const called = all.filter(({ outcomes }) => outcomes.size > 0);
  const each = (some: readonly ProcedureMetrics[], value: (one: ProcedureMetrics) => number): readonly Sample[] =>
    some.map((one) => [{ procedure: one.procedure }, value(one)]);
  const broken = all.filter(({ breaker }) => breaker !== undefined);
  return [
    counter(
      "fairlead_calls_total",
      "Finished calls by outcome.",
      called.flatMap(({ procedure, outcomes }) =>
        [...outcomes].map(([outcome, count]): Sample => [{ procedure, outcome }, count]),
      ),
    ),
    {
      name: "fairlead_call_duration_seconds",
      type: "histogram",
      help: "Duration of calls, waiting included.",
      samples: called.map(({ procedure, durations }) => [{ procedure }, durations] as const),
    },
    gauge(
      "fairlead_calls_load",
      "Calls running and waiting now.",
      all.flatMap(({ procedure, running, waiting }): readonly Sample[] => [
        [{ procedure, state: "running" }, running],
        [{ procedure, state: "waiting" }, waiting],
      ]),
    ),
    {
      name: "fairlead_call_queue_wait_seconds",
      type: "histogram",
      help: "Time that calls waited for a place, of those that had to.",
      samples: all
        .filter(({ waits }) => waits.buckets.some((count) => count > 0))
        .map(({ procedure, waits }) => [{ procedure }, waits] as const),
    },
    counter(
      "fairlead_call_attempts_total",
      "Times that a handler was run, repeats included.",
      each(called, ({ attempts }) => attempts),
    ),
    counter(
      "fairlead_call_retries_total",
      "Attempts after the first.",
      each(called, ({ retries }) => retries),
    ),
    counter(
      "fairlead_event_loop_blocks_total",
      "Times that a handler blocked the event loop for half a second or more.",
      each(called, ({ blocks }) => blocks),
    ),
    gauge(
      "fairlead_breaker_state",
      "1 for the state that a circuit breaker is in.",
      broken.flatMap(({ procedure, breaker }) =>
        (["Closed", "Open", "HalfOpen"] as const).map(
          (state) => [{ procedure, state }, Number(state === breaker)] as const,
        ),
      ),
    ),
    counter(
      "fairlead_breaker_openings_total",
      "Times that a circuit breaker opened.",
      each(broken, ({ openings }) => openings),
    ),
    counter(
      "fairlead_deprecated_uses_total",
      "Calls of what a contract deprecates: a procedure, or a field of its input.",
      all.flatMap(({ procedure, deprecated }) =>
        [...deprecated].flatMap(([part, callers]) =>
          [...callers].map(([caller, count]): Sample => [{ procedure, part, caller }, count]),
        ),
      ),
    ),
    gauge(
      "fairlead_streams_open",
      "Streams open now.",
      each(
        all.filter(({ procedure }) => subscriptions.has(procedure)),
        ({ running }) => running,
      ),
    ),
  ];
};

const states: readonly StateTag[] = ["Starting", "Ready", "Draining", "Backoff", "Failed", "Stopped"];

const stateSamples = (labels: Readonly<Record<string, string>>, current: StateTag): readonly Sample[] =>
  states.map((state) => [{ ...labels, state }, Number(state === current)]);

const nodeFamilies = (nodes: readonly NodeStatus[]): readonly Family[] => {
  const labels = ({ name, host, role, version }: NodeStatus) => ({ node: name, host, role, version });
  const each = (value: (node: NodeStatus) => number): readonly Sample[] =>
    nodes.map((node) => [labels(node), value(node)]);
  if (nodes.length === 0) return [];
  return [
    gauge(
      "fairlead_node_up",
      "1 for a process of the fleet that takes calls; 0 for one that leaves or is lost.",
      each(({ state }) => Number(state === "Ready")),
    ),
    gauge(
      "fairlead_node_calls",
      "Calls and streams that are with a process of the fleet.",
      each(({ calls }) => calls),
    ),
    gauge(
      "fairlead_node_quiet_seconds",
      "Seconds since a process of the fleet was last heard of.",
      each(({ quietMs }) => quietMs / 1_000),
    ),
  ];
};

const serviceFamilies = ({ metrics, instances }: FigureSources, childRestarts: ChildRestarts): readonly Family[] => {
  const services = [...instances.values()];
  const children = services.flatMap((service) =>
    listChildren(service.running).map((child) => [service, child] as const),
  );
  return [
    gauge(
      "fairlead_service_state",
      "1 for the state that a service is in.",
      services.flatMap(({ id, state }) => stateSamples({ service: id }, state.tag)),
    ),
    counter(
      "fairlead_service_restarts_total",
      "Restarts of a service after a failure.",
      services.map(({ id }) => [{ service: id }, metrics.restarts.get(id) ?? 0]),
    ),
    gauge(
      "fairlead_child_state",
      "1 for the state that a service's child is in.",
      children.flatMap(([service, { id, state }]) => stateSamples({ service: service.id, child: id }, state.tag)),
    ),
    counter(
      "fairlead_child_restarts_total",
      "Restarts of a service's child after a failure.",
      children.map(([service, child]) => [
        { service: service.id, child: child.id },
        childRestarts.total(service, child),
      ]),
    ),
  ];
};

/** A child's own count begins again with a manual start, and with each run of its service; a counter never goes back. */
class ChildRestarts {
  readonly #seen = new Map<string, { readonly last: number; readonly total: number }>();

  total(service: ServiceInstance, { id, restarts: ofThisRun }: ChildStatus): number {
    const restarts = service.earlierRestarts(id) + ofThisRun;
    const key = `${service.id} ${id}`;
    const { last, total } = this.#seen.get(key) ?? { last: 0, total: 0 };
    const now = total + (restarts >= last ? restarts - last : restarts);
    this.#seen.set(key, { last: restarts, total: now });
    return now;
  }
}

const processFamilies = (): readonly Family[] => {
  const { user, system } = process.cpuUsage();
  return [
    gauge("process_resident_memory_bytes", "Resident memory of the kernel's process.", [
      [{}, process.memoryUsage.rss()],
    ]),
    gauge("process_uptime_seconds", "Time since the kernel's process started.", [[{}, process.uptime()]]),
    counter("process_cpu_seconds_total", "CPU time of the kernel's process.", [[{}, (user + system) / 1_000_000]]),
  ];
};
