/** Runs and questions: what a contract may say of them, and what a handler gets. Nothing here runs: `tsc` is the test. */
import { ask, confirm, defineContract, mutation, query, subscription } from "@fairlead/contracts";
import { openOutbox } from "@fairlead/kernel/jobs";
import { defineService, type Host } from "@fairlead/kernel/service";
import * as z from "zod";
import type { Same } from "./same.ts";

const common = { summary: "Does something.", input: z.object({}), output: z.int() };

// Only what may be repeated is tried again, or resumed.
mutation({ ...common, retry: "idempotent", run: { attempts: 3, onRestart: "resume" } });
query({ ...common, run: { onRestart: "resume" } });
mutation({ ...common, retry: "unsafe", run: { deadlineMs: 5, concurrency: 1 } });
// @ts-expect-error it is never repeated
mutation({ ...common, retry: "unsafe", run: { attempts: 2 } });
// @ts-expect-error nor called again after a restart
mutation({ ...common, retry: "unsafe", run: { onRestart: "resume" } });
// @ts-expect-error an attempt has no key
mutation({ ...common, retry: "keyed", run: { attempts: 2 } });
// @ts-expect-error a stream ends with its caller
subscription({ ...common, run: {} });

const todo = defineContract({
  id: "todo",
  version: "1.0.0",
  summary: "Todos.",
  procedures: {
    clear: mutation({
      ...common,
      retry: "idempotent",
      run: {},
      questions: {
        sure: confirm({ when: "always" }),
        where: ask({ when: "always", answer: z.object({ folder: z.string(), deep: z.boolean().default(false) }) }),
      },
    }),
    count: query(common),
  },
});

defineService(todo, () => ({
  handlers: {
    clear: async (_, call) => {
      const sure = await call.question("sure", "Sure?");
      const where = await call.question("where", "Where?");
      const isDecision: Same<typeof sure, boolean> = true;
      const isForm: Same<typeof where, { folder: string; deep: boolean }> = true;
      // @ts-expect-error the contract has no such question
      await call.question("why", "Why?");
      return isDecision && isForm ? 1 : 0;
    },
    count: (_, call) => {
      // @ts-expect-error this procedure asks nothing
      call.question("sure", "Sure?");
      return call.run?.attempt ?? 0;
    },
  },
}));

declare const parts: { readonly host: Host; readonly database: Parameters<typeof openOutbox>[1]["database"] };
const jobs = openOutbox(todo, parts);
jobs.enqueue("clear", {}, { key: "once" });
// @ts-expect-error there is no such procedure
jobs.enqueue("clean", {});
