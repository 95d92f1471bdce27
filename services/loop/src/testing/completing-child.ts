/**
 * A server that completes a ticket and is killed while it does: takes a session up to EXECUTE in a folder where it is not there yet, and
 * calls complete_ticket. Argument: the project's folder. Says "calling", and the reply as JSON when one comes.
 */
import { writeSync } from "node:fs";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { loopService } from "../service.ts";
import { randomIds } from "../value/random-id.ts";
import { sampleProposal } from "./sample.ts";

const [, , folder = ""] = process.argv;
const kernel = openMemoryKernel([loopService(() => ({ clock: Date.now, ids: randomIds, folder }))], {});

const call = async (name: string, input: Readonly<Record<string, unknown>> = {}) => {
  const reply = await kernel.call(`loop.${name}`, input);
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as Readonly<Record<string, string>>;
};

const { runs } = (await call("listRuns")) as unknown as { readonly runs: readonly unknown[] };
if (runs.length === 0) {
  await call("startSession");
  await call("advance");
  const proposals = [
    sampleProposal("Close the file", {
      category: "docs",
      files: ["a.md"],
      verification_commands: ["make first", "make"],
    }),
  ];
  await call("ingestEvent", { type: "SCOUT_OUTPUT", payload: { proposals } });
  await call("advance");
}
const { ticketId, runId } = await call("nextTicket");
writeSync(1, "calling\n");
const reply = await call("completeTicket", { ticketId, runId, event_id: "evt_0123456789ab" });
writeSync(1, `${JSON.stringify(reply)}\n`);
await kernel.close();
