/** A kernel that a command can talk to, wherever it runs. */
import type { ProcedureDescriptor, Transport } from "@fairlead/client";
import type { NamedVerb } from "@fairlead/contracts";

/** Full procedure names by the names of their MCP tools. */
export type ToolNames = ReadonlyMap<string, string>;

/** Where a running kernel takes requests. */
export interface KernelAddress {
  readonly url: string;
  readonly token: string | undefined;
  /** Path of its private socket, where it is reached by that. */
  readonly socket?: string | undefined;
  /** Where it listens for everyone, and takes tRPC and MCP, when it is reached by its socket. */
  readonly served?: string | undefined;
}

export interface KernelConnection {
  /** Left out where the kernel is in this process. */
  readonly address?: KernelAddress;
  readonly transport: Transport;
  /** What the kernel offers under that full name; throws what to do when it offers nothing. */
  procedure(name: string): Promise<ProcedureDescriptor>;
  /** The procedures that are MCP tools. */
  tools(): Promise<ToolNames>;
  /** The command-line verbs of its services. */
  verbs(): Promise<readonly NamedVerb[]>;
  close(): Promise<void>;
}
