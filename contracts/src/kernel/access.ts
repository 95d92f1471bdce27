/**
 * Procedures of the kernel's contract beside what runs: who is let in (tokens, for administrators, and not on MCP), and what services let clients read and
 * follow by an address. A file for both: each start of a server reads the files of contracts.
 */
import * as z from "zod";
import { error, mutation, query, type Resource, subscription } from "../core/index.ts";

const name = z
  .string()
  .regex(/^(?!local$)[A-Za-z0-9][\w.@-]{0,59}$/, "a name of letters, digits and . _ @ -, 60 at most; not `local`")
  .describe("The caller's name, for logs and rate limits.");

const access = z
  .array(z.enum(["read", "call", "admin"]))
  .min(1)
  .max(3);

const ends = z.iso.datetime().nullable().describe("When it stops working; UTC. Null for never.");

const token = z.object({
  name,
  state: z
    .enum(["current", "replaced"])
    .describe("`replaced`: there is a later one of that name; it works until it ends."),
  source: z
    .enum(["file", "configuration"])
    .describe("`configuration`: it is written in the configuration or the environment, and changed there."),
  access: access.describe("What it may do."),
  services: z.array(z.string()).nullable().describe("Services it may use; null for all."),
  ends,
  fingerprint: z.string().describe("The first twelve digits of its SHA-256."),
});

const change = z.object({
  at: z.iso.datetime().describe("When; UTC."),
  change: z.enum(["create", "rotate", "revoke"]).describe("What was done."),
  name: z.string().describe("The caller whose tokens were changed."),
  by: z.string().nullable().describe("The caller that did it here; null for a command of the terminal."),
  user: z.string().describe("The system's user of the process that did it."),
  made: z.boolean().describe("False for one that a crash cut off before it was made."),
});

const secret = z.string().describe("The token itself. It is not kept, and shown this once.");

const days = z.number().positive().max(36_500).optional();

const noFile = error({
  code: "failed_precondition",
  when: "this kernel has no file of tokens",
  hint: "start it with `fairlead up`, which has one in its state folder",
});

const unknownToken = error({
  code: "not_found",
  when: "the file has no token of that name",
  data: z.object({ known: z.array(z.string()).describe("Names there are.") }),
  hint: "tokens of the configuration are changed in the configuration",
});

export const accessProcedures = {
  listTokens: query({
    summary: "Lists who has a token, what it may do and when it ends, the latest changes, and which origins may call.",
    access: "admin",
    input: z.object({}),
    output: z.object({
      tokens: z.array(token).describe("By name, the current one of a name first. Those that have ended are left out."),
      changes: z.array(change).max(100).describe("The latest changes, newest first."),
      open: z
        .boolean()
        .describe("True where callers on this machine need no token: none was made since the kernel has its folder."),
      file: z.string().nullable().describe("The file of tokens; null for a kernel without one."),
      origins: z.array(z.string()).describe("Browser origins that may call beside the kernel's own."),
      hosts: z.array(z.string()).describe("Further names that the Host header may have."),
    }),
    tool: false,
  }),
  createToken: mutation({
    summary: "Makes a token for a caller. From the first one on, every caller needs one, those on this machine too.",
    access: "admin",
    retry: "unsafe",
    input: z.object({
      name,
      access: access.default(["read", "call"]).describe("What it may do."),
      services: z
        .array(z.string().min(1).max(40))
        .min(1)
        .max(100)
        .optional()
        .describe("Services it may use. Default: all."),
      days: days.describe("Days until it stops working. Default: never."),
    }),
    output: z.object({ name, token: secret, access: access.describe("What it may do."), ends }),
    errors: {
      no_file: noFile,
      name_taken: error({
        code: "already_exists",
        when: "there is a token of that name",
        hint: "replace it with kernel.rotateToken, or choose another name",
      }),
      unknown_service: error({
        code: "not_found",
        when: "`services` names one that is not loaded",
        data: z.object({ known: z.array(z.string()).describe("Ids of the loaded services.") }),
      }),
    },
    examples: [{ summary: "For a pipeline, to look only", input: { name: "ci", access: ["read"], days: 30 } }],
    tool: false,
  }),
  rotateToken: mutation({
    summary: "Gives a caller a new token; the one before works on for a while.",
    access: "admin",
    retry: "unsafe",
    input: z.object({
      name,
      keepMinutes: z
        .number()
        .min(0)
        .max(525_600)
        .default(60)
        .describe("Minutes that the one before still works; 0 where it has leaked."),
      days: days.describe("Days until the new one stops working. Default: as the one before."),
    }),
    output: z.object({
      name,
      token: secret,
      ends,
      oldUntil: z.iso.datetime().describe("Until when the one before works; UTC."),
    }),
    errors: { no_file: noFile, unknown_token: unknownToken },
    examples: [{ summary: "The old one has leaked", input: { name: "ci", keepMinutes: 0 } }],
    tool: false,
  }),
  revokeToken: mutation({
    summary: "Ends all tokens of a caller, with its open streams and sessions of browsers, within a second.",
    access: "admin",
    retry: "idempotent",
    input: z.object({ name }),
    output: z.object({ name, left: z.int().describe("Tokens that are left, those of the configuration among them.") }),
    errors: { no_file: noFile, unknown_token: unknownToken },
    examples: [{ summary: "A pipeline's", input: { name: "ci" } }],
    tool: false,
  }),
};

