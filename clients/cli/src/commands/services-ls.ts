/** `fairlead services ls`: the services of a running kernel and how each one is. */

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
    const { services } = await withRunningKernel(context, (client) => client.services());
    context.print({ services }, () =>
      table([
        ["SERVICE", "VERSION", "STATE", "PROCEDURES", "SUMMARY"],
        ...services.flatMap((service) => [
          [service.id, service.version, stateText(service), String(service.procedures), service.summary],
          ...service.children.map((child) => ["", "", child.state, "", `${child.id}, ${restarts(child.restarts)}`]),
        ]),
      ]),
    );
    return 0;
  },
};

/** Its state, what it waits for or when it is tried again, and why. */
const stateText = ({ state, since, waitsFor, nextStartAt, degraded }: ServiceStatus): string =>
  [
    waitsFor === null ? state : `${state} since ${since}, waits for ${waitsFor}`,
    ...(nextStartAt === null ? [] : [`started again at ${nextStartAt}`]),
    ...(degraded === null ? [] : [`degraded: ${degraded.why}; ${degraded.fix}`]),
  ].join(", ");

const restarts = (count: number): string => (count === 1 ? "1 restart" : `${count} restarts`);

export default servicesLs;
