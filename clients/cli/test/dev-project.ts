/** A project of two services for `fairlead dev`, that command as a process, and what it reports. */
import { createInterface } from "node:readline";
import { type CommandProcess, start } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

const contract = (
  id: string,
  more = "",
): string => `import { defineContract, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
export const ${id} = defineContract({
  id: "${id}", version: "1.0.0", summary: "Says what its files say.",
  procedures: {
    say: query({ summary: "Says it.", input: z.object({}), output: z.object({ text: z.string().describe("It."), calls: z.int().describe("Calls.") }), tool: "${id}_say" }),
    ticks: subscription({ summary: "Says it for ever.", input: z.object({}), output: z.object({ tick: z.int().describe("A tick.") }) }),
    ${more}
  },
});
`;

const service = (id: string, more = ""): string => `import { defineService } from "@fairlead/kernel/service";
import { ${id} } from "../../contracts/${id}.contract.ts";
import { shared } from "../shared.ts";
import { text } from "./one.ts";
export default defineService(${id}, () => {
  let calls = 0;
  return { handlers: {
    say: () => ({ text: text + shared, calls: ++calls }),
    ticks: async function* (_, call) { yield { tick: 1 }; await new Promise((done) => call.signal.addEventListener("abort", done)); },
  }, ${more} };
});
`;

export const texts = { contract, service };

/** `left` and `right`, whose text comes from a file three imports deep and one that both have. */
export const devProject = async (): Promise<OutsideProject> => {
  const project = outsideProject();
  for (const id of ["left", "right"]) {
    project.write(`contracts/${id}.contract.ts`, contract(id));
    project.write(`services/${id}/service.ts`, service(id));
    project.write(`services/${id}/one.ts`, 'export { text } from "./two.ts";\n');
    project.write(`services/${id}/two.ts`, 'export { text } from "./three.ts";\n');
    project.write(`services/${id}/three.ts`, `export const text = "${id}";\n`);
  }
  project.write("services/shared.ts", 'export const shared = "";\n');
  project.write(
    "fairlead.config.ts",
    `import { join } from "node:path";
export default { manifest: "./gen/manifest.ts", stateDir: join(import.meta.dirname, "state"), supervision: { left: { stopTimeoutMs: 100 } }, gen: { loadTimeoutMs: 60_000 } };
`,
  );
  const { code, err } = await runHere(["gen"], { cwd: project.folder });
  if (code !== 0) throw new Error(err);
  return project;
};

export type DevEvent = Readonly<Record<string, unknown>>;

export interface DevProcess {
  readonly process: CommandProcess;
  readonly events: readonly DevEvent[];
  /** The address of the kernel that runs now. */
  url(): string;
  /** Resolves with the first event from the `from`-th on that fits. */
  event(fits: (event: DevEvent) => boolean, from?: number): Promise<DevEvent>;
}

export const startDev = async (project: OutsideProject, ...flags: readonly string[]): Promise<DevProcess> => {
  const process = start(["dev", "--port", "0", "--json", ...flags], { cwd: project.folder });
  const events: DevEvent[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: process.child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  const event: DevProcess["event"] = (fits, from = 0) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = events.slice(from).find(fits);
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      look();
      process.ended.then(({ code, out, err }) => reject(new Error(`ended with ${code}: ${out}\n${err}`)), reject);
    });
  await event((each) => each.http !== undefined);
  const url = (): string => String(events.findLast(({ http }) => http !== undefined)?.http).replace(/\/api$/, "");
  return { process, events, url, event };
};
