/**
 * The process that the stdio peers start: the fake procedures over the real stdio transport, and one that writes to stdout, where
 * only the protocol belongs.
 */
// @boundaries-ignore the test looks inside the kernel
import { fakeKernel, fakeProcedures } from "../../../kernel/src/testing/mcp-fake.ts";
// @boundaries-ignore the test looks inside the kernel
import { serveStdio } from "../../../kernel/src/transport/mcp/stdio.ts";

let cancelled = 0;

const { surroundings } = fakeKernel({
  ...fakeProcedures,
  "demo.slow": {
    run: async (request) => {
      const reply = await fakeProcedures["demo.slow"]?.run(request);
      cancelled += 1;
      return reply ?? { ok: true, value: {} };
    },
  },
  "demo.cancelled": { run: () => ({ ok: true, value: { cancelled } }) },
  "demo.noisy": {
    run: () => {
      console.log("this belongs on stderr");
      process.stdout.write("and so does this\n");
      return { ok: true, value: { done: true } };
    },
  },
});

const server = await serveStdio(surroundings);
await server.done;
