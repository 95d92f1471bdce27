/** A kernel that a command can talk to, wherever it runs. */
import type { ProcedureDescriptor, Transport } from "@fairlead/client";
import type { NamedVerb } from "@fairlead/contracts";

/** Full procedure names by the names of their MCP tools. */
export type ToolNames = ReadonlyMap<string, string>;

export interface KernelConnection {
  readonly transport: Transport;
  /** What the kernel offers under that full name; throws what to do when it offers nothing. */
  procedure(name: string): Promise<ProcedureDescriptor>;
  /** The procedures that are MCP tools. */
  tools(): Promise<ToolNames>;
  /** The command-line verbs of its services. */
  verbs(): Promise<readonly NamedVerb[]>;
  close(): Promise<void>;
}
