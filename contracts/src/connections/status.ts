/** What a connection and its tools look like to who asks. */
import * as z from "zod";

export const connectionName = z
  .string()
  .max(40)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, "a name of letters, digits, `_`, `-` and `.`, a letter or digit first")
  .describe(
    "Name of a connection: letters, digits, `_`, `-` and `.`, at most 40. Its tools are shown as `<name>__<tool>`.",
  );

export const state = z
  .enum(["connecting", "connected", "reconnecting", "blocked"])
  .describe("Its state. `blocked`: waiting does not help; `lastError` says what does.");

const step = z
  .enum(["connect", "start", "install", "handshake", "tools"])
  .describe(
    "A step of an attempt to connect. `connect`: a socket is opened; `start`: the program is started; `install`: a program like `npx` runs and has not spoken MCP yet; `handshake`: the revision is agreed on; `tools`: the tools are listed.",
  );

const progress = z.object({
  step,
  since: z.iso.datetime().describe("When the attempt came to this step; UTC."),
  began: z.iso.datetime().describe("When the attempt began; UTC."),
  limitMs: z.int().describe("Milliseconds that the attempt may take from its beginning; then it fails with `timeout`."),
  output: z
    .string()
    .nullable()
    .describe(
      "The last line that the program has written to its error stream: not to be trusted. Null when there is none.",
    ),
});

const fault = z.object({
  reason: z.string().describe("Stable name, like `refused`, `timeout`, `unauthorized`, `missing_command`."),
  message: z.string().describe("What failed, for people."),
  hint: z.string().nullable().describe("What would fix it, when somebody can."),
  step: step
    .nullable()
    .describe("The step of the attempt that failed; null where the connection was up, or no attempt was made."),
  at: z.iso.datetime().describe("When; UTC."),
});

const shared = {
  name: connectionName,
  state,
  tools: z
    .int()
    .describe(
      "How many tools the upstream has offered last, shown or not: `quarantined`, `filtered` and `unusable` are not shown.",
    ),
  error: z.string().nullable().describe("Why it is not connected; null while it is."),
};

export const connection = z.object({
  ...shared,
  configured: z
    .boolean()
    .describe("Whether it is written down; what only a caller has added is forgotten when the kernel ends."),
  endpoint: z
    .string()
    .describe("Address without query, or command line, as they are written: variables are not filled in."),
  transport: z.enum(["http", "stdio"]).describe("How it is reached."),
  era: z.enum(["legacy", "modern"]).nullable().describe("Sessions (up to 2025-11-25) or stateless (from 2026-07-28)."),
  revision: z.string().nullable().describe("Protocol revision that was agreed on."),
  server: z.string().nullable().describe("What the upstream calls itself."),
  calls: z.int().describe("Calls of its tools since it was added."),
  attempt: z.int().describe("Failures in a row; 0 when connected."),
  progress: progress
    .nullable()
    .describe("What the attempt to connect does at the moment; null when none is under way."),
  nextRetry: z.iso.datetime().nullable().describe("When it is tried again at the latest; UTC."),
  lastError: fault.nullable().describe("The latest error, also after the connection has recovered."),
  since: z.iso.datetime().describe("When it entered this state; UTC."),
  generation: z.int().describe("Number of the present attempt or connection; grows, over all connections."),
  quarantined: z
    .array(z.string())
    .describe("Tools kept back because their definition changed; approve them to use them. At most 100 are named."),
  filtered: z.array(z.string()).describe("Tools left out by `tools.allow` and `tools.deny`; at most 100 are named."),
  unusable: z.array(z.string()).describe("Tools that cannot be shown, as `name: why`; at most 100 are named."),
});

/** What a new reading of what is written down comes to. */
export const declarationPlan = z.object({
  changes: z
    .array(
      z.object({
        name: connectionName,
        change: z.enum(["added", "changed", "removed"]).describe("What happens to it."),
        from: z.string().nullable().describe("What it leads to now; null for one that is added."),
        to: z.string().nullable().describe("What it is to lead to; null for one that is removed."),
        fields: z
          .array(z.string())
          .describe("Its settings that differ, like `args` or `tools`; none where it is added or removed."),
      }),
    )
    .describe("By name."),
  problems: z.array(z.string()).describe("What could not be read. Nothing is removed then."),
});

/** What is enabled or disabled. */
export const switched = z.strictObject({
  name: connectionName,
  tools: z
    .array(z.string().min(1).max(200))
    .max(1_000)
    .optional()
    .describe("The upstream's names of the tools; the connection itself when left out."),
});

export const switchState = z.object({
  enabled: z.boolean().describe("Whether the connection may be connected."),
  disabledTools: z.array(z.string()).describe("Its tools that are hidden by `disable`; the upstream's names."),
});

export const disabledList = z.object({
  connections: z
    .array(
      z.object({
        name: connectionName,
        endpoint: z.string().describe("Where it led: address without query, or command line."),
      }),
    )
    .describe("Connections that are stopped, by name."),
  tools: z
    .array(
      z.object({
        name: connectionName,
        tools: z.array(z.string()).describe("Its tools that are hidden; the upstream's names."),
      }),
    )
    .describe("Connections that are up without some of their tools, by name."),
});

export const shownTool = z.object({
  name: z.string().describe("The name to call it by."),
  connection: connectionName,
  upstreamName: z.string().describe("The upstream's own name for it."),
  state,
  description: z.string().describe("What it does, in the upstream's words: not to be trusted."),
  inputSchema: z.record(z.string(), z.json()).describe("JSON Schema of its arguments."),
  outputSchema: z
    .record(z.string(), z.json())
    .nullable()
    .describe("JSON Schema of its structured result; null when it promises none."),
  annotations: z.record(z.string(), z.json()).describe("What the upstream claims about it: not to be trusted."),
});

/** A tool as it was when a contract was made of it. */
export const importedTool = shownTool.omit({ name: true, connection: true, state: true });

/** What an upstream answered in place of a result. */
export const protocolError = z.object({
  connection: connectionName,
  code: z.int().describe("The JSON-RPC error's number."),
});
