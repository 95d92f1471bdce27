/** Procedures of the kernel's contract for who is let in: tokens, listed, made, replaced and revoked. For administrators, and not on MCP. */
import * as z from "zod";
import { error, mutation, query } from "../core/index.ts";

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
