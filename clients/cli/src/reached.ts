/** A kernel that a command can talk to, wherever it runs. */
import type { ProcedureDescriptor, Transport } from "@fairlead/client";

export interface Reached {
  readonly transport: Transport;
  /** What the kernel offers under that full name; throws what to do when it offers nothing. */
  procedure(name: string): Promise<ProcedureDescriptor>;
  /** Its name as an MCP tool; `undefined` when it is none, or when the kernel runs elsewhere and does not say. */
  tool(name: string): Promise<string | undefined>;
  close(): Promise<void>;
}
