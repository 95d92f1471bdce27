/**
 * The kernel's own contract: what is running, what it offers, how it does, and what happens. Consoles, the command line and
 * agents see the kernel through the same path as any service.
 */
import * as z from "zod";
import { defineContract, error, mutation, query, subscription } from "./core/index.ts";

const serviceId = z.string().min(1).max(40).describe("Id of a service, like `rules`.");

const unknownService = error({
  code: "not_found",
  when: "no service of that id is loaded",
  data: z.object({ known: z.array(z.string()).describe("Ids of the loaded services.") }),
  hint: "call kernel.services for the list",
});

const state = z
  .enum(["Starting", "Ready", "Draining", "Backoff", "Failed", "Stopped"])
  .describe("The state of the service.");

const serviceStatus = z.object({
  id: serviceId,
  version: z.string().describe("Version of its contract."),
  summary: z.string().describe("What it is for, in one sentence."),
  state,
  since: z.iso.datetime().describe("When it entered that state; UTC."),
  waitsFor: z
    .string()
    .nullable()
    .describe("What its start waits for: other services, or a step of its own; null unless it is starting."),
  nextStartAt: z.iso
    .datetime()
    .nullable()
    .describe("When it is started again after a failure; UTC. Null unless it is waiting for that."),
  degraded: z
    .object({
      why: z.string().describe("What does not work."),
      fix: z.string().describe("What would fix it."),
    })
    .nullable()
    .describe("Set when only a part of it works."),
  procedures: z.int().describe("How many procedures it offers now."),
  restarts: z.int().describe("Restarts since it was last asked to run."),
  children: z
    .array(
      z.object({
        id: z.string().describe("Its name."),
        state,
        since: z.iso.datetime().describe("When it entered that state; UTC."),
        restarts: z.int().describe("Restarts since it was last asked to run."),
        pid: z.int().nullable().describe("Its process, while it runs; null for a child that is no process."),
      }),
    )
    .describe("Its own children in the supervision tree, like subprocesses."),
});

const procedureDescription = z.object({
  name: z.string().describe("Full name, like `rules.resolveAttack`."),
  kind: z.enum(["query", "mutation", "subscription"]).describe("Whether it reads, changes or streams."),
  summary: z.string().describe("What it does, in one sentence."),
  retry: z.enum(["safe", "idempotent", "keyed", "unsafe"]).describe("How a repeat behaves."),
  access: z.enum(["read", "call", "admin"]).describe("What a token must allow."),
  deprecated: z
    .string()
    .nullable()
    .describe("Since when it is deprecated, and what to use instead; null for what is not."),
  deadlineMs: z.int().nullable().describe("Longest time it may take, in milliseconds; null for subscriptions."),
  streams: z.int().nullable().describe("Streams of it that may be open at once; null for what is no subscription."),
  errors: z
    .array(
      z.object({
        reason: z.string().describe("Stable name of the error."),
        code: z.string().describe("Infrastructure code it belongs to."),
        when: z.string().describe("When it happens."),
      }),
    )
    .describe("Errors it declares."),
  examples: z
    .array(
      z.object({
        summary: z.string().describe("What it shows."),
        input: z.json().describe("An input that it takes."),
      }),
    )
    .describe("Examples of its contract."),
  input: z.record(z.string(), z.json()).describe("JSON Schema 2020-12 of its input."),
  output: z.record(z.string(), z.json()).describe("JSON Schema 2020-12 of its output."),
});

const counters = z.object({
  procedure: z.string().describe("Full name."),
  calls: z.int().describe("Calls since the kernel started."),
  failures: z.int().describe("Of those, how many ended in an error."),
  running: z.int().describe("Calls running now."),
  meanMs: z.number().describe("Mean duration, in milliseconds."),
  lastError: z
    .object({ code: z.string().describe("Its code."), at: z.iso.datetime().describe("When; UTC.") })
    .nullable()
    .describe("The latest failure."),
});

export const kernel = defineContract({
  id: "kernel",
  version: "0.1.0",
  summary: "Shows what the kernel runs, what it offers and what happens in it.",
  procedures: {
    services: query({
      summary: "Lists the services with their state.",
      input: z.object({}),
      output: z.object({ services: z.array(serviceStatus).describe("All loaded services, by id.") }),
      examples: [{ summary: "What is running", input: {} }],
      tool: "kernel_services",
    }),
    describe: query({
      summary: "Describes the procedures of a service: schemas, errors, retry safety.",
      input: z.object({
        service: serviceId,
        procedure: z.string().min(1).max(80).optional().describe("Only this one; its name without the service."),
      }),
      output: z.object({
        service: serviceStatus.describe("The service itself."),
        procedures: z.array(procedureDescription).describe("Its procedures, by name."),
      }),
      errors: {
        unknown_service: unknownService,
        unknown_procedure: error({
          code: "not_found",
          when: "the service has no procedure of that name",
          data: z.object({ known: z.array(z.string()).describe("Names of its procedures.") }),
        }),
      },
      examples: [{ summary: "One procedure", input: { service: "rules", procedure: "resolveAttack" } }],
      tool: "kernel_describe",
    }),
    restart: mutation({
      summary: "Stops a service, if it runs, and starts it again; also one that had failed too often.",
      retry: "idempotent",
      access: "admin",
      input: z.object({ service: serviceId }),
      output: z.object({ service: serviceId, state }),
      errors: { unknown_service: unknownService },
      tool: false,
    }),
    ping: query({
      summary: "Answers when a service is ready to take calls.",
      input: z.object({ service: serviceId }),
      output: z.object({ service: serviceId, state }),
      errors: { unknown_service: unknownService },
      tool: false,
    }),
    info: query({
      summary: "Shows what a service reports about itself: versions found, paths used.",
      input: z.object({ service: serviceId }),
      output: z.object({
        service: serviceStatus.describe("Its state."),
        details: z.record(z.string(), z.json()).describe("Whatever the service reports; no secrets."),
      }),
      errors: { unknown_service: unknownService },
      tool: false,
    }),
    stats: query({
      summary: "Counts calls, failures and durations of each procedure.",
      input: z.object({ service: serviceId.optional().describe("Only this service.") }),
      output: z.object({
        uptimeMs: z.int().describe("Since the kernel started, in milliseconds."),
        procedures: z.array(counters).describe("Procedures that were called at least once, by name."),
      }),
      errors: { unknown_service: unknownService },
      tool: "kernel_stats",
    }),
    events: subscription({
      summary: "Streams numbered events; resumes after the last one seen and says how many were missed.",
      input: z.object({
        types: z
          .array(z.string().min(1).max(80).describe("An event type, like `service.state`, `log` or `call`."))
          .max(50)
          .optional()
          .describe("Only these types; all when left out."),
        service: serviceId.optional().describe("Only events about this service."),
        after: z.int().min(0).optional().describe("Start after this number; only new events when left out."),
        history: z
          .boolean()
          .optional()
          .describe("Start with what is stored of earlier runs of this kernel, and all that is kept of this one."),
      }),
      output: z.object({
        seq: z.int().describe("Number of the event; grows by one, without gaps, over all types."),
        at: z.iso.datetime().describe("When it happened; UTC."),
        type: z
          .string()
          .describe(
            "Its type; `events.dropped` says how many this reader missed: `count` is null when it is not known.",
          ),
        service: z.string().describe("The service it is about, or `kernel`."),
        data: z.record(z.string(), z.json()).describe("What happened; depends on the type."),
      }),
    }),
  },
});