const uri = z
  .string()
  .min(1)
  .max(4_096)
  .describe("Address of a resource, like `fairlead://rules/monsters/5.1/Goblin`.");

const described = {
  name: z.string().describe("Its service and name, like `rules_monster`."),
  title: z.string().describe("For people."),
  summary: z.string().describe("What it is, in one sentence."),
  type: z.string().describe("Media type of its text."),
};

const unknownResource = error({
  code: "not_found",
  when: "no resource that the caller may see has that address",
  hint: "call kernel.listResources",
});

const eventType = z.string().min(1).max(80).describe("An event type, like `service.state`, `log` or `call`.");

export const resourceProcedures = {
  listResources: query({
    summary: "Lists what services let clients read by an address, and the shapes of addresses with fields.",
    description: "Of a resource with one field the first hundred that there are; of one with more the shape alone.",
    input: z.object({}),
    output: z.object({
      resources: z.array(z.object({ uri, ...described })).describe("By service, in the order of its contract."),
      templates: z
        .array(z.object({ template: z.string().describe("By RFC 6570, with `{field}`."), ...described }))
        .describe("Addresses that have fields."),
    }),
    tool: false,
    examples: [{ summary: "All of them", input: {} }],
  }),
  readResource: query({
    summary: "Reads a resource, with the caller's own rights.",
    input: z.object({ uri }),
    output: z.object({ uri, type: described.type, text: z.string().describe("Its text.") }),
    errors: { unknown_resource: unknownResource },
    tool: false,
    examples: [{ summary: "The services", input: { uri: "fairlead://kernel/services" } }],
  }),
  watchResource: subscription({
    summary: "Says when a resource may have changed, and once when that begins to be seen; read it each time.",
    input: z.object({ uri }),
    output: z.object({ uri, at: z.iso.datetime().describe("When; UTC.") }),
    errors: { unknown_resource: unknownResource },
    examples: [{ summary: "The services", input: { uri: "fairlead://kernel/services" } }],
  }),
  completeArgument: query({
    summary: "Lists values of a field of a resource, or of an argument of a prompt, that fit what is typed.",
    input: z.object({
      of: z
        .string()
        .min(1)
        .max(4_096)
        .describe("A template of kernel.listResources, or a prompt like `rules_encounter`."),
      argument: z.string().min(1).max(80).describe("Name of the field or argument."),
      typed: z.string().max(1_000).default("").describe("What is typed so far."),
      given: z
        .record(z.string().max(80), z.string().max(4_096))
        .default({})
        .describe("Values of the others, as far as they are known."),
    }),
    output: z.object({
      values: z.array(z.string()).describe("Those that begin with it first; 100 at most."),
      total: z.int().describe("How many fit."),
    }),
    errors: { unknown_argument: error({ code: "not_found", when: "there is no such template or prompt" }) },
    tool: false,
    examples: [{ summary: "An edition", input: { of: "rules_encounter", argument: "edition", typed: "5" } }],
  }),
  recentEvents: query({
    summary: "Shows the latest events that are kept, oldest first.",
    input: z.object({
      types: z.array(eventType).max(50).optional().describe("Only these types; all when left out."),
      last: z.int().min(1).max(500).default(100).describe("At most so many."),
    }),
    output: z.object({
      events: z
        .array(
          z.object({
            seq: z.int().describe("Number of the event."),
            at: z.iso.datetime().describe("When it happened; UTC."),
            type: z.string().describe("Its type."),
            service: z.string().describe("The service it is about, or `kernel`."),
            data: z.record(z.string(), z.json()).describe("What happened; depends on the type."),
          }),
        )
        .describe("Events."),
    }),
    tool: false,
    examples: [{ summary: "What services did", input: { types: ["service.state"] } }],
  }),
};

export const resources: Readonly<Record<string, Resource>> = {
  services: {
    title: "Services",
    summary: "What the kernel runs, and how each service does.",
    path: "services",
    read: "services",
    changes: { subscription: "events", input: { types: ["service.state"] } },
  },
  service: {
    title: "Procedures of a service",
    summary: "Schemas, errors and retry safety of what a service offers.",
    path: "services/{service}",
    read: "describe",
    fields: { service: { about: "Its id", choices: { call: "services", path: "services.id" } } },
  },
  events: {
    title: "Events of the kernel",
    summary: "The latest hundred events: states of services, calls, lines of log.",
    path: "events",
    read: "recentEvents",
    // Neither calls nor log: reading it would change it.
    changes: {
      subscription: "events",
      input: { types: ["service.state", "child.state", "run.state", "breaker.state"] },
    },
  },
};
