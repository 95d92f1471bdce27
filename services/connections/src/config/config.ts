/** This service's section of the configuration, and how an upstream is written down: there, or in a startup script. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import * as z from "zod";
import type { HttpTarget, Sandbox, Target, ToolRules, UpstreamLimits } from "../machine/target.ts";

export const nameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/, "a name: letters, digits, `_`, `-`, `.`, at most 40, no sign in front");

export const stringRecord = z.record(z.string(), z.string());

/** A time of the configuration: a day at most, as a deadline may be. Timers cannot hold much more, and would end at once. */
const time = z.int().min(10).max(86_400_000);

const rules = z.strictObject({
  allow: z.array(z.string()).optional().describe("Show only these tools, by the upstream's names."),
  deny: z.array(z.string()).optional().describe("Never show these."),
  rename: stringRecord.optional().describe("The upstream's name to the one to show."),
  describe: z
    .record(z.string(), z.string().min(1).max(8_000))
    .optional()
    .describe("The upstream's name to a description to show in place of its own."),
  annotate: z
    .record(
      z.string(),
      z.strictObject({
        readOnlyHint: z.boolean().optional(),
        destructiveHint: z.boolean().optional(),
        idempotentHint: z.boolean().optional().describe("True lets a call be repeated whose session was lost."),
        openWorldHint: z.boolean().optional(),
      }),
    )
    .optional()
    .describe("The upstream's name to hints that are shown, and believed, in place of its own."),
  policy: z
    .record(
      z.string(),
      z.strictObject({
        callMs: time.optional().describe("Until a call that was sent must be answered."),
        perMinute: z
          .int()
          .min(1)
          .max(100_000)
          .optional()
          .describe("The most calls in any 60 seconds, of all callers together; what is more is refused."),
        access: z.literal("admin").optional().describe("Only callers with `admin` may call it."),
      }),
    )
    .optional()
    .describe("The upstream's name to what holds for calls of that tool."),
});

/** An address; one with variables may become any. */
export const addressSchema = z
  .string()
  .refine((text) => text.includes("${") || ["http:", "https:"].includes(URL.parse(text)?.protocol ?? ""), {
    error: ({ input }) =>
      `an address like http://localhost:8080/mcp, which may hold variables; ${JSON.stringify(String(input).slice(0, 80))} is none`,
  });

const limitsSchema = z.strictObject({
  connectMs: time.optional().describe("Until it must be connected; `times.connectMs` when left out."),
  firstConnectMs: time
    .optional()
    .describe(
      "For a program, until it was connected once: it may have to be installed; `times.firstConnectMs` when left out.",
    ),
  callMs: time
    .optional()
    .describe("Until a call that was sent must be answered; when left out, until the caller's deadline."),
  tools: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe("Tools that are taken of its list, in its order; 1,000 when left out."),
});

const common = {
  group: nameSchema
    .optional()
    .describe("Connections of one group have an MCP address together: /mcp/connections/<group>."),
  era: z.enum(["auto", "legacy", "modern"]).default("auto").describe("Which protocol era it speaks."),
  tools: rules.default({}),
  limits: limitsSchema.optional().describe("Limits of this upstream alone."),
  start: z
    .literal([true, false, "lazy"])
    .default(true)
    .describe(
      "False: only known, until somebody adds it by its name. `lazy`: once its tools are known, when one is called.",
    ),
};

const folderSchema = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\n]*$/, "one line")
  .describe("A folder that is there: absolute, below `~/`, or from the project's.");

const oauthSchema = z
  .strictObject({
    clientId: z.string().min(1).optional().describe("The client id that is registered with the authorization server."),
    clientSecret: z.string().min(1).optional().describe("May hold variables."),
    issuer: z.url().optional().describe("The authorization server that has registered `clientId`."),
    metadataUrl: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe("Address of a client ID metadata document; servers that take such a one know us by it."),
  })
  .refine(({ clientId, issuer }) => (clientId === undefined) === (issuer === undefined), {
    message: "`clientId` and `issuer` go together: a client is one server's own",
  })
  .refine(({ clientId, clientSecret }) => clientSecret === undefined || clientId !== undefined, {
    message: "a `clientSecret` is of a `clientId`",
  });

export const httpSchema = z.strictObject({
  url: addressSchema.describe("Address; may hold variables."),
  headers: stringRecord.default({}).describe("Sent with every request; may hold variables."),
  oauth: z.union([z.boolean(), oauthSchema]).default(false).describe("Get tokens by OAuth; true: register by itself."),
  ...common,
});

const sandboxSchema = z.strictObject({
  network: z.boolean().default(false).describe("Whether it may reach any address, loopback included."),
  write: z.array(folderSchema).max(50).default([]).describe("Folders that it may write in; no others."),
  hide: z.array(folderSchema).max(50).default([]).describe("Folders that it finds empty."),
  memoryMb: z
    .int()
    .min(16)
    .max(1_048_576)
    .optional()
    .describe("Most address space of each of its processes; Node reserves more than 1,000 of it that it does not use."),
});

