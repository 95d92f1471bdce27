/** `fairlead status`: which kernel owns the project's state folder, if any. Starts nothing. */

import { mismatches } from "@fairlead/kernel/owner";
import type { CommandModule } from "../command/command.ts";
import { findOwner, ownTerms, statePlace } from "../owner/place.ts";

const status: CommandModule = {
  define: (command) => {
    command.addHelpText("after", "\nExamples:\n  fairlead status\n  fairlead status --json\n");
  },

  run: async (context) => {
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

export default status;
