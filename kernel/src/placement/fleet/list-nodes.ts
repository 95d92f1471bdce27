/**
 * All processes that calls run in, as `kernel.nodes` lists them: this kernel, its fronts and worker processes, and the nodes of its fleet. Loaded when it is
 * asked for.
 *
 * Not here: how they are heard (`../nats/fleet.ts`).
 */
import { hostname } from "node:os";
import type { HandlerOutput } from "@fairlead/contracts";
import type { kernel } from "@fairlead/contracts/kernel";
import { version } from "../../call/version.ts";
import { listChildren, type ServiceInstance } from "../../host/service-instance.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { ChildStatus } from "../../supervision/child-state.ts";
import type { NodeStatus } from "./roster.ts";

interface FleetView {
  readonly instances: ReadonlyMap<string, ServiceInstance>;
  readonly metrics: Metrics;
  readonly startedAt: number;
  readonly children: () => readonly ChildStatus[];
  readonly nodes: () => readonly NodeStatus[];
}

type NodeEntry = HandlerOutput<(typeof kernel)["procedures"]["nodes"]>["nodes"][number];

export const listNodes = (view: FleetView): NodeEntry[] => {
  const [own, ...others] = view.nodes();
  const running = view.metrics.list().reduce((sum, { running: some }) => sum + some, 0);
  const here = { host: hostname(), version, place: null, quietMs: 0 };
  const self: NodeEntry = {
    ...here,
    name: own?.name ?? `${hostname()}-${process.pid}`,
    role: "kernel",
    pid: process.pid,
    state: "Ready",
    services: own?.services ?? [],
    calls: running,
    startedAt: new Date(view.startedAt).toISOString(),
  };
  const fronts = view
    .children()
    .map((child) => ({ ...here, ...toProcess(child), role: "front" as const, services: [] }));
  const processes = [...view.instances.values()].flatMap(({ id, contract, running: service }) =>
    listChildren(service)
      .filter(({ calls }) => calls !== undefined)
      .map((child) => ({
        ...here,
        ...toProcess(child),
        name: `${child.id} of ${id}`,
        role: "process" as const,
        services: [{ id, version: contract.version }],
      })),
  );
  return [self, ...fronts, ...processes, ...others.map(toNode)];
};

const toProcess = ({ id, pid, calls, state }: ChildStatus) => ({
  name: id,
  pid: pid ?? null,
  calls: calls ?? null,
  state: state.tag,
  startedAt: state.tag === "Ready" ? new Date(state.since).toISOString() : null,
});

const toNode = ({ claim, started, quietMs, instance: _, ...node }: NodeStatus): NodeEntry => ({
  ...node,
  place: claim === undefined ? null : `${claim.place}/${claim.places}`,
  startedAt: new Date(started).toISOString(),
  quietMs: Math.round(quietMs),
});
