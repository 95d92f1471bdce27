/** A kernel in this process, over the memory transport: the same path as any other caller's, without a network. */
import { memoryTransport, type ProcedureDescriptor } from "@fairlead/client";
import type { Procedure } from "@fairlead/contracts";
import type { Context } from "../command/context.ts";
import type { OwnFolder } from "../owner/ownership.ts";
import type { KernelConnection } from "./connection.ts";
import { notFoundError } from "./not-found.ts";
import { openProjectKernel } from "./open-kernel.ts";
import { relayedTool, relayedToolHint } from "./relayed-tool.ts";
import { parseVerbs } from "./verb-document.ts";

const fileWords = (procedure: Procedure): Pick<ProcedureDescriptor, "upload" | "download"> => ({
  ...(procedure.kind === "mutation" && procedure.upload !== undefined && { upload: true }),
  ...(procedure.kind === "query" && procedure.download !== undefined && { download: true }),
});

export const connectLocal = async (
  context: Context,
  own: OwnFolder,
  needs?: readonly string[],
): Promise<KernelConnection> => {
  const kernel = await openProjectKernel(context, { own, log: "nothing", stays: false, needs });
  return {
    transport: memoryTransport(kernel.connect()),
    procedure: async (name) => {
      // One that is switched off is called all the same: the kernel says what would switch it on.
      const entry = kernel.catalog.find(name) ?? kernel.catalog.all().find((each) => each.name === name);
      if (entry === undefined) {
        if (relayedTool(name) !== undefined) throw notFoundError("procedure", name, [], relayedToolHint);
        const names = kernel.catalog.all().map((each) => each.name);
        throw notFoundError("procedure", name, names);
      }
      const { procedure } = entry;
      const { kind, retry } = procedure;
      const { httpPath } = await import("@fairlead/contracts");
      const local = name.slice(entry.service.length + 1);
      const isPaginated = procedure.kind === "query" && procedure.paginated === true;
      const path = httpPath(entry.service, local, procedure);
      return { name, kind, retry, path, ...(isPaginated && { paginated: true }), ...fileWords(procedure) };
    },
    tools: async () => new Map((await kernel.manifest.tools()).map(({ tool, procedure }) => [tool.name, procedure])),
    verbs: async () => {
      const text = await kernel.manifest.verbs?.();
      return text === undefined ? [] : parseVerbs(text);
    },
    close: () => kernel.close(),
  };
};
