/** The procedures that the public suite's task scenarios call, by the names that it has for them, as a service of a real kernel. */
import { setTimeout as wait } from "node:timers/promises";
import { ask, defineContract, error, mutation, query } from "@fairlead/contracts";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";

const empty = z.object({});
const text = z.string();

const contract = defineContract({
  id: "suite",
  version: "1.0.0",
  summary: "What the suite calls.",
  procedures: {
    greet: query({ summary: "Greets.", input: z.object({ name: z.string() }), output: text }),
    slowCompute: mutation({
      summary: "Takes its time.",
      retry: "idempotent",
      input: z.object({ seconds: z.number(), label: z.string().optional() }),
      output: text,
      run: { onRestart: "resume", concurrency: 64 },
    }),
    failingJob: mutation({
      summary: "Fails.",
      retry: "idempotent",
      input: empty,
      output: text,
      errors: { refused: error({ code: "failed_precondition", when: "always" }) },
      run: {},
    }),
    protocolErrorJob: mutation({ summary: "Breaks.", retry: "idempotent", input: empty, output: text, run: {} }),
    confirmDelete: mutation({
      summary: "Asks first.",
      retry: "idempotent",
      hints: { destructive: true },
      input: z.object({ filename: z.string() }),
      output: text,
      run: { onRestart: "resume" },
      questions: { sure: ask({ when: "always", answer: z.object({ confirm: z.boolean() }) }) },
    }),
    multiInput: mutation({
      summary: "Asks twice at once.",
      retry: "idempotent",
      input: empty,
      output: text,
      run: {},
      questions: {
        one: ask({ when: "always", answer: z.object({ name: z.string() }) }),
        other: ask({ when: "always", answer: z.object({ name: z.string() }) }),
      },
    }),
    testToolWithTask: mutation({
      summary: "Asks for a name, and greets it.",
      retry: "idempotent",
      input: empty,
      output: text,
      run: {},
      questions: { name: ask({ when: "always", answer: z.object({ name: z.string() }) }) },
    }),
  },
});

export const service = defineService(contract, () => ({
  handlers: {
    greet: ({ name }) => `Hello, ${name}!`,
    slowCompute: async ({ seconds }, call) => {
      call.progress({ progress: 0, total: seconds, message: "computing" });
      await wait(seconds * 1_000, undefined, { signal: call.signal });
      return `computed for ${seconds} s`;
    },
    failingJob: (_, call) => {
      throw call.fail("refused", { message: "this job always fails" });
    },
    protocolErrorJob: () => {
      throw new Error("broken");
    },
    confirmDelete: async ({ filename }, call) => {
      const { confirm } = await call.question("sure", `Delete ${filename}?`);
      return confirm ? `deleted ${filename}` : `kept ${filename}`;
    },
    multiInput: async (_, call) => {
      const [one, other] = await Promise.all([call.question("one", "Who?"), call.question("other", "And who else?")]);
      return `${one.name} and ${other.name}`;
    },
    testToolWithTask: async (_, call) => {
      const { name } = await call.question("name", "What is your name?");
      return `Hello, ${name}!`;
    },
  },
}));
