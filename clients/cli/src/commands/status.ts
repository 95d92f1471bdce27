/** `fairlead status`: which kernel owns the project's state folder, if any. Starts nothing. */

import { mismatches } from "@fairlead/kernel/owner";
import type { CommandModule } from "../command/command.ts";
import type { Context } from "../command/context.ts";
import { findOwner, ownTerms, statePlace } from "../owner/place.ts";

const status: CommandModule = {
  define: (command) => {
    command.addHelpText(
      "after",
      "\nWith --url: how the services of the kernel there are.\n\nExamples:\n  fairlead status\n  fairlead status --json\n  fairlead status --url http://127.0.0.1:5099\n",
    );
  },

  run: async (context) => {
    if (context.url !== undefined) return remoteStatus(context, context.url);
    const place = await statePlace(context);
    const { state, record, pid } = await findOwner(place.folder);
    const owner =
      state === "free"
        ? null
        : {
            state,
            pid: pid ?? null,
            command: record?.command ?? null,
            url: record?.url ?? null,
            startedAt: record?.startedAt ?? null,
            version: record?.version ?? null,
            differs: record === undefined ? ["version"] : mismatches(record, await ownTerms(context, place)),
          };
    context.print({ folder: place.folder, project: place.project ?? null, owner }, () => {
      if (owner === null) return `no kernel owns ${place.folder}`;
      const lines = [
        `\`fairlead ${owner.command ?? "…"}\` (pid ${owner.pid}) owns ${place.folder}`,
        ...(owner.url === null ? [] : [`address  ${owner.url}`]),
        `state    ${owner.state}`,
        ...(owner.startedAt === null ? [] : [`since    ${owner.startedAt}`]),
        ...(owner.differs.length === 0 ? [] : [`differs  ${owner.differs.join(", ")}: commands here do not use it`]),
      ];
      return lines.join("\n");
    });
    return 0;
  },
};

/** A kernel elsewhere has no state folder that could be looked at; what it says of its services is its state. */
const remoteStatus = async (context: Context, url: string): Promise<number> => {
  const { withRunningKernel } = await import("../kernel/kernel-client.ts");
  const { services } = await withRunningKernel(context, (client) => client.services());
  const states = services.map(({ id, version, state, degraded }) => ({ id, version, state, degraded }));
  context.print({ url, services: states }, () =>
    [
      `a kernel runs at ${url}`,
      ...states.map(({ id, version, state, degraded }) =>
        [`${id} ${version}`, state, ...(degraded === null ? [] : [`degraded: ${degraded.why}`])].join("  "),
      ),
    ].join("\n"),
  );
  return 0;
};

export default status;
