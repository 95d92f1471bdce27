/** Connections and tools that a person has turned off, until they are turned on again or the kernel ends. */
import { didYouMean } from "@fairlead/contracts";
import { formatEndpoint } from "../machine/target.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import type { HandlerContext, HandlerFactory } from "./context.ts";

type Switches = Pick<HandlerContext, "registry" | "disabled">;

const stateAfter = ({ registry, disabled }: Switches, name: string) => ({
  enabled: !disabled.has(name),
  disabledTools: registry.connection(name) === undefined ? [] : [...registry.record(name).disabled].toSorted(),
});

const unknownMessage = (name: string, known: readonly string[]) => {
  const meant = didYouMean(name, known);
  return { message: `there is no connection ${name}`, ...(meant !== undefined && { hint: `did you mean ${meant}?` }) };
};

/** What is turned off: a connection that is in no list, and tools that are hidden. */
export const listDisabled: HandlerFactory<"listDisabled"> =
  ({ registry, disabled }) =>
  () => ({
    connections: [...disabled]
      .map(([name, target]) => ({ name, endpoint: formatEndpoint(target) }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    tools: registry.names.flatMap((name) => {
      const hidden = registry.record(name).disabled;
      return hidden.length === 0 ? [] : [{ name, tools: hidden.toSorted() }];
    }),
  });

export const disable: HandlerFactory<"disable"> =
  (context) =>
  ({ name, tools }, call) => {
    const { registry, disabled, maxConnections } = context;
    const target = registry.connection(name)?.target;
    if (target === undefined) {
      if (disabled.has(name) && tools === undefined) return stateAfter(context, name);
      throw call.fail("unknown_connection", unknownMessage(name, registry.names), { known: [...registry.names] });
    }
    if (tools === undefined) {
      if (disabled.size >= maxConnections && !disabled.has(name)) {
        const message = `there are ${maxConnections} disabled connections already`;
        throw call.fail("too_many", { message, hint: "remove it, or enable another: `fairlead conn ls` shows them" });
      }
      disabled.set(name, target);
      registry.remove(name);
      return stateAfter(context, name);
    }
    const known = offeredNames(registry, name);
    const unknown = tools.find((tool) => !known.includes(tool));
    if (unknown !== undefined) {
      const meant = didYouMean(unknown, known);
      const message = `${name} has offered no tool ${JSON.stringify(unknown)}`;
      const text = { message, ...(meant !== undefined && { hint: `did you mean ${meant}?` }) };
      throw call.fail("unknown_upstream_tool", text, { known });
    }
    registry.disableTools(name, [...new Set([...registry.record(name).disabled, ...tools])]);
    return stateAfter(context, name);
  };

export const enable: HandlerFactory<"enable"> =
  (context) =>
  ({ name, tools }, call) => {
    const { registry, disabled, configured, maxConnections } = context;
    const target = disabled.get(name);
    if (tools === undefined && target !== undefined) {
      if (registry.connection(name) === undefined && registry.names.length >= maxConnections)
        throw call.fail("too_many", { message: `there are ${maxConnections} connections already` });
      disabled.delete(name);
      // What is written down may have changed meanwhile.
      registry.add(name, configured.get(name) ?? target);
    }
    if (registry.connection(name) === undefined) {
      const known = [...new Set([...registry.names, ...disabled.keys()])].toSorted();
      throw call.fail("unknown_connection", unknownMessage(name, known), { known });
    }
    const left = registry.record(name).disabled.filter((tool) => tools !== undefined && !tools.includes(tool));
    if (left.length < registry.record(name).disabled.length) registry.disableTools(name, left);
    return stateAfter(context, name);
  };

/** The upstream's names, hidden ones included. */
const offeredNames = (registry: ConnectionRegistry, name: string): string[] =>
  registry
    .record(name)
    .list.flatMap((tool) =>
      typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string" ? [tool.name] : [],
    );
