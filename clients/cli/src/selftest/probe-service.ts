/** A service of the self-test's own, beside the user's: writes that are acknowledged, a stream, and a child process that crashes. */
import { tmpdir } from "node:os";
import { defineContract, mutation, query, subscription } from "@fairlead/contracts";
import { runToEnd } from "@fairlead/kernel/subprocess";
import * as z from "zod";

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
      summary: "Starts a child process that is killed at once.",
      input: z.object({}),
      output: z.object({ ended: z.string() }),
      retry: "unsafe",
    }),
    tick: subscription({ summary: "Counts.", input: z.object({}), output: z.int() }),
  },
});

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
      child: async () => {
        const { end } = await runToEnd({
          command: "sh",
          args: ["-c", "kill -KILL $$"],
          cwd: tmpdir(),
          timeLimitMs: 60_000,
          outputBytes: 1_000,
        });
        return { ended: end.kind === "exited" ? (end.exit.signal ?? String(end.exit.code)) : end.kind };
      },
      tick: async function* () {
        for (let count = 1; ; count += 1) yield count;
      },
    },
  };
};

/** A service as `defineService` makes it, which the command line does not import. */
export default { contract: probe, start };
