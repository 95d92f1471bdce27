/** A kernel for the bench of placements, with so many workers, and with a shared port where the second word says so; says its port and the ids of its processes. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeLog, openKernel } from "@fairlead/kernel";
import rules from "@fairlead/service-rules";
import placed from "./placed.service.ts";

const workers = Number(process.argv[2]);
const withModule = <S>(service: S, module: string): S => ({ ...service, module });
const kernel = await openKernel({
  services: [
    withModule(placed, new URL("./placed.service.ts", import.meta.url).href),
    withModule(rules, import.meta.resolve("@fairlead/service-rules")),
  ],
  env: {},
  flags: {
    port: 0,
    lagMs: 60_000,
    stateDir: mkdtempSync(join(tmpdir(), "fairlead-bench-")),
    ...(workers > 0 && { workers, sharedPort: process.argv[3] === "shared" }),
  },
  log: makeLog({ level: "error" }),
});
await kernel.started();
const { port } = await kernel.serve();
process.on("message", () => {
  void kernel
    .connect()
    .call("kernel.services", {})
    .then((reply) => {
      const { services } = (reply.ok ? reply.value : { services: [] }) as {
        services: readonly { children: readonly { pid: number | null }[] }[];
      };
      const pids = services.flatMap(({ children }) => children.flatMap(({ pid }) => pid ?? []));
      process.send?.({ port, pids: [process.pid, ...pids] });
    });
});
process.once("disconnect", () => void kernel.close().then(() => process.exit()));
process.send?.({ port, pids: [] });
