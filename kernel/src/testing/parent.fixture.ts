/**
 * A kernel for the orphan test: starts 20 children behind chains of shells and waits to be killed. Not part of the kernel.
 *
 * Arguments: what holds the children, and a mark that every process of the tree carries in its environment.
 */

import { lineProtocol } from "../subprocess/protocol/dialect.ts";
import { start } from "./stage.fixture.ts";

const [held, mark] = process.argv.slice(2);
const kind = held === "namespace" || held === "cgroup" ? held : "group";
const leave = kind !== "group" ? "setsid sh -c 'sleep 600; true' & " : "";
const handshake = `echo '{"fairlead":"chain","versions":[1]}'`;

const children = Array.from({ length: 20 }, (_, i) =>
  start(
    {
      name: `chain ${i}`,
      command: "sh",
      args: [
        "-c",
        `${leave}sh -c "sh -c 'sleep 600; true'; true" & ${handshake}; trap '' TERM; while true; do sleep 600; done`,
      ],
      cwd: "/",
      env: { set: { FAIRLEAD_MARK: mark ?? "" } },
      dialect: lineProtocol({ protocol: "chain", versions: [1] }),
    },
    { kind, denials: [] },
  ),
);
await Promise.all(children.map(({ ready }) => ready));
process.stdout.write("ready\n");
