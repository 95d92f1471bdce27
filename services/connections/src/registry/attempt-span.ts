/** The span of one attempt to connect: which connection, how many attempts in a row, the steps as events, and how it ended. */
import type { Host } from "@fairlead/kernel/service";
import type { ConnectionFault, ConnectStep } from "../machine/fault.ts";
import { formatEndpoint, type Target } from "../machine/target.ts";
import type { UpstreamInfo } from "../upstream/upstream-client.ts";

interface AttemptStart {
  readonly name: string;
  readonly target: Target;
  /** Failures in a row before it. */
  readonly attempt: number;
}

/** A reference to a variable stays as it is written; what the configuration has literally in a command or an address is shown. */
export const beginAttempt = (span: Host["span"], { name, target, attempt }: AttemptStart) => {
  const open = span("connections.connect", "client");
  if (open === undefined) return undefined;
  const about = {
    "fairlead.connection": name,
    "fairlead.endpoint": formatEndpoint(target),
    "fairlead.attempt": attempt + 1,
  };
  return {
    entered: (step: ConnectStep): void => open.event(step),
    connected: ({ revision, tools }: Pick<UpstreamInfo, "revision" | "tools">): void =>
      open.end({ ...about, "mcp.protocol.version": revision, "fairlead.tools": tools.length }),
    /** It was removed, or another attempt has taken its place. */
    dropped: (): void => open.end(about, { code: "canceled" }),
    /** @param fault its message has variables as they are written */
    failed: ({ kind, reason, message }: ConnectionFault): void => {
      const code = kind === "permanent" ? "failed_precondition" : "unavailable";
      open.end({ ...about, "fairlead.reason": reason }, { code, fault: new Error(message) });
    },
  };
};
