/** `fairlead services ls`: the services of a running kernel and how each one is. */

import type { KernelTypes } from "@fairlead/client/kernel";
import { FairleadError } from "@fairlead/contracts";
import type { CommandModule } from "../command/command.ts";
import { type ServiceStatus, withRunningKernel } from "../kernel/kernel-client.ts";
import { table } from "../terminal/table.ts";

const servicesLs: CommandModule = {
  define: (command) => {
    command.addHelpText(
      "after",
      "\nExamples:\n  fairlead services ls\n  fairlead services ls --url http://127.0.0.1:8080\n",
    );
  },

  run: async (context) => {
    const { services, nodes } = await withRunningKernel(context, async (client) => {
      const [list, fleet] = await Promise.all([client.services(), client.nodes().catch(unlessOlder)]);
      return { ...list, ...fleet };
    });
    context.print({ services, nodes }, () =>
      [
        table([
          ["SERVICE", "VERSION", "STATE", "PROCEDURES", "SUMMARY"],
          ...services.flatMap((service) => [
            [service.id, service.version, stateText(service), String(service.procedures), service.summary],
            ...service.children.map((child) => ["", "", child.state, "", `${child.id}, ${restarts(child.restarts)}`]),
          ]),
        ]),
        ...(nodes.length > 1 ? ["", nodeTable(nodes)] : []),
      ].join("\n"),
    );
    return 0;
  },
};

type NodeRow = KernelTypes["nodes"]["output"]["nodes"][number];

/** A kernel of before it could list them has none. */
const unlessOlder = (error: unknown): { readonly nodes: readonly NodeRow[] } => {
  if (error instanceof FairleadError && error.code === "unimplemented") return { nodes: [] };
  throw error;
};

/** Each process, where it is, and how it does. */
const nodeTable = (nodes: readonly NodeRow[]): string =>
  table([
    ["NODE", "ROLE", "HOST", "VERSION", "STATE", "PLACE", "CALLS", "HEARD"],
    ...nodes.map(({ name, role, host, version, state, place, calls, quietMs }) => [
      ...[name, role, host, version, state, place ?? "", String(calls ?? "")],
      role === "worker" || quietMs > 0 ? `${(quietMs / 1_000).toFixed(1)} s ago` : "here",
    ]),
  ]);

/** Its state, what it waits for or when it is tried again, and why. */
const stateText = ({ state, since, waitsFor, nextStartAt, degraded }: ServiceStatus): string =>
  [
    waitsFor === null ? state : `${state} since ${since}, waits for ${waitsFor}`,
    ...(nextStartAt === null ? [] : [`started again at ${nextStartAt}`]),
    ...(degraded === null ? [] : [`degraded: ${degraded.why}; ${degraded.fix}`]),
  ].join(", ");

const restarts = (count: number): string => (count === 1 ? "1 restart" : `${count} restarts`);

export default servicesLs;
