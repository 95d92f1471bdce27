/** A kernel in this process, over the memory transport: the same path as any other caller's, without a network. */
import { memoryTransport } from "@fairlead/client";
import type { Context } from "./context.ts";
import { notOffered } from "./offered.ts";
import { openProjectKernel } from "./open-kernel.ts";
import type { Reached } from "./reached.ts";
import { elsewhere, relayedTool } from "./relayed-tool.ts";

export const reachLocal = async (context: Context): Promise<Reached> => {
  const kernel = await openProjectKernel(context, { log: "quiet", stays: false });
  return {
    transport: memoryTransport(kernel.connect()),
    procedure: async (name) => {
      // One that is switched off is called all the same: the kernel says what would switch it on.
      const entry = kernel.catalog.find(name) ?? kernel.catalog.all().find((each) => each.name === name);
      if (entry === undefined) {
        const names = kernel.catalog.list().map((each) => each.name);
        throw notOffered("procedure", name, names, relayedTool(name) === undefined ? undefined : elsewhere);
      }
      const { kind, retry } = entry.procedure;
      const { httpRoute } = await import("@fairlead/contracts");
      const local = name.slice(entry.service.length + 1);
      return { name, kind, retry, ...httpRoute(entry.service, local, entry.procedure) };
    },
    tool: async (name) => (await kernel.manifest.tools()).find(({ procedure }) => procedure === name)?.tool.name,
    close: () => kernel.close(),
  };
};