export const stdioSchema = z.strictObject({
  command: z.string().min(1).describe("Program; never a shell's line. May hold variables, as all texts here."),
  args: z.array(z.string()).default([]),
  env: stringRecord.default({}).describe("Set in addition to PATH, HOME, LANG and TZ."),
  cwd: z.string().optional().describe("Folder to run in; the project's when left out."),
  sandbox: sandboxSchema
    .optional()
    .describe("What it has to do without. Where the system cannot hold it to that, it is not started."),
  ...common,
});

export const upstreamSchema = z.union([httpSchema, stdioSchema]);

export type UpstreamConfig = z.input<typeof upstreamSchema>;
export type UpstreamSettings = z.output<typeof upstreamSchema>;

export const configSchema = z.strictObject({
  upstreams: z.record(nameSchema, upstreamSchema).default({}).describe("Upstreams by name."),
  mcpJson: z.string().optional().describe("Path of a `.mcp.json` whose `mcpServers` are upstreams, too."),
  startup: z
    .union([z.string(), z.literal(false)])
    .optional()
    .describe(
      "Path of a startup script: `.lua`, `.ts`, `.js` or `.mjs`; `startup.lua` or `startup.ts` when there is one. False: none.",
    ),
  watch: z
    .literal(["plan", "apply", false])
    .default("plan")
    .describe(
      "What a written `.mcp.json` leads to: a line of the log with what would change, or its being applied. A written startup script is run with `apply` only. False: nothing.",
    ),
  secrets: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a name of a variable"),
      z.union([
        z.strictObject({ file: z.string().min(1).describe("Path; its text, without a line's end, is the secret.") }),
        z.strictObject({
          command: z.string().min(1).describe("Program; what it prints, without a line's end, is the secret."),
          args: z.array(z.string()).default([]),
        }),
      ]),
    )
    .default({})
    .describe(
      "What variables of these names stand for in upstreams, read for each attempt to connect and kept in memory alone.",
    ),
  audit: z
    .boolean()
    .default(false)
    .describe(
      "A line of the log for each call of an upstream's tool: who, what, with which arguments by name, and how it ended.",
    ),
  most: z.int().min(1).max(10_000).default(256).describe("Connections that there may be."),
  times: z
    .strictObject({
      connectMs: time.default(10_000).describe("Until a connection must be up."),
      firstConnectMs: time
        .default(120_000)
        .describe("The same for a program until it was up once: `npx` and the like install it first."),
      idleMs: time.default(15_000).describe("Of quiet until a ping."),
      pingMs: time.default(3_000).describe("Until a ping must be answered."),
    })
    .prefault({}),
});

export type ConnectionsConfig = z.output<typeof configSchema>;

/** The upstream as the connections know it. `folder`: where relative paths start. */
export const toTarget = (upstream: UpstreamSettings, folder: string): Target => {
  const { era, tools, limits, start, group } = upstream;
  const common = {
    era,
    tools: toToolRules(tools),
    awaitsApproval: false,
    ...(limits !== undefined && { limits: toLimits(limits) }),
    ...(group !== undefined && { group }),
    ...(start === "lazy" && { lazy: true as const }),
  };
  if ("url" in upstream) {
    const { url, headers, oauth } = upstream;
    return { transport: "http", url, headers, trusted: true, ...toOAuthClient(oauth), ...common };
  }
  const { command, args, env, cwd = folder, sandbox } = upstream;
  const held = sandbox === undefined ? {} : { sandbox: toSandbox(sandbox, folder) };
  return { transport: "stdio", command, args, env, cwd, ...held, ...common };
};

const toSandbox = ({ network, write, hide, memoryMb }: z.output<typeof sandboxSchema>, folder: string): Sandbox => {
  const place = (path: string): string =>
    path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(folder, path);
  return {
    network,
    write: write.map(place),
    hide: hide.map(place),
    ...(memoryMb !== undefined && { memoryMb }),
  };
};

const toOAuthClient = (wish: boolean | z.output<typeof oauthSchema>): Pick<HttpTarget, "oauth"> => {
  if (typeof wish === "boolean") return wish ? { oauth: {} } : {};
  const { clientId, clientSecret, issuer, metadataUrl } = wish;
  return {
    oauth: {
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { clientSecret }),
      ...(issuer !== undefined && { issuer }),
      ...(metadataUrl !== undefined && { metadataUrl }),
    },
  };
};

const toLimits = ({ connectMs, firstConnectMs, callMs, tools }: z.output<typeof limitsSchema>): UpstreamLimits => ({
  ...(connectMs !== undefined && { connectMs }),
  ...(firstConnectMs !== undefined && { firstConnectMs }),
  ...(callMs !== undefined && { callMs }),
  ...(tools !== undefined && { tools }),
});

/** What is left out stays out: a target is compared by what it has. */
const toToolRules = (rules: UpstreamSettings["tools"]): ToolRules => JSON.parse(JSON.stringify(rules)) as ToolRules;
