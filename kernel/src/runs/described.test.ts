/** What `kernel.describe` says of procedures that run on their own and ask. */
import { confirm, defineContract, mutation, query } from "@fairlead/contracts";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { localPrincipal } from "../call/call.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const attic = defineContract({
  id: "attic",
  version: "1.0.0",
  summary: "An attic.",
  procedures: {
    clear: mutation({
      summary: "Clears it.",
      retry: "idempotent",
      input: z.object({}),
      output: z.object({}),
      run: { onRestart: "resume", attempts: 4 },
      questions: { sure: confirm({ when: "always" }) },
    }),
    look: query({ summary: "Looks.", input: z.object({}), output: z.object({}) }),
  },
});

const { dispatch, close } = compose({
  config: readConfig({}),
  services: [defineService(attic, () => ({ handlers: { clear: () => ({}), look: () => ({}) } }))],
  env: {},
  events: makeEvents(),
  log: () => undefined,
  schema: async () => undefined,
});
afterAll(close);

it("says how it runs and what it asks, and null of what is not a run", async () => {
  const reply = await dispatch.call({
    procedure: "kernel.describe",
    input: { service: "attic" },
    principal: localPrincipal,
    transport: "http",
  });
  expect(reply).toMatchObject({
    ok: true,
    value: {
      procedures: [
        {
          name: "attic.clear",
          run: { onRestart: "resume", attempts: 4, concurrency: expect.any(Number), deadlineMs: expect.any(Number) },
          questions: [{ name: "sure", kind: "confirm", when: "always" }],
        },
        { name: "attic.look", run: null, questions: [] },
      ],
    },
  });
});
