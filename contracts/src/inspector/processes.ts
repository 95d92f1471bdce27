/**
 * Running programs that the inspector looks at beside its configured source: attach to one by its process id, list them, detach. For the user who
 * runs the kernel only; no caller names an address or an expression of JavaScript. Not here: what is asked about their objects (`tools.ts`).
 */
import * as z from "zod";
import { error, mutation, query, type Verb } from "../core/index.ts";

const pid = z.int().min(1).max(4_194_304).describe("Process id of a Node program on this machine");

const target = z
  .object({
    pid,
    title: z.string().describe("Its script, or how the process calls itself"),
    roots: z
      .array(z.string())
      .describe("Names that expressions begin with; empty for a program that named its own with `inspect`"),
    opened: z.boolean().describe("True when attaching opened its inspector port, which detaching closes"),
    calls: z.enum(["refused", "checked"]).describe("What happens to getters and methods, as in the input"),
    since: z.iso.datetime().describe("When it was attached; UTC"),
  })
  .describe("A program that is attached");

const owner = {
  not_owner: error({
    code: "permission_denied",
    when: "the caller is not the user who runs the kernel, on the kernel's own machine",
    hint: "run `fairlead attach` as that user, in the project's folder and without --url",
  }),
};

const notAttached = error({
  code: "not_found",
  when: "that program is not attached",
  data: z.object({ known: z.array(pid).describe("Those that are") }),
});

const attach = mutation({
  tool: false,
  summary: "Attaches to a running Node program by its process id, so that explore, eval and query look at its objects.",
  description:
    "Opens the program's inspector port on loopback (SIGUSR1) where it has none. Roots are its CommonJS modules, its ES modules where it was started with " +
    "`--import @fairlead/service-inspector/attach`, and `Global`; a program that called `inspect` has the roots that it named. Several programs may be attached at once.",
  input: z.strictObject({
    pid,
    calls: z
      .enum(["refused", "checked"])
      .default("refused")
      .describe(
        "Getters and methods without a declaration: `refused`, or run by V8 as long as they change nothing (`checked`)",
      ),
  }),
  output: target,
  retry: "idempotent",
  access: "admin",
  errors: {
    ...owner,
    no_process: error({ code: "not_found", when: "there is no such process, or it belongs to another user" }),
    not_node: error({
      code: "failed_precondition",
      when: "the process is not Node, or takes no debugger; the message says why",
    }),
    port_taken: error({
      code: "failed_precondition",
      when: "another process listens on the port that the program's inspector would open",
      hint: "start the program with `node --inspect-port=0` or `node --inspect=0`, which takes any free port, or free that one",
    }),
    not_opened: error({
      code: "unavailable",
      when: "the program did not open its inspector, or did not answer on it in time",
      hint: "start it with `node --inspect=0`; a program whose thread stands still opens nothing",
    }),
  },
  examples: [{ summary: "A running program", input: { pid: 4711 } }],
});

const detach = mutation({
  tool: false,
  summary: "Detaches from a program, and closes its inspector port if attaching opened it.",
  input: z.strictObject({ pid: pid.optional().describe("The program; all of them when left out") }),
  output: z.object({ detached: z.array(pid).describe("Those that were attached") }).describe("What was detached"),
  retry: "idempotent",
  access: "admin",
  errors: {
    ...owner,
    not_attached: notAttached,
    not_closed: error({
      code: "failed_precondition",
      when: "the program is detached, but did not answer in time, and its inspector port is open still",
      hint: "attach to it again when it is less busy, and detach",
    }),
  },
  examples: [{ summary: "Let go of a program", input: { pid: 4711 } }],
});

const targets = query({
  tool: false,
  summary: "Lists the programs that are attached; without any, the inspector looks at its configured source.",
  input: z.strictObject({}),
  output: z
    .object({ targets: z.array(target).describe("In the order in which they were attached") })
    .describe("Attached programs"),
  access: "admin",
  examples: [{ summary: "What is attached", input: {} }],
});

