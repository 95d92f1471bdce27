/** The figures that the kernel keeps, of each procedure and of its process; the spans of a trace, the pages that it has found, how procedures look elsewhere, and parts of a run as it is shown. */
import * as z from "zod";

const quantile = (share: string) =>
  z
    .number()
    .nullable()
    .describe(`Duration that ${share} of the calls took at most, in milliseconds; null without calls.`);

const recentCalls = z.object({
  minutes: z.int().describe("Of the last so many minutes; the one that runs is not over yet."),
  calls: z.int().describe("Calls that ended in them."),
  failures: z.int().describe("Of those, how many ended in an error."),
  p50Ms: quantile("half"),
  p90Ms: quantile("nine of ten"),
  p99Ms: quantile("99 of 100"),
});

export const counters = z.object({
  procedure: z.string().describe("Full name."),
  kind: z
    .enum(["query", "mutation", "subscription"])
    .describe("Whether it reads, changes or streams; durations of streams are those of their subscribers."),
  calls: z.int().describe("Calls since the kernel started."),
  failures: z.int().describe("Of those, how many ended in an error."),
  running: z.int().describe("Calls running now."),
  waiting: z.int().describe("Calls that wait for a place now."),
  meanMs: z.number().describe("Mean duration, in milliseconds."),
  recent: z.array(recentCalls).describe("The last 1, 5 and 60 minutes."),
  lastError: z
    .object({ code: z.string().describe("Its code."), at: z.iso.datetime().describe("When; UTC.") })
    .nullable()
    .describe("The latest failure."),
});

export const processFigures = z.object({
  version: z.string().describe("Version of the kernel."),
  node: z.string().describe("Version of Node."),
  pid: z.int().describe("Its process."),
  startedAt: z.iso.datetime().describe("When the kernel started; UTC."),
  cpu: z.number().describe("CPU time by time since its start: 1 is one core all the time."),
  rssBytes: z.int().describe("Resident memory."),
  heapUsedBytes: z.int().describe("Heap in use."),
  heapTotalBytes: z.int().describe("Heap reserved."),
  lag: z
    .object({
      meanMs: z.number().describe("Mean."),
      p99Ms: z.number().describe("99 of 100 looks."),
      maxMs: z.number().describe("The longest."),
    })
    .nullable()
    .describe("How late the event loop was since the call before, in milliseconds; null with the first call."),
});

export const consolePage = z.object({
  service: z.string().describe("Id of the service whose package brings it."),
  title: z.string().describe("What the page is called."),
  module: z.string().describe("Path of its ES module on this server, like `/console/x/rules/page.js`."),
});

export const wireError = z.object({
  code: z.string().describe("Infrastructure code."),
  reason: z.string().optional().describe("Name of a declared error."),
  message: z.string().describe("What failed."),
  hint: z.string().optional().describe("What to try next."),
  data: z.json().optional().describe("Data of a declared error."),
  retryable: z.boolean().describe("Whether the same may go well later."),
});

export const runQuestion = z.object({
  id: z.string().describe("What an answer names."),
  name: z.string().describe("Its name in the contract."),
  kind: z.enum(["form", "confirm"]).describe("A form to fill in, or yes or no."),
  message: z.string().describe("What is asked, for people."),
  schema: z.record(z.string(), z.json()).describe("JSON Schema of a form's answer; an empty object for yes or no."),
});

export const serviceId = z.string().min(1).max(40).describe("Id of a service, like `rules`.");

export const serviceState = z
  .enum(["Starting", "Ready", "Draining", "Backoff", "Failed", "Stopped"])
  .describe("The state of the service.");

/** A service and how it is. */
export const serviceStatus = z.object({
  id: serviceId,
  version: z.string().describe("Version of its contract."),
  summary: z.string().describe("What it is for, in one sentence."),
  state: serviceState,
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
        state: serviceState,
        since: z.iso.datetime().describe("When it entered that state; UTC."),
        restarts: z.int().describe("Restarts since it was last asked to run."),
        pid: z.int().nullable().describe("Its process, while it runs; null for a child that is not a process."),
      }),
    )
    .describe("Its own children in the supervision tree, like subprocesses."),
});

/** A process that calls run in, of this machine or another. */
export const fleetNode = z.object({
  name: z.string().describe("Its name."),
  role: z
    .enum(["kernel", "front", "process", "worker"])
    .describe(
      "`kernel`: it is called by clients; `front`: it answers at a kernel's port; `process`: a worker of a kernel on its machine; `worker`: it takes calls over NATS.",
    ),
  host: z.string().describe("Name of its machine."),
  pid: z.int().nullable().describe("Its process id there; null while it has none."),
  version: z.string().describe("Version of Fairlead."),
  state: z
    .enum(["Starting", "Ready", "Draining", "Backoff", "Failed", "Stopped", "Lost"])
    .describe("`Lost`: it has not been heard of for six seconds."),
  services: z
    .array(
      z.object({ id: z.string().describe("Id of the service."), version: z.string().describe("Of its contract.") }),
    )
    .describe("What it takes calls of; of a kernel on NATS, what it calls there."),
  place: z.string().nullable().describe("The place of keys that it has, like `1/3`; null for none."),
  calls: z.int().nullable().describe("Calls and streams that are with it; null where that is not known."),
  startedAt: z.iso.datetime().nullable().describe("When it started; UTC. Null where that is not known."),
  quietMs: z.int().describe("Milliseconds since it was last heard of; 0 for those of this machine's own kernel."),
});

export const traceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, "32 hexadecimal digits, as the event of a call has them")
  .describe("Id of a trace, by W3C.");

export const span = z.object({
  id: z.string().describe("Its id, by W3C."),
  parentId: z
    .string()
    .nullable()
    .describe("The span that it is below, perhaps of another process; null for the first of a trace."),
  name: z.string().describe("A procedure, `queue`, `attempt`, or the name of a subprocess."),
  kind: z.enum(["server", "client", "internal"]).describe("Whether it answers, asks, or neither."),
  startMs: z.number().describe("When it began, in milliseconds after the first span of the list."),
  milliseconds: z.number().describe("How long it took."),
  code: z.string().nullable().describe("How it failed; null where it did not."),
  attributes: z.record(z.string(), z.union([z.string(), z.number()])).describe("What it says of itself."),
  events: z
    .array(
      z.object({
        name: z.string().describe("What happened."),
        startMs: z.number().describe("When, in milliseconds after the first span of the list."),
      }),
    )
    .describe("What happened within it."),
});

/** How a procedure looks to a model and on a command line. */
export const surface = z.object({
  procedure: z.string().describe("Full name."),
  tool: z
    .object({
      name: z.string().describe("Its name at `/mcp`."),
      description: z.string().describe("What it says that it does."),
      inputSchema: z.record(z.string(), z.json()).describe("JSON Schema of its arguments, as listed."),
      tokens: z.int().describe("About how many tokens that costs in each conversation: a quarter of its bytes."),
    })
    .nullable()
    .describe("What a model sees of it; null where it is not a tool."),
  view: z
    .record(z.string(), z.json())
    .nullable()
    .describe("How a verb shows its result: `{ show }`, a view as contracts declare it; null where none does."),
});
