/** What happens to connections, as they report it; and how the tools of one differ from what was approved. */
import * as z from "zod";
import { connection, connectionName } from "./status.ts";

/** One place where a definition differs from the approved one. */
export const change = {
  path: z.string().describe("Where, like `inputSchema.properties.path`."),
  was: z.string().describe("What was approved there, as JSON; empty when there was nothing."),
  now: z.string().describe("What is there now; empty when there is nothing."),
};

export const drift = {
  added: z.array(z.string()).describe("Tools that were not there; the upstream's names."),
  removed: z.array(z.string()).describe("Tools that are not there any more."),
  changed: z.array(z.string()).describe("Tools that say something else now."),
  changes: z
    .array(z.object({ tool: z.string().describe("The upstream's name for it."), ...change }))
    .describe("What has changed about them, at most 50 places."),
};

export const event = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("Connecting").describe("It was added, or leads elsewhere now."),
    name: connectionName,
    generation: z.int().describe("Number of the attempt."),
    endpoint: z.string().describe("Where it leads."),
  }),
  z.object({
    type: z.literal("Connected").describe("It is up."),
    name: connectionName,
    generation: z.int().describe("Number of the connection."),
    tools: z.int().describe("How many tools it offers."),
  }),
  z.object({
    type: z.literal("Reconnecting").describe("It was lost or did not come about, and is tried again."),
    name: connectionName,
    generation: z.int().describe("Number of the attempt."),
    attempt: z.int().describe("Failures in a row; 0 when somebody asked for it."),
    delayMs: z.int().describe("Milliseconds until the next attempt."),
    error: z.string().describe("Why, for people."),
    reason: z.string().describe("Why, for programs."),
  }),
  z.object({
    type: z.literal("Blocked").describe("Waiting does not fix it."),
    name: connectionName,
    generation: z.int().describe("Number of the attempt."),
    delayMs: z.int().describe("Milliseconds until it is looked at again."),
    error: z.string().describe("Why, for people."),
    reason: z.string().describe("Why, for programs."),
  }),
  z.object({
    type: z.literal("ToolsRefreshed").describe("Its list of tools was read again."),
    name: connectionName,
    generation: z.int().describe("Number of the connection."),
    tools: z.int().describe("How many tools it offers now."),
  }),
  z.object({
    type: z.literal("Quarantined").describe("Definitions of tools have changed; they are kept back."),
    name: connectionName,
    tools: z.array(z.string()).describe("The upstream's names for them."),
    changes: z
      .array(z.object({ tool: z.string().describe("The upstream's name for it."), ...change }))
      .describe("What has changed, at most 50 places."),
  }),
  z.object({
    type: z
      .literal("ToolsAdded")
      .describe("It offers tools that were not there when it was first connected; published before they are shown."),
    name: connectionName,
    tools: z.array(z.string()).describe("The upstream's names for them; at most 100 are named."),
  }),
  z.object({
    type: z.literal("Approved").describe("Kept-back tools were approved."),
    name: connectionName,
    tools: z.array(z.string()).describe("The upstream's names for them."),
  }),
  z.object({
    type: z.literal("Drifted").describe("Its tools differ from those that a contract was made of; or do so no more."),
    name: connectionName,
    importer: z.string().describe("The contract."),
    ...drift,
  }),
  z.object({ type: z.literal("Removed").describe("It is gone, for good."), name: connectionName }),
  z.object({
    type: z.literal("Snapshot").describe("How the connections are at this number; what follows happened after it."),
    connections: z.array(connection).describe("All of them, or the one that was asked for; by name."),
  }),
  z.object({
    type: z
      .literal("Dropped")
      .describe("This reader was too slow, or comes from an earlier kernel: it missed events of any kind."),
    count: z.int().nullable().describe("How many; null when it is not known, as after a restart of the kernel."),
  }),
]);