const heap = query({
  tool: false,
  summary:
    "Counts the objects of an attached program by class, from a heap snapshot, and compares them with the snapshot before.",
  description:
    "The program stands still while the snapshot is taken: about a second for 50 MB. The host allows it by `services.inspector.attach.heapMb`, which is also the largest heap that is looked at. " +
    "With `class`, `holders` are the shortest ways from the roots of the heap to its objects, closures included.",
  input: z.strictObject({
    pid,
    class: z.string().min(1).max(200).optional().describe("A class, to see by what its objects are held"),
    orderBy: z
      .enum(["retained", "count", "growth"])
      .default("retained")
      .describe(
        "Which classes come first: those that keep most alive, those with most objects, or those that grew most since the snapshot before",
      ),
    limit: z.int().min(1).max(1_000).default(30).describe("Most classes to give"),
  }),
  output: z
    .object({
      heapBytes: z.number().describe("Bytes of the heap in use before"),
      stoppedMs: z.number().describe("Milliseconds that the snapshot took, for which the program stood still"),
      count: z.int().describe("Classes there are"),
      classes: z
        .array(
          z.object({
            name: z.string().describe("The class, or in brackets a kind of things that have none"),
            count: z.int().describe("Objects"),
            bytes: z.number().describe("Bytes of the objects themselves"),
            retained: z.number().describe("Bytes that would be free without them"),
            grown: z
              .int()
              .nullable()
              .describe("Objects more than in the snapshot before of this program; null in the first one"),
          }),
        )
        .describe("Classes, as ordered"),
      holders: z
        .array(
          z.object({
            path: z.string().describe("Way from a root of the heap, with [*] for elements"),
            count: z.int().describe("Objects that are reached by it"),
          }),
        )
        .describe("With `class`: by what its objects are held, the 20 ways with most of them"),
    })
    .describe("What the heap has"),
  access: "admin",
  policy: { deadlineMs: 300_000 },
  errors: {
    ...owner,
    not_attached: notAttached,
    not_allowed: error({
      code: "permission_denied",
      when: "the host does not allow it",
      hint: "set `services.inspector.attach.heapMb` to the size of the largest heap that may be looked at",
    }),
    too_large: error({ code: "resource_exhausted", when: "the heap is larger than the host allows" }),
  },
  examples: [
    { summary: "What grew, and by what orders are held", input: { pid: 4711, class: "Order", orderBy: "growth" } },
  ],
});

export const processProcedures = { attach, detach, targets, heap };

const pidArgument = { name: "pid", field: "pid", about: "Process id of the program" };

export const verbs: Readonly<Record<string, Verb>> = {
  attach: {
    summary: "Look at the objects of a running Node program",
    description:
      "Asks the kernel of this project to open the program's inspector port on loopback, where it has none yet, and to answer explore, eval and query from its objects. " +
      "`fairlead detach` closes what was opened.",
    examples: ["fairlead attach 4711", "fairlead attach 4711 --calls checked"],
    kernel: "running",
    arguments: [pidArgument],
    flags: [
      {
        flags: "--calls <how>",
        field: "calls",
        about: "Getters and methods: refused, or checked (run as long as they change nothing)",
      },
    ],
    steps: [{ call: "attach" }],
    show: [
      "attached to {pid} ({title})",
      { each: "roots", show: "  {.}" },
      "look around with `fairlead call inspector.explore`, let go with `fairlead detach {pid}`",
    ],
  },
  heap: {
    summary: "Count the objects of a program that is attached, by class",
    description:
      "Takes a heap snapshot, for which the program stands still. Again later, it says what has grown since.",
    examples: ["fairlead heap 4711", "fairlead heap 4711 --order-by growth --class Order"],
    kernel: "running",
    arguments: [pidArgument],
    flags: [
      { flags: "--class <name>", field: "class", about: "Show by what objects of this class are held" },
      { flags: "--order-by <what>", field: "orderBy", about: "Which classes come first" },
      { flags: "--limit <n>", field: "limit", about: "Most classes to show" },
    ],
    steps: [{ call: "heap" }],
    show: [
      "{heapBytes} bytes in use; the program stood still for {stoppedMs} ms",
      {
        table: "classes",
        columns: [
          { head: "CLASS", cell: "{name}" },
          { head: "OBJECTS", cell: "{count}" },
          { head: "BYTES", cell: "{bytes}" },
          { head: "KEEPS ALIVE", cell: "{retained}" },
          { head: "GROWN", cell: "{grown|or:-}" },
        ],
      },
      {
        table: "holders",
        columns: [
          { head: "HELD", cell: "{count}" },
          { head: "BY", cell: "{path}" },
        ],
      },
    ],
  },
  detach: {
    summary: "Let go of a program that was attached",
    description: "Closes its inspector port if attaching opened it. Without a process id, all of them are detached.",
    examples: ["fairlead detach 4711", "fairlead detach"],
    kernel: "running",
    arguments: [{ ...pidArgument, optional: true }],
    steps: [{ call: "detach" }],
    show: {
      first: [
        { when: [{ missing: "detached" }], show: "nothing was attached" },
        { show: { each: "detached", show: "detached {.}" } },
      ],
    },
  },
};
