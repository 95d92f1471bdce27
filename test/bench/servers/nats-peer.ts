/** The answering side of the bench of NATS: a responder of NATS's own client, or a worker with the placed service; says its process id when it takes calls. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLog, openKernel } from "@fairlead/kernel";
import { connect } from "@nats-io/transport-node";
import placed from "./placed.service.ts";

const [, , how = "", servers = ""] = process.argv;
if (how === "raw") {
  const connection = await connect({ servers });
  connection.subscribe("bench.echo", {
    queue: "q",
    callback: (_, message) => void message.respond(JSON.stringify(message.json())),
  });
  await connection.flush();
} else {
  const kernel = await openKernel({
    services: [placed],
    env: { FAIRLEAD_NATS_SECRET: "a secret of the bench" },
    flags: { lagMs: 60_000, stateDir: mkdtempSync(join(tmpdir(), "fairlead-bench-")), nats: { servers, trust: how } },
    log: makeLog({ level: "error" }),
    isWorker: true,
  });
  await kernel.offer();
}
process.once("disconnect", () => process.exit());
process.send?.(process.pid);
