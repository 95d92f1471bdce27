/**
 * What one MCP endpoint offers: all tools at `/mcp`, one service's at `/mcp/<service>`, with the sizes its requests may have.
 *
 * Tools were computed at generation time. Here they are only filtered by what is switched on, and the filtered list is kept until
 * that set changes. Not here: the protocol (`server.ts`) and the calls (`call.ts`).
 */
import { defaultLimits, type Limits } from "@fairlead/contracts";
import type { Tool } from "@modelcontextprotocol/server";
import { isGranted, type Principal } from "../../call/call.ts";
import { perRevision } from "../../call/load-once.ts";
import type { ToolEntry } from "../../host/manifest.ts";
import type { Surroundings } from "../transport.ts";

/** One address of the MCP transport. */
export interface Endpoint {
  /** The service it is limited to; `undefined` for all. */
  readonly service: string | undefined;
  /** What `tools/list` shows to this principal, in the manifest's order. */
  tools(principal: Principal): readonly Tool[];
  /** False where no scope of the principal allows a call of that tool. */
  isAllowed(principal: Principal, name: string): boolean;
  /** The tool of that name, even one that is switched off: dispatch refuses its calls and says why. */
  find(name: string): ToolEntry | undefined;
  /** Names of the tools that are switched on, for messages. */
  names(): readonly string[];
  /** Input schemas of the tools that take arguments in `Mcp-Param-*` headers as well, by name. */
  readonly headerSchemas: ReadonlyMap<string, Record<string, unknown>>;
  /** Sizes of a whole message: the largest of the offered procedures, and room for the envelope. */
  limits(): Limits;
}

export interface Endpoints {
  /** The endpoint at a path below the mount: empty or `/` for all, `/<service>` for one; `undefined` for anything else. */
  at(path: string): Endpoint | undefined;
  /** Every service that has an endpoint, for messages. */
  readonly services: readonly string[];
}

interface Offer {
  readonly own: readonly ToolEntry[];
  readonly relayed: readonly ToolEntry[];
  /** Both. */
  readonly offered: readonly ToolEntry[];
  readonly tools: readonly Tool[];
  readonly limits: Limits;
}

/** Room for the envelope around the arguments: method, `_meta`, capabilities, client names. */
const envelope = { bytes: 16_384, depth: 16, keys: 256, items: 100, string: 4_096 } as const;

/**
 * A message may be so many times as deep, wide and long in its parts as the largest procedure allows: enough to keep the parser
 * safe, and arguments that are too large by less are refused by dispatch, as a tool's error and not as a broken message.
 */
const headroom = 2;

const serviceId = (procedure: string): string => procedure.slice(0, procedure.indexOf("."));

/** Reads the manifest's tools once and makes an endpoint for each service and one for all. */
export const makeEndpoints = ({ catalog, manifest }: Surroundings): Promise<Endpoints> =>
  manifest.tools().then((entries) => createEndpoints(entries, manifest, catalog));

const createEndpoints = (
  entries: readonly ToolEntry[],
  manifest: Surroundings["manifest"],
  catalog: Surroundings["catalog"],
): Endpoints => {
  const services = [
    ...new Set([...manifest.services.map(({ id }) => id), ...entries.map((e) => serviceId(e.procedure))]),
  ];
  const all = makeEndpoint(entries, catalog, undefined);
  const byService = new Map(
    services.map((id) => {
      const own = entries.filter(({ procedure }) => serviceId(procedure) === id);
      return [id, makeEndpoint(own, catalog, id)] as const;
    }),
  );
  return { services, at: (path) => (path === "" || path === "/" ? all : byService.get(path.slice(1))) };
};

