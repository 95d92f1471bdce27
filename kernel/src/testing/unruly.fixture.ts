/** A service for a thread of its own that breaks its promises to the kernel, each where its settings say. Loaded by `placement/thread-faults.test.ts`. */
import { defineContract, mutation } from "@fairlead/contracts";
import * as z from "zod";
import { defineService } from "../service.ts";

const unruly = defineContract({
  id: "unruly",
  version: "1.0.0",
  summary: "Breaks its promises.",
  procedures: {
    spoil: mutation({
      summary: "What it says about itself is not an answer from now on.",
      input: z.object({}),
      output: z.int(),
      retry: "unsafe",
    }),
    block: mutation({ summary: "Never lets go.", input: z.object({}), output: z.null(), retry: "unsafe" }),
  },
});

const block = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

export default defineService(
  unruly,
  (host) => {
    let [reads, isSpoilt] = [0, false];
    if (host.config.start === "block") {
      host.event("blocking", {});
      block();
    }
    return {
      condition: () => {
        const odd = { state: "degraded", why: "it is spoilt", fix: "none", odd: () => 1 } as const;
        return isSpoilt ? odd : { state: "ready" };
      },
      info: () => ({ reads: ++reads }),
      children: () => {
        if (isSpoilt) throw new Error("no children are known");
        return [];
      },
      stop: () => {
        if (host.config.stop === "hang") return new Promise<never>(() => undefined);
        if (host.config.stop === "block") block();
        return undefined;
      },
      handlers: {
        spoil: () => {
          isSpoilt = true;
          return reads;
        },
        block: () => {
          block();
          return null;
        },
      },
    };
  },
  { config: z.object({ start: z.string().optional(), stop: z.string().optional() }), placement: "thread" },
);
