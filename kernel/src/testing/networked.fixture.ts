/** A service for placements over a network: what it does anywhere, by a key, and in the kernel that was asked. */
import { setTimeout as delay } from "node:timers/promises";
import { codecs, defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
import { defineService, tracked } from "../service.ts";

const node = z.object({ node: z.string() });

export const networked = defineContract({
  id: "networked",
  version: "1.0.0",
  summary: "Runs wherever it is offered.",
  procedures: {
    who: query({
      summary: "Who runs it for whom.",
      placement: "stateless",
      input: z.object({ day: codecs.date(), name: z.string().transform((text) => text.length) }),
      output: z.object({ node: z.string(), caller: z.string(), day: codecs.date(), length: z.int() }),
    }),
    here: query({ summary: "Where the kernel is.", input: z.object({}), output: node }),
    add: mutation({
      summary: "Counts in a session.",
      placement: { keyedBy: "session" },
      input: z.object({ session: z.string() }),
      output: z.object({ node: z.string(), count: z.int() }),
      retry: "keyed",
    }),
    refuse: query({
      summary: "Fails as it declares.",
      placement: "stateless",
      input: z.object({}),
      output: z.int(),
      errors: {
        too_late: error({ code: "failed_precondition", when: "always", data: z.object({ since: codecs.date() }) }),
      },
    }),
    wait: query({
      summary: "Waits for its end, and says how far it is.",
      placement: "stateless",
      input: z.object({ name: z.string() }),
      output: z.int(),
      policy: { deadlineMs: 600_000 },
    }),
    repeat: query({
      summary: "A text so many times.",
      placement: "stateless",
      input: z.object({ text: z.string(), times: z.int() }),
      output: z.string(),
      policy: { limits: { bytes: 4_000_000, string: 4_000_000 } },
    }),
    ticks: subscription({
      summary: "Counts, and says how far it has come.",
      placement: "stateless",
      input: z.object({ name: z.string(), to: z.int() }),
      output: z.object({ count: z.int(), node: z.string() }),
    }),
  },
});

export default defineService(networked, (host) => {
  const here = host.stateDir();
  const counts = new Map<string, number>();
  return {
    handlers: {
      who: ({ day, name }, { principal }) => ({ node: here, caller: principal.id, day, length: name }),
      here: () => ({ node: here }),
      add: ({ session }) => {
        const count = (counts.get(session) ?? 0) + 1;
        counts.set(session, count);
        return { node: here, count };
      },
      refuse: (_, call) => {
        throw call.fail("too_late", { message: "it is too late" }, { since: new Date(0) });
      },
      wait: async ({ name }, call) => {
        host.event("waiting", { name });
        call.progress({ progress: 1, message: "begun" });
        try {
          return await delay(600_000, 0, { signal: call.signal });
        } finally {
          host.event("waited", { name });
        }
      },
      repeat: ({ text, times }) => text.repeat(times),
      ticks: async function* ({ name, to }, { lastEventId }) {
        for (let count = Number(lastEventId ?? 0) + 1; count <= to; count += 1) {
          host.event("ticked", { name, count });
          yield tracked(String(count), { count, node: here });
        }
        host.event("ended", { name });
      },
    },
  };
});
