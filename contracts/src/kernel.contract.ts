/**
 * The kernel's own contract: what is running, what it offers, how it does, and what happens. Consoles, the command line and
 * agents see the kernel through the same path as any service.
 */
import * as z from "zod";
import { defineContract, error, mutation, paginated, query, subscription } from "./core/index.ts";
import { accessProcedures, resourceProcedures, resources } from "./kernel/access.ts";
import {
  consolePage,
  counters,
  fleetNode,
  processFigures,
  runQuestion,
  serviceId,
  serviceState,
  serviceStatus,
  span,
  surface,
  traceId,
  wireError,
} from "./kernel/figures.ts";

const unknownService = error({
  code: "not_found",
  when: "no service of that id is loaded",
  data: z.object({ known: z.array(z.string()).describe("Ids of the loaded services.") }),
  hint: "call kernel.services for the list",
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
  placement: z
    .string()
    .describe(
      "Where its calls may run: `here` (in the kernel), `stateless` (anywhere) or `keyed by <field>` (each key in one place).",
    ),
  streams: z.int().nullable().describe("Streams of it that may be open at once; null for what is not a subscription."),
  errors: z
    .array(
      z.object({
        reason: z.string().describe("Stable name of the error."),
        code: z.string().describe("Infrastructure code it belongs to."),
        when: z.string().describe("When it happens."),
      }),
    )
    .describe("Errors it declares."),
  run: z
    .object({
      onRestart: z.enum(["fail", "resume"]).describe("What becomes of a run whose kernel ended in the middle."),
      attempts: z.int().describe("Attempts in all."),
      concurrency: z.int().describe("Runs of it that work at once."),
      deadlineMs: z.int().describe("Longest time that one attempt may take, in milliseconds."),
    })
    .nullable()
    .describe("How it works as a run; null for what cannot be started as one."),
  questions: z
    .array(
      z.object({
        name: z.string().describe("Its name in the contract."),
        kind: z.enum(["form", "confirm"]).describe("A form to fill in, or yes or no."),
        when: z.string().describe("When it is asked."),
      }),
    )
    .describe("What it may ask a person."),
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

const runId = z.string().min(1).max(80).describe("Id of a run.");

const runState = z
  .enum(["queued", "running", "waiting", "done", "failed", "cancelled"])
  .describe("Where it is; `waiting` for an answer. The last three are its end.");

const runView = z.object({
  id: runId,
  procedure: z.string().describe("What runs, like `notes.export`."),
  principal: z.string().describe("Who started it."),
  key: z.string().nullable().describe("Its unique key, where it was started with one."),
  state: runState,
  attempt: z.int().describe("Attempts begun so far."),
  progress: z
    .object({
      progress: z.number().describe("Work done so far."),
      total: z.number().optional().describe("All the work, in the same unit, when known."),
      message: z.string().optional().describe("What it does now."),
    })
    .nullable()
    .describe("How far it has come; null before it said so."),
  log: z
    .array(z.object({ at: z.iso.datetime().describe("When; UTC."), text: z.string().describe("The line.") }))
    .describe("Its latest lines of log, oldest first."),
  question: runQuestion.nullable().describe("What it waits for; null in any other state."),
  output: z
    .json()
    .nullable()
    .describe("Its result on the wire side of the procedure's output; null before it is done."),
  error: wireError.nullable().describe("Why it failed; null otherwise."),
  createdAt: z.iso.datetime().describe("When it was started; UTC."),
  updatedAt: z.iso.datetime().describe("When it last changed; UTC."),
});

const unknownRun = error({
  code: "not_found",
  when: "there is no run of that id, or it is another caller's",
  hint: "call kernel.listRuns; runs are kept for seven days after their end",
});

const runIsOver = error({
  code: "failed_precondition",
  when: "the run has ended",
  data: z.object({ state: runState }),
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
      tool: { name: "kernel_services", title: "List services" },
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
      tool: {
        name: "kernel_describe",
        title: "Describe service",
        description: "Schemas and errors of a service's procedures: all that a tool takes",
        fields: { service: "", procedure: "" },
        long: true,
      },
    }),
    surfaces: query({
      summary: "Shows how a service's procedures look elsewhere: the tool that a model sees, the view of a verb.",
      input: z.object({ service: serviceId }),
      output: z.object({ procedures: z.array(surface).describe("Those with a tool or a view.") }),
      errors: { unknown_service: unknownService },
      examples: [{ summary: "Tools and views of the rules", input: { service: "rules" } }],
      tool: false,
    }),
    nodes: query({
      summary:
        "Lists the processes that calls run in: this kernel, its fronts and workers, and the others of its fleet.",
      input: z.object({}),
      output: z.object({ nodes: z.array(fleetNode).describe("This kernel first, then by name.") }),
      tool: false,
      examples: [{ summary: "Who is there", input: {} }],
    }),
    restart: mutation({
      summary: "Stops a service, if it runs, and starts it again; also one that had failed too often.",
      retry: "idempotent",
      access: "admin",
      input: z.object({ service: serviceId }),
      output: z.object({ service: serviceId, state: serviceState }),
      errors: { unknown_service: unknownService },
      tool: false,
    }),
    ping: query({
      summary: "Answers when a service is ready to take calls.",
      input: z.object({ service: serviceId }),
      output: z.object({ service: serviceId, state: serviceState }),
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
      tool: { name: "kernel_stats", title: "Call statistics", fields: { service: "" } },
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
        last: z
          .int()
          .min(0)
          .max(5_000)
          .optional()
          .describe("Begin with so many of the latest kept events that fit. Not together with `after` or `history`."),
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
    trace: query({
      summary: "Shows the spans of a trace: calls, waits for a place, attempts, requests to subprocesses.",
      description: "Spans are kept while somebody reads `kernel.events`: the latest 10,000 that have ended.",
      input: z.object({ traceId }),
      output: z.object({
        startedAt: z.iso.datetime().describe("When its first span began; UTC."),
        spans: z.array(span).describe("In the order of their beginning."),
      }),
      errors: { unknown_trace: error({ code: "not_found", when: "no span of that trace is kept" }) },
      tool: false,
    }),
    whoami: query({
      summary: "Shows who the caller is to this kernel, and what they may do.",
      input: z.object({}),
      output: z.object({
        principal: z.string().describe("The caller's name; `local` for whoever needs no token."),
        access: z.array(z.enum(["read", "call", "admin"])).describe("What they may do."),
        services: z.array(serviceId).nullable().describe("Services that they may use; null for all."),
      }),
      tool: false,
    }),
    pages: query({
      summary: "Lists the pages that packages of services bring for the console.",
      input: z.object({}),
      output: z.object({
        pages: z
          .array(consolePage)
          .describe("By service. Only of services that are loaded, and of pages that are built."),
      }),
      tool: false,
    }),
    process: query({
      summary: "Shows the kernel's process: its age, memory, CPU time and how late its event loop is.",
      input: z.object({}),
      output: processFigures,
      tool: { name: "kernel_process", title: "Kernel process" },
    }),
    startRun: mutation({
      summary: "Starts a procedure as a run, which goes on without its caller.",
      description:
        "For procedures that their contract marks with `run`. The same checks hold as for a call: access, size and form of the input. With a `key` there is one run of it: who starts it again gets that one.",
      retry: "keyed",
      input: z.object({
        procedure: z.string().min(3).max(200).describe("Full name, like `notes.export`."),
        input: z.json().default({}).describe("Its input."),
        key: z
          .string()
          .min(1)
          .max(255)
          .optional()
          .describe("Unique for this caller and procedure, while the run is kept."),
      }),
      output: z.object({
        run: runView.describe("The run."),
        created: z.boolean().describe("False where a run with that key was there."),
      }),
      errors: {
        not_startable: error({
          code: "failed_precondition",
          when: "the procedure cannot be started as a run, or this kernel ends with its caller",
        }),
      },
      tool: false,
    }),
    listRuns: paginated({
      summary: "Lists runs, the latest first: the caller's own, or all for an administrator.",
      description:
        "A run of the list has no result and no log: `output` is null and `log` is empty. `kernel.getRun` shows them.",
      input: z.object({
        procedure: z.string().max(200).optional().describe("Only of this procedure."),
        state: runState.optional().describe("Only in this state; `failed` is the list of dead letters."),
      }),
      item: runView,
      tool: false,
    }),
    getRun: query({
      summary: "Shows a run: state, progress, log, question, result.",
      input: z.object({ id: runId }),
      output: runView,
      errors: { unknown_run: unknownRun },
      tool: false,
    }),
    watchRun: subscription({
      summary: "Shows a run now and after each change, until it has ended.",
      input: z.object({ id: runId }),
      output: runView,
      errors: { unknown_run: unknownRun },
    }),
    cancelRun: mutation({
      summary: "Cancels a run: it ends at once, and its handler is interrupted.",
      retry: "idempotent",
      input: z.object({ id: runId }),
      output: runView,
      errors: { unknown_run: unknownRun, over: runIsOver },
      tool: false,
    }),
    answerRun: mutation({
      summary: "Answers the question that a run waits for; the first answer counts.",
      retry: "unsafe",
      input: z.object({
        id: runId,
        question: z.string().min(1).max(200).describe("Id of the question, as the run shows it."),
        action: z.enum(["accept", "decline"]).describe("Yes, or the form; or no."),
        content: z.record(z.string(), z.json()).optional().describe("The filled form."),
      }),
      output: runView,
      errors: {
        unknown_run: unknownRun,
        over: runIsOver,
        answered: error({ code: "already_exists", when: "the question was answered before" }),
        not_asked: error({ code: "failed_precondition", when: "the run does not wait for that question" }),
      },
      policy: { limits: { bytes: 65_536 } },
      tool: false,
    }),
    resumeRun: mutation({
      summary: "Queues a failed or cancelled run again, with the answers that it got.",
      retry: "idempotent",
      input: z.object({ id: runId }),
      output: runView,
      errors: {
        unknown_run: unknownRun,
        not_over: error({ code: "failed_precondition", when: "the run is done, or has not ended" }),
      },
      tool: false,
    }),
    ...accessProcedures,
    ...resourceProcedures,
  },
  resources,
});