const makeEndpoint = (
  entries: readonly ToolEntry[],
  catalog: Surroundings["catalog"],
  service: string | undefined,
): Endpoint => {
  const isHere = ({ procedure }: ToolEntry): boolean => service === undefined || service === serviceId(procedure);
  const contracts = perRevision(catalog, () => {
    const own = catalog.ownTools?.filter(isHere) ?? entries;
    return {
      own,
      byName: new Map(own.map((entry) => [entry.tool.name, entry])),
      headerSchemas: new Map(own.flatMap(toHeaderSchema)),
    };
  });
  let offer = createOffer([], [], catalog);
  let relayed: readonly ToolEntry[] | undefined;
  catalog.onChange(() => {
    relayed = undefined;
  });

  /** What services relay here; a name that is one of ours already is ours. */
  const others = (): readonly ToolEntry[] => {
    relayed ??= catalog.relayed().filter((entry) => isHere(entry) && !contracts().byName.has(entry.tool.name));
    return relayed;
  };

  const findRelayed = (name: string): ToolEntry | undefined => {
    const entry = catalog.tool(name);
    return entry !== undefined && isHere(entry) ? entry : undefined;
  };

  const current = (): Offer => {
    const own = contracts().own.filter(({ procedure }) => catalog.find(procedure) !== undefined);
    const more = others();
    const same = more === offer.relayed && own.length === offer.own.length && own.every((e, at) => e === offer.own[at]);
    if (!same) offer = createOffer(own, more, catalog);
    return offer;
  };

  /** What is relayed may say more of itself than when the list was made. */
  const asItIsNow = (tool: Tool): Tool => {
    const now = contracts().byName.has(tool.name) ? undefined : catalog.tool(tool.name);
    return now === undefined ? tool : asTool(now.tool);
  };

  const find = (name: string): ToolEntry | undefined => contracts().byName.get(name) ?? findRelayed(name);

  const isAllowed = (principal: Principal, name: string): boolean => {
    const { procedure = "" } = find(name) ?? {};
    const access = catalog.find(procedure)?.access;
    return access === undefined || isGranted(principal, access, serviceId(procedure));
  };

  return {
    service,
    isAllowed,
    tools: (principal) => {
      const { services } = principal;
      const { offered, relayed: more, tools } = current();
      const seen =
        services === undefined
          ? tools
          : tools.filter((_, index) => services.includes(serviceId(offered[index]?.procedure ?? "")));
      const granted = principal.grants === undefined ? seen : seen.filter((tool) => isAllowed(principal, tool.name));
      return more.length === 0 ? granted : granted.map(asItIsNow);
    },
    find,
    get headerSchemas() {
      return contracts().headerSchemas;
    },
    names: () => current().offered.map(({ tool }) => tool.name),
    limits: () => current().limits,
  };
};

const createOffer = (
  own: readonly ToolEntry[],
  relayed: readonly ToolEntry[],
  catalog: Surroundings["catalog"],
): Offer => {
  const offered = [...own, ...relayed];
  return {
    own,
    relayed,
    offered,
    tools: offered.map(({ tool }) => asTool(tool)),
    limits: messageLimits(offered.map(({ procedure }) => catalog.find(procedure)?.limits ?? defaultLimits)),
  };
};

const toHeaderSchema = ({ tool }: ToolEntry): readonly (readonly [string, Record<string, unknown>])[] => {
  const { inputSchema } = asTool(tool);
  return JSON.stringify(inputSchema).includes('"x-mcp-header"') ? [[tool.name, { ...inputSchema }]] : [];
};

/** The generator's word is taken for the shape of a tool; clients and the public conformance suite check it. */
const asTool = (tool: ToolEntry["tool"]): Tool => tool as unknown as Tool;

const messageLimits = (all: readonly Limits[]): Limits => {
  const largest = (pick: (limits: Limits) => number, floor: number): number =>
    Math.max(floor, headroom * Math.max(0, ...all.map(pick)));
  return {
    bytes: Math.max(0, ...all.map(({ bytes }) => bytes)) + envelope.bytes,
    depth: largest(({ depth }) => depth, envelope.depth),
    keys: largest(({ keys }) => keys, envelope.keys),
    items: largest(({ items }) => items, envelope.items),
    string: largest(({ string }) => string, envelope.string),
  };
};
