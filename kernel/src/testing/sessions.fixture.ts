/** A service of a cluster: counts in sessions that it keeps in memory, or saves, and says where it runs. */
import { setTimeout as delay } from "node:timers/promises";
import { codecs, defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
import { defineService, type SessionState, StaleSession, tracked } from "../service.ts";

const session = z.object({ session: z.string() });
const counted = z.object({ node: z.string(), count: z.int(), epoch: z.int() });
const placement = { keyedBy: "session" } as const;

export const tally = defineContract({
  id: "tally",
  version: "1.0.0",
  summary: "Counts in sessions.",
  procedures: {
    add: mutation({ summary: "Counts in memory.", placement, input: session, output: counted, retry: "keyed" }),
    save: mutation({
      summary: "Counts in a saved session.",
      placement,
      input: session,
      output: counted,
      retry: "keyed",
    }),
    read: query({ summary: "A saved session.", placement, input: session, output: counted }),
    drop: mutation({
      summary: "Forgets a saved session.",
      placement,
      input: session,
      output: z.null(),
      retry: "idempotent",
    }),
    at: query({
      summary: "Where it runs, for whom.",
      placement,
      input: z.object({ session: z.string(), day: codecs.date() }),
      output: z.object({ node: z.string(), caller: z.string(), day: codecs.date() }),
    }),
    refuse: query({
      summary: "Fails as it declares.",
      placement,
      input: session,
      output: z.int(),
      errors: {
        too_late: error({ code: "failed_precondition", when: "always", data: z.object({ since: codecs.date() }) }),
      },
    }),
    wait: query({
      summary: "Waits for its end, and says how far it is.",
      placement,
      input: session,
      output: z.int(),
      policy: { deadlineMs: 600_000 },
    }),
    finish: mutation({
      summary: "Is answered when its event `finish` was recorded.",
      placement,
      input: session,
      output: z.object({ node: z.string() }),
      retry: "unsafe",
      policy: { deadlineMs: 600_000 },
    }),
    late: mutation({
      summary: "Counts in a saved session, and saves when its event `finish` was recorded.",
      placement,
      input: session,
      output: counted,
      retry: "unsafe",
      policy: { deadlineMs: 600_000 },
    }),
    ticks: subscription({
      summary: "Counts, and waits after that.",
      placement,
      input: z.object({ session: z.string(), to: z.int() }),
      output: z.object({ count: z.int(), node: z.string() }),
    }),
    here: query({ summary: "Where the kernel is.", input: z.object({}), output: z.object({ node: z.string() }) }),
  },
});

export default defineService(tally, (host) => {
  const node = host.stateDir();
  const counts = new Map<string, number>();
  const toCount = (state: SessionState | undefined): number => Number(state?.value ?? 0);
  const finished = async (name: string, signal: AbortSignal): Promise<void> => {
    const events = host.events({ signal });
    host.event("waiting", { name });
    for await (const { type, data } of events) if (type === "finish" && data.name === name) return;
  };
  return {
    handlers: {
      add: ({ session: name }) => {
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        return { node, count, epoch: 0 };
      },
      save: async ({ session: name }) => {
        const state = await host.sessions.load(name);
        const { value, epoch } = await host.sessions.save(name, toCount(state) + 1, state);
        return { node, count: Number(value), epoch };
      },
      read: async ({ session: name }) => {
        const state = await host.sessions.load(name);
        return { node, count: toCount(state), epoch: state?.epoch ?? 0 };
      },
      drop: async ({ session: name }) => {
        const state = await host.sessions.load(name);
        if (state !== undefined) await host.sessions.remove(name, state);
        return null;
      },
      at: ({ day }, { principal }) => ({ node, caller: principal.id, day }),
      refuse: (_, call) => {
        throw call.fail("too_late", { message: "it is too late" }, { since: new Date(0) });
      },
      wait: async ({ session: name }, call) => {
        host.event("waiting", { name });
        call.progress({ progress: 1, message: "begun" });
        try {
          return await delay(600_000, 0, { signal: call.signal });
        } finally {
          host.event("waited", { name });
        }
      },
      finish: async ({ session: name }, { signal }) => {
        await finished(name, signal);
        return { node };
      },
      late: async ({ session: name }, { signal }) => {
        const state = await host.sessions.load(name);
        await finished(name, signal);
        try {
          const { value, epoch } = await host.sessions.save(name, toCount(state) + 100, state);
          return { node, count: Number(value), epoch };
        } catch (cause) {
          host.event("refused", { name, stale: cause instanceof StaleSession ? cause.because : String(cause) });
          throw cause;
        }
      },
      ticks: async function* ({ session: name, to }, { lastEventId, signal }) {
        for (let count = Number(lastEventId ?? 0) + 1; count <= to; count += 1)
          yield tracked(String(count), { count, node });
        host.event("waiting", { name });
        await delay(600_000, 0, { signal });
      },
      here: () => ({ node }),
    },
  };
});
