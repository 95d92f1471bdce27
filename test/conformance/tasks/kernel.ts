/** A real kernel with the suite's service in place of all others, on a port that the system chooses. */
import { type Kernel, type Manifest, makeLog, openKernel } from "@fairlead/kernel";
// @boundaries-ignore the documents that the test has no use for
import shipped from "../../../kernel/gen/manifest.ts";
import { service } from "./service.ts";

const name = (procedure: string): string => procedure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** As `fairlead gen` would write them, without what the suite does not look at. */
const tools = Object.keys(service.contract.procedures).map((procedure) => ({
  procedure: `suite.${procedure}`,
  wrapped: true,
  tool: {
    name: name(procedure),
    description: procedure,
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { value: { type: "string" } }, required: ["value"] },
  },
}));

const manifest: Manifest = { ...shipped, tools: () => Promise.resolve(tools) };

export interface TaskKernel {
  readonly kernel: Kernel;
  readonly url: string;
}

export const openTaskKernel = async (stateDir: string, config: object = {}): Promise<TaskKernel> => {
  const kernel = await openKernel({
    env: {},
    config,
    manifest,
    services: [service],
    flags: { port: 0, lagMs: 60_000, stateDir },
    log: makeLog({ level: "error", write: () => {} }),
  });
  return { kernel, url: `http://127.0.0.1:${(await kernel.serve()).port}` };
};
