/** A kernel that a command can talk to, wherever it runs. */
import type { ProcedureDescriptor, Transport } from "@fairlead/client";
import type { Tools } from "./tool-command.ts";

export interface Reached {
  readonly transport: Transport;
  /** What the kernel offers under that full name; throws what to do when it offers nothing. */
  procedure(name: string): Promise<ProcedureDescriptor>;
  /** The procedures that are MCP tools. */
  tools(): Promise<Tools>;
  close(): Promise<void>;
}
