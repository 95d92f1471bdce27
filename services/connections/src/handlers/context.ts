/** What the handlers of all families share: the open connections, and how one of them is shown or refused. */
import type connections from "@fairlead/contracts/connections";
import type { Call, Handlers, Host, Reading, ReadOptions } from "@fairlead/kernel/service";
import type { Declarations } from "../declared/declarations.ts";
import { isSameTarget, type Target } from "../machine/target.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import type { Expectations } from "../registry/expectations.ts";
import type { ToolRates } from "../registry/tool-rates.ts";
import { type ConnectionView, connectionView } from "../registry/view.ts";
import type { ApprovedTargets } from "../store/approved-targets.ts";

export type ConnectionProcedures = (typeof connections)["procedures"];

export interface HandlerContext {
  readonly registry: ConnectionRegistry;
  readonly expectations: Expectations;
  /** Targets that the configuration, a `.mcp.json` or the startup script has declared, by name. */
  readonly configured: Map<string, Target>;
  readonly approved: ApprovedTargets;
  /** Resolves when all declarations were read. */
  readonly whenRead: Promise<void>;
  readonly rates: ToolRates;
  /** Where calls of tools are noted; left out where they are not. */
  readonly log?: Host["log"] | undefined;
  /** Connections that there may be. */
  readonly maxConnections: number;
  /** Connections that a person has turned off, and where they led. */
  readonly disabled: Map<string, Target>;
  readonly declarations: Pick<Declarations, "plan" | "apply" | "files">;
  readonly events: (options: ReadOptions) => Reading;
}

/** Makes the handler of one procedure. */
export type HandlerFactory<N extends keyof ConnectionProcedures> = (
  context: HandlerContext,
) => Handlers<typeof connections>[N];

/** The connection as callers see it; `null` when there is none of that name. */
export const viewConnection = ({ registry, configured }: HandlerContext, name: string): ConnectionView | null => {
  const connection = registry.connection(name);
  if (connection === undefined) return null;
  const declared = configured.get(name);
  const isConfigured = declared !== undefined && isSameTarget(declared, connection.target);
  return connectionView(connection, registry.record(name), {
    configured: isConfigured,
    lastLine: registry.lastLine(name),
  });
};

/** The same, for procedures that need one: fails with `unknown_connection`. */
export const requireConnection = (
  context: HandlerContext,
  name: string,
  call: Pick<Call<ConnectionProcedures["reconnect"]>, "fail">,
): ConnectionView => {
  const found = viewConnection(context, name);
  if (found !== null) return found;
  const message = `there is no connection ${name}`;
  throw call.fail("unknown_connection", { message }, { known: [...context.registry.names] });
};
