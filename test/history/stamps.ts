/** A service that leaves a line in a file for each thing it has done, and as a process: a worker for it on NATS. */
import { appendFileSync } from "node:fs";
import { defineContract, mutation } from "@fairlead/contracts";
import { openKernel } from "@fairlead/kernel";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";

const done = z.object({ node: z.string() });

const stamps = defineContract({
  id: "stamps",
  version: "1.0.0",
  summary: "Notes what it has done, and who has.",
  procedures: {
    add: mutation({
      summary: "Notes an id of a key.",
      placement: { keyedBy: "key" },
      input: z.object({ key: z.string(), id: z.string() }),
      output: done,
      retry: "keyed",
    }),
    anywhere: mutation({
      summary: "Notes an id.",
      placement: "stateless",
      input: z.object({ id: z.string() }),
      output: done,
      retry: "unsafe",
    }),
  },
});

export const stampsService = defineService(stamps, ({ env }) => {
  const [file = "", node = ""] = [env.STAMPS_FILE, env.STAMPS_NODE];
  const note = ({ id }: { readonly id: string }) => {
    appendFileSync(file, `${id} ${node}\n`);
    return { node };
  };
  return { handlers: { add: note, anywhere: note } };
});

if (process.argv[1] === import.meta.filename) {
  const { STAMPS_NODE: name = "", STAMPS_STATE: stateDir = "", STAMPS_NATS: servers = "" } = process.env;
  const kernel = await openKernel({
    services: [stampsService],
    flags: { stateDir, nats: { servers, name, places: 1, place: 1 } },
    log: () => undefined,
    isWorker: true,
  });
  const { lost } = await kernel.offer();
  process.stdout.write("takes calls\n");
  lost.then(async ({ message }) => {
    process.stdout.write(`${message}\n`);
    await kernel.close();
  });
}
