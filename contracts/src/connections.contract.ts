/**
 * Connections to upstream MCP servers: what is wanted, how each one is, and calls of their tools. Adding and removing never wait;
 * the connections heal by themselves.
 */
import * as z from "zod";
import { change, drift, event } from "./connections/event.ts";
import {
  connection,
  connectionName,
  declarationPlan,
  disabledList,
  importedTool,
  protocolError,
  shownTool,
  state,
  switched,
  switchState,
} from "./connections/status.ts";
import { verbs } from "./connections/verbs.ts";
import { defineContract, error, mutation, query, subscription } from "./core/index.ts";

const unknownConnection = error({
  code: "not_found",
  when: "there is no connection of that name",
  data: z.object({ known: z.array(z.string()).describe("Names of the connections there are.") }),
  hint: "`fairlead conn ls` lists them",
});

const tooMany = error({ code: "resource_exhausted", when: "as many are connected, or disabled, as are allowed" });

const loginFailed = error({
  code: "failed_precondition",
  when: "the upstream is not set up for OAuth, or refused; the message says why",
});

const connections = defineContract({
  id: "connections",
  version: "0.1.0",
  summary: "Connects to upstream MCP servers, keeps the connections alive and relays their tools.",
  procedures: {
    add: mutation({
      summary: "Adds a connection to an upstream MCP server, or changes its address. Does not wait for it.",
      description:
        "The same name and address again change nothing. Leave the address out to add what the configuration names. A process can only be started by configuration.",
      input: z.strictObject({
        name: connectionName,
        url: z.url().max(2_000).optional().describe("Address of its MCP endpoint, like http://localhost:8080/mcp."),
        headers: z
          .record(z.string().max(100), z.string().max(4_000))
          .optional()
          .describe("Headers to send with every request, taken as they are."),
        era: z
          .enum(["auto", "legacy", "modern"])
          .optional()
          .describe("Which protocol era it speaks; found out when left out."),
      }),
      output: connection,
      retry: "idempotent",
      access: "admin",
      hints: { openWorld: true },
      errors: {
        address_refused: error({
          code: "permission_denied",
          when: "the address is one that callers may not connect to",
          hint: "use https, or loopback; or name it in the kernel's configuration",
        }),
        not_configured: error({
          code: "not_found",
          when: "no address was given and the configuration names no such upstream",
          data: z.object({ known: z.array(z.string()).describe("What the configuration names.") }),
          hint: "give an address; programs are started from the configuration alone",
        }),
        too_many: tooMany,
      },
      examples: [{ summary: "A server on this machine", input: { name: "holler", url: "http://localhost:8080/mcp" } }],
      tool: {
        name: "mcp_add",
        title: "Add connection",
        description: "Connects to an MCP server by its address",
        fields: { name: "", url: "", headers: "", era: "" },
      },
    }),
    remove: mutation({
      summary: "Removes a connection and stops everything about it. False when there was none.",
      input: z.strictObject({ name: connectionName }),
      output: z.boolean().describe("Whether there was one."),
      retry: "idempotent",
      access: "admin",
      hints: { destructive: true },
      tool: { name: "mcp_remove", title: "Remove connection", fields: { name: "" } },
    }),
    status: query({
      summary: "Shows how one connection is. Null when there is none of that name.",
      input: z.strictObject({ name: connectionName }),
      output: connection.nullable().describe("How it is."),
      tool: { name: "mcp_status", title: "Connection status", fields: { name: "" } },
    }),
    list: query({
      summary: "Lists all connections with their state.",
      input: z.strictObject({}),
      output: z.array(connection).describe("All connections, by name."),
      tool: { name: "mcp_list", title: "List connections" },
    }),
    reconnect: mutation({
      summary: "Connects again at once, also where it was blocked.",
      input: z.strictObject({ name: connectionName }),
      output: connection,
      retry: "idempotent",
      access: "admin",
      errors: { unknown_connection: unknownConnection },
      tool: { name: "mcp_reconnect", title: "Reconnect connection", fields: { name: "" } },
    }),
    enable: mutation({
      summary: "Takes back what `disable` has said of a connection, or of some of its tools.",
      input: switched,
      output: switchState,
      retry: "idempotent",
      access: "admin",
      hints: { openWorld: true },
      errors: { unknown_connection: unknownConnection, too_many: tooMany },
      tool: false,
    }),
    listDisabled: query({
      summary: "Lists what `disable` has turned off: such a connection is in no other list.",
      input: z.strictObject({}),
      output: disabledList,
      tool: false,
    }),
    disable: mutation({
      summary: "Stops a connection, or hides some of its tools, until `enable` or the end of the kernel.",
      description: "What is written down stays as it is; reading it again starts no connection that is disabled.",
      input: switched,
      output: switchState,
      retry: "idempotent",
      access: "admin",
      hints: { destructive: true },
      errors: {
        unknown_connection: unknownConnection,
        unknown_upstream_tool: error({
          code: "not_found",
          when: "the upstream has offered no tool of that name",
          data: z.object({ known: z.array(z.string()).describe("The upstream's names of its tools.") }),
          hint: "`fairlead conn status` shows how the connection is",
        }),
        too_many: tooMany,
      },
      tool: false,
    }),
    save: mutation({
      summary:
        "Writes the address of a connection into the `.mcp.json` of the configuration, so that it is there at the next start.",
      description:
        "Comments stay, and a copy of the file is put beside it under a name that no file has. What may be a secret is refused: headers, and credentials or a query in the address. Nothing is written where the file has the same entry.",
      input: z.strictObject({ name: connectionName }),
      output: z.object({
        path: z.string().describe("The file."),
        backup: z
          .string()
          .nullable()
          .describe("The copy of what it was; null where there was no file, or nothing was written."),
        added: z.array(z.string()).describe("The lines that are new; none where the file has the entry already."),
      }),
      retry: "idempotent",
      access: "admin",
      errors: {
        unknown_connection: unknownConnection,
        not_saved: error({ code: "failed_precondition", when: "it cannot be written there; the message says why" }),
      },
      tool: false,
    }),
    plan: query({
      summary:
        "Reads the `.mcp.json` and the startup script again, and shows what would change. Runs the script; connects nothing.",
      input: z.strictObject({}),
      output: declarationPlan,
      access: "admin",
      tool: false,
    }),
    applyPlan: mutation({
      summary: "Reads the `.mcp.json` and the startup script again, and connects and removes what has changed.",
      description: "What is not different keeps its connection. Nothing is removed while something cannot be read.",
      input: z.strictObject({}),
      output: declarationPlan,
      retry: "idempotent",
      access: "admin",
      hints: { destructive: true, openWorld: true },
      tool: false,
    }),
    beginLogin: mutation({
      summary: "Begins a login by OAuth and gives the address to open in the user's browser.",
      input: z.strictObject({
        name: connectionName,
        redirectUrl: z
          .url()
          .max(200)
          .describe("Where the browser comes back to: an address on the user's own machine."),
      }),
      output: z.object({ authorizationUrl: z.string().describe("The page to show to the user.") }),
      retry: "idempotent",
      access: "admin",
      hints: { openWorld: true },
      errors: { unknown_connection: unknownConnection, login_failed: loginFailed },
      tool: false,
    }),
    finishLogin: mutation({
      summary: "Ends a login by OAuth with what the browser came back with, and connects.",
      input: z.strictObject({
        name: connectionName,
        query: z.string().max(8_000).describe("The query of the address that the browser came back to."),
      }),
      output: connection,
      retry: "unsafe",
      access: "admin",
      hints: { openWorld: true },
      errors: { unknown_connection: unknownConnection, login_failed: loginFailed },
      tool: false,
    }),
    approve: mutation({
      summary: "Approves tools whose definition has changed, or a `.mcp.json` entry that has, as they are now.",
      input: z.strictObject({
        name: connectionName,
        tools: z
          .array(z.string().max(200))
          .max(1_000)
          .optional()
          .describe("The upstream's names; all that wait when left out."),
      }),
      output: z.object({
        approved: z.array(z.string()).describe("The tools that were approved."),
        target: z.boolean().describe("Whether what it starts, or where it leads, was approved; it connects then."),
      }),
      retry: "idempotent",
      access: "admin",
      errors: { unknown_connection: unknownConnection },
      tool: false,
    }),
    quarantine: query({
      summary: "Shows the tools that are kept back, with what they say now.",
      input: z.strictObject({ name: connectionName }),
      output: z.object({
        tools: z
          .array(
            z.object({
              tool: z.string().describe("The upstream's name for it."),
              approved: z.string().describe("SHA-256 of the approved definition."),
              found: z.string().describe("SHA-256 of the present one."),
              description: z.string().describe("What it says now: not to be trusted."),
              changes: z.array(z.object(change)).describe("What has changed, at most 20 places."),
            }),
          )
          .describe("By name."),
      }),
      errors: { unknown_connection: unknownConnection },
      tool: false,
    }),
    tools: query({
      summary: "Lists the tools of all upstreams under the names to call them by.",
      input: z.strictObject({ connection: connectionName.optional() }),
      output: z.object({ tools: z.array(shownTool).describe("By connection, then by name.") }),
      tool: false,
    }),
    expect: mutation({
      summary: "Takes the tools that a contract was made of and gives how they differ now; later changes are events.",
      input: z.strictObject({
        name: connectionName,
        importer: z.string().min(1).max(40).describe("The contract. What it said before is forgotten."),
        tools: z.array(importedTool).max(1_000).describe("The tools as they were."),
      }),
      output: z.object({
        known: z.boolean().describe("False while the upstream's tools are not known: it has not been up yet."),
        ...drift,
      }),
      retry: "idempotent",
      policy: { limits: { bytes: 8_388_608 } },
      errors: { too_many: error({ code: "resource_exhausted", when: "there are as many expectations as are kept" }) },
      tool: false,
    }),
    callTool: mutation({
      summary: "Calls a tool of an upstream and passes its result on as it came.",
      input: z.strictObject({
        tool: z.string().min(1).max(64).describe("The name it is shown under, like `holler__ping`."),
        arguments: z.record(z.string(), z.unknown()).default({}).describe("Its arguments, passed on as they are."),
      }),
      output: z
        .record(z.string(), z.unknown())
        .describe("The MCP tool result: `content`, `structuredContent`, `isError`."),
      retry: "unsafe",
      hints: { openWorld: true },
      policy: { deadlineMs: 600_000, concurrency: 8_192, queue: 1_024 },
      errors: {
        unknown_tool: error({
          code: "not_found",
          when: "no upstream offers a tool under that name",
          data: z.object({ near: z.string().nullable().describe("The nearest name there is.") }),
        }),
        quarantined: error({
          code: "failed_precondition",
          when: "the tool's definition has changed since it was approved",
          data: z.object({ connection: connectionName, tool: z.string().describe("The upstream's name for it.") }),
        }),
        busy: error({
          code: "resource_exhausted",
          when: "the upstream has as many calls under way as it may have",
          data: z.object({ connection: connectionName }),
          hint: "try again when some of them have ended",
        }),
        insufficient_scope: error({
          code: "permission_denied",
          when: "the upstream requires rights for this tool that its token does not give",
          data: z.object({
            connection: connectionName,
            scope: z.string().describe("The OAuth scopes that it requires."),
          }),
          hint: "log in again with `fairlead conn login`, which asks for them",
        }),
        not_asked: error({
          code: "failed_precondition",
          when: "the upstream asks something in the midst of the call, and the caller cannot be asked",
          data: z.object({ connection: connectionName }),
          hint: "call it from a client that answers questions; it may have begun: look before you call again",
        }),
        upstream_unavailable: error({
          code: "unavailable",
          when: "the upstream could not be reached, or was lost while it worked",
          data: z.object({
            connection: connectionName,
            state,
            reason: z.string().describe("Stable name of what is wrong."),
            sent: z.boolean().describe("True when the call may have reached the upstream."),
            attempt: z.int().describe("Failures in a row."),
          }),
        }),
        connection_removed: error({
          code: "failed_precondition",
          when: "the connection was removed while the call was under way",
          data: z.object({
            connection: connectionName,
            sent: z.boolean().describe("True when the call may have reached the upstream."),
          }),
          hint: "add it again, then call the tool again",
        }),
        arguments_refused: error({
          code: "invalid_argument",
          when: "the upstream does not take these arguments, or no longer has the tool (JSON-RPC -32602)",
          data: protocolError,
        }),
        not_offered: error({
          code: "unimplemented",
          when: "the upstream takes no calls of tools (JSON-RPC -32601)",
          data: protocolError,
        }),
        upstream_error: error({
          code: "unknown",
          when: "the upstream answered with another protocol error instead of a result",
          data: protocolError,
        }),
      },
      tool: false,
    }),
    events: subscription({
      summary: "Streams what happens to connections; resumes after the last event seen and says how many were missed.",
      input: z.strictObject({
        name: connectionName.optional(),
        after: z
          .int()
          .min(0)
          .optional()
          .describe("Start after this number; only new events when left out. 0 for all that is kept."),
        snapshot: z
          .boolean()
          .optional()
          .describe("Begin with how the connections are, so that nothing between that and the first event is missed."),
      }),
      output: z.object({
        seq: z.int().describe("Number of the event in the kernel's log."),
        at: z.iso.datetime().describe("When; UTC."),
        event: event.describe("What happened."),
      }),
    }),
  },
  verbs,
  resources: {
    connections: {
      title: "Connections",
      summary: "Upstream MCP servers and how each is.",
      path: "connections",
      read: "list",
      changes: { subscription: "events", input: {} },
    },
    tools: {
      title: "Tools of upstreams",
      summary: "All tools of upstream MCP servers, under the names to call them by.",
      path: "tools",
      read: "tools",
      changes: { subscription: "events", input: {} },
    },
  },
});

export default connections;
