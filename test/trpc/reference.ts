/** Procedures of the conformance project, written as tRPC's documents do it: what the kernel is compared with. */
import { initTRPC, tracked } from "@trpc/server";
import * as z from "zod";

const t = initTRPC.create();
const sum = z.object({ a: z.int(), b: z.int().default(10) });
/** What the project's service does. */
export const reference = t.router({
  probe: t.router({
    sum: t.procedure.input(sum).query(({ input: { a, b } }) => a + b),
    echo: t.procedure
      .input(
        z.object({
          text: z.string(),
          tags: z.array(z.string()).default([]),
          maybe: z.number().nullable().default(null),
        }),
      )
      .query(({ input }) => input),
    crash: t.procedure.input(z.object({})).query(() => {
      throw new Error("a defect");
    }),
    wait: t.procedure.input(z.object({ name: z.string() })).query(() => new Promise<number>(() => undefined)),
    pay: t.procedure.input(z.object({ amount: z.int() })).mutation(({ input }) => ({ ...input, count: 1 })),
    count: t.procedure
      .input(z.object({ to: z.int().max(100), lastEventId: z.string().optional() }))
      .subscription(async function* ({ input: { to, lastEventId } }) {
        for (let value = Number(lastEventId ?? 0) + 1; value <= to; value += 1) yield tracked(String(value), { value });
      }),
  }),
});
