/** A service for workers: what it does anywhere, by a key, and in the kernel alone. Loaded by `placement/workers.test.ts`. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defineContract, mutation, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
import { defineService } from "../service.ts";

const place = z.object({ pid: z.int(), folder: z.string() });
const session = z.object({ session: z.string() });
const seen = z.object({ pid: z.int(), count: z.int() });

export const placed = defineContract({
  id: "placed",
  version: "1.0.0",
  summary: "Runs in workers.",
  procedures: {
    anywhere: query({ summary: "Where it runs.", placement: "stateless", input: z.object({}), output: place }),
    here: query({ summary: "Where the kernel is.", input: z.object({}), output: place }),
    add: mutation({
      summary: "Counts in a session.",
      placement: { keyedBy: "session" },
      input: session,
      output: seen,
      retry: "keyed",
      renamedFrom: { increase: { since: "1.0.0" } },
    }),
    wait: query({
      summary: "Waits for its end.",
      placement: { keyedBy: "session" },
      input: session,
      output: z.int(),
      policy: { deadlineMs: 600_000 },
    }),
    ticks: subscription({
      summary: "Counts for ever, in a session.",
      placement: { keyedBy: "session" },
      input: session,
      output: seen,
    }),
    end: mutation({
      summary: "Ends its worker.",
      placement: { keyedBy: "session" },
      input: z.object({ session: z.string(), how: z.enum(["kill", "exit", "throw"]) }),
      output: z.int(),
      retry: "unsafe",
    }),
    spend: mutation({
      summary: "Counts in a file, and ends its worker before it has answered.",
      placement: { keyedBy: "session" },
      input: session,
      output: z.int(),
      retry: "keyed",
      policy: { retry: { attempts: 3 } },
    }),
    compute: query({
      summary: "Computes for so many milliseconds.",
      placement: "stateless",
      input: z.object({ ms: z.number() }),
      output: z.int(),
    }),
  },
});

export default defineService(placed, (host) => {
  const counts = new Map<string, number>();
  const where = () => ({ pid: process.pid, folder: host.stateDir() });
  return {
    handlers: {
      anywhere: where,
      here: where,
      add: ({ session: id }) => {
        const count = (counts.get(id) ?? 0) + 1;
        counts.set(id, count);
        return { pid: process.pid, count };
      },
      wait: async ({ session: id }, { signal }) => {
        host.event("waiting", { session: id, pid: process.pid });
        try {
          return await delay(600_000, 0, { signal });
        } finally {
          host.event("waited", { session: id });
        }
      },
      ticks: async function* (_, { signal }) {
        for (let count = 1; !signal.aborted; count += 1) {
          yield { pid: process.pid, count };
          await delay(1);
        }
      },
      end: ({ how }) => {
        if (how === "kill") process.kill(process.pid, "SIGKILL");
        if (how === "exit") process.exit(3);
        setImmediate(() => {
          throw new Error("nothing catches this");
        });
        return delay(600_000, 0);
      },
      spend: () => {
        appendFileSync(join(host.stateDir(), "spent"), "x");
        process.kill(process.pid, "SIGKILL");
        return delay(600_000, 0);
      },
      compute: ({ ms }) => {
        const end = performance.now() + ms;
        while (performance.now() < end);
        return process.pid;
      },
    },
  };
});
