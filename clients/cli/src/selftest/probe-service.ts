/** A service of the self-test's own, beside the user's: writes that are acknowledged, a stream, and a child process that crashes. */
import { tmpdir } from "node:os";
import { defineContract, mutation, query, subscription } from "@fairlead/contracts";
import { probeContainment, runToEnd } from "@fairlead/kernel/subprocess";
import * as z from "zod";
import { markName } from "./marked-processes.ts";

const probe = defineContract({
  id: "selftest",
  version: "1.0.0",
  summary: "What the self-test calls.",
  procedures: {
    write: mutation({
      summary: "Counts how often it ran for a number.",
      input: z.object({ number: z.int() }),
      output: z.object({ number: z.int(), run: z.int() }),
      retry: "keyed",
    }),
    echo: query({
      summary: "Gives back what it is given.",
      input: z.object({ value: z.json() }),
      output: z.object({ value: z.json() }),
    }),
    crash: mutation({
      summary: "Fails where nothing catches it.",
      input: z.object({}),
      output: z.int(),
      retry: "unsafe",
    }),
    child: mutation({
      summary:
        "Starts a child process that is killed at once, and leaves another one behind: in its group, or in a session of its own.",
      input: z.object({ mark: z.string(), leaves: z.boolean() }),
      output: z.object({ ended: z.string(), hold: z.enum(["cgroup", "group"]) }),
      retry: "unsafe",
    }),
    tick: subscription({ summary: "Counts.", input: z.object({}), output: z.int() }),
  },
});

const staysInGroup = "sleep 600 & kill -KILL $$";
/** It is killed once the other one has its session. */
const leavesGroup = 'ready=$(setsid sh -c "echo; exec sleep 600 >/dev/null 2>&1" &); kill -KILL $$';

const start = () => {
  let runs = 0;
  return {
    handlers: {
      write: ({ number }: { readonly number: number }) => {
        runs += 1;
        return { number, run: runs };
      },
      echo: ({ value }: { readonly value: unknown }) => ({ value }),
      crash: () => {
        setImmediate(() => {
          throw new Error("the self-test crashes its service");
        });
        return new Promise<never>(() => undefined);
      },
      child: async ({ mark, leaves }: { readonly mark: string; readonly leaves: boolean }) => {
        const { commands: hold } = await probeContainment();
        const { end } = await runToEnd({
          command: "sh",
          args: ["-c", leaves ? leavesGroup : staysInGroup],
          cwd: tmpdir(),
          env: { set: { [markName]: mark } },
          timeLimitMs: 60_000,
          outputBytes: 1_000,
        });
        return { ended: end.kind === "exited" ? (end.exit.signal ?? String(end.exit.code)) : end.kind, hold };
      },
      tick: async function* () {
        for (let count = 1; ; count += 1) yield count;
      },
    },
  };
};

/** A service as `defineService` makes it, which the command line does not import. */
export default { contract: probe, start };
