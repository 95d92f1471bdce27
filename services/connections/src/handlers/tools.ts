/** The tools of the upstreams: what is listed now, and what a contract was imported from. */
import { connectionState } from "../machine/connection.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import { driftView } from "../registry/view.ts";
import type { CatalogueTool } from "../tools/catalogue.ts";
import type { HandlerFactory } from "./context.ts";

export const tools: HandlerFactory<"tools"> =
  ({ registry }) =>
  ({ connection }) => ({
    tools: registry.catalogue.tools
      .filter((tool) => connection === undefined || tool.connection === connection)
      .map((tool) => toolView(tool, registry)),
  });

export const expect: HandlerFactory<"expect"> =
  ({ registry, expectations }) =>
  (expectation, call) => {
    const { name, importer } = expectation;
    if (!expectations.expect(expectation)) {
      throw call.fail("too_many", { message: "there are as many expectations as are kept" });
    }
    const known = registry.connection(name) !== undefined && registry.record(name).opened !== undefined;
    if (known) expectations.compare(name, registry.record(name).offer.all);
    return { known, ...driftView(expectations.lastDrift(importer)) };
  };

const toolView = ({ connection, name, shown }: CatalogueTool, registry: ConnectionRegistry) => {
  const entry = registry.connection(connection);
  return {
    name: shown.name,
    connection,
    upstreamName: name,
    state: entry === undefined ? ("connecting" as const) : connectionState(entry),
    description: shown.description,
    // They came as JSON.
    inputSchema: shown.inputSchema as Record<string, never>,
    outputSchema: (shown.outputSchema ?? null) as Record<string, never> | null,
    annotations: (shown.annotations ?? {}) as Record<string, never>,
  };
};
