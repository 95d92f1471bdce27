/** Adding, removing, reconnecting and listing connections. */

import { parseTarget } from "./added-target.ts";
import { type HandlerFactory, requireConnection, viewConnection } from "./context.ts";

export const add: HandlerFactory<"add"> = (context) => (input, call) => {
  const { registry, maxConnections } = context;
  const target = parseTarget(context, input, call);
  if (registry.connection(input.name) === undefined && registry.names.length >= maxConnections) {
    throw call.fail("too_many", { message: `there are ${maxConnections} connections already` });
  }
  context.disabled.delete(input.name);
  registry.add(input.name, target);
  const added = viewConnection(context, input.name);
  if (added === null) throw new Error(`the connection ${input.name} is missing after it was added`);
  return added;
};

export const remove: HandlerFactory<"remove"> =
  ({ registry, disabled }) =>
  ({ name }) => {
    // One that is disabled is gone then, too, and not started by being enabled.
    const wasDisabled = disabled.delete(name);
    return registry.remove(name) || wasDisabled;
  };

export const status: HandlerFactory<"status"> =
  (context) =>
  ({ name }) =>
    viewConnection(context, name);

export const list: HandlerFactory<"list"> = (context) => () =>
  context.registry.names.flatMap((name) => viewConnection(context, name) ?? []);

export const reconnect: HandlerFactory<"reconnect"> =
  (context) =>
  ({ name }, call) => {
    requireConnection(context, name, call);
    context.registry.reconnect(name);
    return requireConnection(context, name, call);
  };
