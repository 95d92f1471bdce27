/** How a call of an upstream's tool that failed is reported: the errors that `connections.callTool` declares. */
import type { Call } from "@fairlead/kernel/service";
import { connectionState } from "../machine/connection.ts";
import { cutText } from "../messages/cut-text.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import { findQuarantined, findUnopened, maxConcurrentCalls, type RelayProblem } from "../registry/relay.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import type { ConnectionProcedures } from "./context.ts";

type RelayedCall = Pick<Call<ConnectionProcedures["callTool"]>, "fail">;

export const unknownToolError = (tool: string, registry: ConnectionRegistry, call: RelayedCall) => {
  const quarantined = findQuarantined(registry, tool);
  if (quarantined !== undefined) {
    const { connection } = quarantined;
    return call.fail(
      "quarantined",
      {
        message: `the definition of ${tool} has changed since it was approved`,
        hint: `look at it with \`fairlead conn status ${connection}\`, then \`fairlead conn approve ${connection}\``,
      },
      quarantined,
    );
  }
  const unopened = findUnopened(registry, tool);
  const entry = unopened === undefined ? undefined : registry.connection(unopened);
  if (unopened !== undefined && entry !== undefined) {
    const message = `${unopened} has not been reached yet: ${entry.fault?.message ?? "it is connecting"}`;
    const { hint, reason = "connecting" } = entry.fault ?? {};
    const state = connectionState(entry);
    return call.fail(
      "upstream_unavailable",
      { message, retryable: state !== "blocked", ...(hint !== undefined && { hint }) },
      { connection: unopened, state, reason, sent: false, attempt: entry.attempt },
    );
  }
  const near = registry.catalogue.tools.find(({ shown, name }) => name === tool || shown.name.endsWith(`__${tool}`));
  const message = `no upstream offers a tool ${tool}`;
  return call.fail(
    "unknown_tool",
    { message, ...(near !== undefined && { hint: `did you mean ${near.shown.name}?` }) },
    {
      near: near?.shown.name ?? null,
    },
  );
};

/** JSON-RPC's own numbers that say whose fault it is. */
const invalidParams = -32_602;
const methodNotFound = -32_601;

export const relayError = (
  problem: RelayProblem,
  { connection, shown }: CatalogueTool,
  { registry, call }: { readonly registry: ConnectionRegistry; readonly call: RelayedCall },
) => {
  if (problem.kind === "busy") {
    const message = `${connection} has ${maxConcurrentCalls} calls under way that it has not answered`;
    return call.fail("busy", { message, retryable: true }, { connection });
  }
  if (problem.kind === "scope") {
    const message = `${connection} requires rights for ${shown.name} that its login did not give: ${problem.scope}`;
    const hint = `run \`fairlead conn login ${connection}\`, which asks for them, then call it again`;
    return call.fail("insufficient_scope", { message, hint }, { connection, scope: problem.scope });
  }
  if (problem.kind === "question") {
    const message = `${connection} asks something during ${shown.name}: ${cutText(problem.message, 500)}`;
    return call.fail("not_asked", { message }, { connection });
  }
  if (problem.kind === "answer") {
    const message = `${connection} refused the call of ${shown.name}: ${cutText(problem.message, 500)}`;
    const data = { connection, code: problem.code };
    switch (problem.code) {
      case invalidParams: {
        const hint = `see \`fairlead describe connections.${shown.name}\``;
        return call.fail("arguments_refused", { message, hint }, data);
      }
      case methodNotFound:
        return call.fail("not_offered", { message }, data);
      default:
        return call.fail("upstream_error", { message }, data);
    }
  }
  const { fault, sent, retryable } = problem;
  if (fault.reason === "removed") {
    const message = `${connection} was removed during the call of ${shown.name}, which ${sent ? "may have run" : "was not sent"}`;
    const hint = `\`fairlead conn ls\` lists what there is; \`fairlead conn add ${connection}\` adds it again`;
    return call.fail("connection_removed", { message, hint }, { connection, sent });
  }
  const entry = registry.connection(connection);
  return call.fail(
    "upstream_unavailable",
    {
      message: `${connection} could not be reached for ${shown.name}: ${fault.message}`,
      hint: fault.hint ?? (retryable ? "try again shortly" : "it may have run; look before you try again"),
      retryable,
    },
    {
      connection,
      state: entry === undefined ? "reconnecting" : connectionState(entry),
      reason: fault.reason,
      sent,
      attempt: entry?.attempt ?? 0,
    },
  );
};
