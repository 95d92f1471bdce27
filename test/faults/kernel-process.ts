/** A kernel process with twenty programs as upstreams, each behind a shell: `node kernel-process.ts <mark> <program> <state folder>`. */
import { openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";

const [, , mark = "", program = "", stateDir = ""] = process.argv;
const command = `"${process.execPath}" --conditions=@fairlead/source "${program}" stdio & wait`;
const upstreams = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [
    `up${at}`,
    { command: "sh", args: ["-c", `exec <&0; ${command}`], env: { MARK: mark } },
  ]),
);
const kernel = openMemoryKernel([connections], { stateDir, config: { connections: { upstreams } } });
await kernel.call("connections.list", {});
console.log("up");
