/**
 * One address of the MCP transport: which tools it lists, which it finds for calls, and how large a message may be.
 *
 * A list follows the catalog. Not here: how an address names a choice of tools (`address.ts`), and what a call does (`call.ts`).
 */
import { type Contract, defaultLimits, type Limits, type Procedure, toolGroup, toolSource } from "@fairlead/contracts";
import type { Tool } from "@modelcontextprotocol/server";
import { isGranted, type Principal } from "../../call/call.ts";
import { perRevision } from "../../call/load-once.ts";
import type { ToolEntry } from "../../host/manifest.ts";
import type { Surroundings } from "../transport.ts";
import type { Address, AddressProblem, ToolSelection } from "./address.ts";
import type { ClientWords } from "./answer/client-words.ts";
import type { ToolChoice } from "./search/search-endpoint.ts";

/** One address of the MCP transport. */
export interface Endpoint {
  /** The same for the same selection: a session belongs to it. */
  readonly key: string;
  /** The service it is limited to; `undefined` for several. */
  readonly service: string | undefined;
  /** True where the list has complete schemas, for programs. */
  readonly full: boolean;
  /** What `tools/list` shows to this principal, in the manifest's order. */
  tools(principal: Principal): readonly Tool[];
  /** What services say about the tools that this principal sees, in the names of tools; `undefined` without any. */
  instructions(principal: Principal): string | undefined;
  /** Contracts of the services whose tools this principal sees here. */
  contracts(principal: Principal): readonly Contract[];
  /** What texts for a client of this address call its tools. */
  readonly words: ClientWords;
  /** What a call of a tool of this address alone leads to; `undefined` for other tools, and left out where there are none. */
  readonly choose?: (name: string, input: unknown, principal: Principal) => ToolChoice | undefined;
  /** False where no scope of the principal allows a call of that tool. */
  isAllowed(principal: Principal, name: string): boolean;
  /** The tool of that name, also one that is not listed or that is switched off: dispatch refuses its calls and says why. */
  find(name: string): ToolEntry | undefined;
  /** The procedure of a tool as its contract has it; `undefined` while it is switched off. */
  procedure(name: string): Procedure | undefined;
  /** True for a procedure that may be a run. */
  canBeTask(procedure: string): boolean;
  /** True where a tool that is offered to anybody may be one. */
  hasTasks(): boolean;
  /** The tools listed to this principal that give files: their answers are linked to resources of this address. */
  fileTools(principal: Principal): readonly ToolEntry[];
  /** Names of the tools that are switched on, for messages. */
  names(): readonly string[];
  /** Input schemas of the tools that take arguments in `Mcp-Param-*` headers as well, by name. */
  readonly headerSchemas: ReadonlyMap<string, Record<string, unknown>>;
  /** Sizes of a whole message: the largest of the offered procedures, and room for the envelope. */
  limits(): Limits;
}

export interface Endpoints {
  at(address: Address): Endpoint | Promise<Endpoint | AddressProblem>;
  /** Every service that has an endpoint, for messages. */
  readonly services: readonly string[];
}

/** What endpoints are made of. */
interface EndpointParts {
  readonly catalog: Surroundings["catalog"];
  /** The manifest's tools. */
  readonly entries: readonly ToolEntry[];
  /** Grows with each change of the catalog. */
  readonly changes: () => number;
  /** A tool as the full profile lists it. */
  readonly toFull?: ((entry: ToolEntry) => ToolEntry["tool"]) | undefined;
}

interface Offer {
  readonly own: readonly ToolEntry[];
  readonly relayed: readonly ToolEntry[];
  /** Both. */
  readonly offered: readonly ToolEntry[];
  /** Those of them that are listed. */
  readonly listed: readonly ToolEntry[];
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

/** Endpoints that are kept; one that is left out is made again when it is asked for. */
const mostKept = 256;

/** Reads the manifest's tools once; endpoints of choices are made when a client comes. */
export const makeEndpoints = ({ catalog, manifest, profiles = {} }: Surroundings): Promise<Endpoints> =>
  manifest.tools().then((entries) => {
    const services = [
      ...new Set([...manifest.services.map(({ id }) => id), ...entries.map((e) => serviceId(e.procedure))]),
    ];
    const kept = new Map<string, Endpoint>();
    let changes = 0;
    catalog.onChange(() => {
      changes += 1;
    });
    const keep = (made: Endpoint): Endpoint => {
      if (kept.size >= mostKept) for (const [oldest] of [...kept].slice(0, 1)) kept.delete(oldest);
      kept.set(made.key, made);
      return made;
    };
    const make = (selection: ToolSelection, toFull?: EndpointParts["toFull"]): Endpoint =>
      keep(makeEndpoint({ catalog, entries, changes: () => changes, toFull }, selection));
    const select = (selection: ToolSelection): Endpoint | Promise<Endpoint> => {
      const before = kept.get(selectionKey(selection));
      if (before !== undefined) return before;
      if (selection.mode === "search") return makeSearch(selection);
      if (selection.full !== true) return make(selection);
      return import("./list/full-tools.ts")
        .then(({ loadFullTools }) => loadFullTools({ catalog, manifest }, selection.services ?? services))
        .then((toFull) => make(selection, toFull));
    };
    const makeSearch = (selection: ToolSelection): Promise<Endpoint> =>
      Promise.all([select({ ...selection, mode: undefined }), import("./search/search-endpoint.ts")]).then(
        ([searched, { makeToolChooser }]) =>
          keep({
            ...searched,
            ...makeToolChooser(searched),
            key: selectionKey(selection),
            headerSchemas: new Map(),
          }),
      );
    const all = make({});
    const single = new Map(services.map((id) => [`/${id}`, make({ services: [id] })]));
    const at = ({ path, query = "" }: Address): Endpoint | Promise<Endpoint | AddressProblem> => {
      const plain = path === "" || path === "/" ? all : single.get(path);
      if (plain !== undefined && query === "") return plain;
      return import("./address.ts").then(({ parseAddress }) => {
        const selection = parseAddress({ path, query }, { services, profiles });
        return "status" in selection ? selection : select(selection);
      });
    };
    return { services, at };
  });

const makeEndpoint = (parts: EndpointParts, selection: ToolSelection): Endpoint => {
  const { catalog, entries } = parts;
  const isHere = (entry: ToolEntry): boolean => isSelected(selection, entry);
  const contracts = perRevision(catalog, () => {
    const own = (catalog.ownTools ?? entries).filter(isHere);
    return {
      own,
      byName: new Map(own.map((entry) => [entry.tool.name, entry])),
      toolNames: new Map(own.map(({ procedure, tool }) => [procedure, tool.name])),
      headerSchemas: new Map(own.flatMap(toHeaderSchema)),
    };
  });
  let offer = createOffer(parts, selection, { own: [], relayed: [] });
  let relayed: { readonly at: number; readonly tools: readonly ToolEntry[] } | undefined;

  /** What services relay here; a name that is one of ours already is ours. */
  const others = (): readonly ToolEntry[] => {
    const at = parts.changes();
    if (relayed?.at === at) return relayed.tools;
    const tools = catalog.relayed().filter((entry) => isHere(entry) && !contracts().byName.has(entry.tool.name));
    relayed = { at, tools };
    return tools;
  };

  const findRelayed = (name: string): ToolEntry | undefined => {
    const entry = catalog.tool(name);
    return entry !== undefined && isHere(entry) ? entry : undefined;
  };

  const current = (): Offer => {
    const own = contracts().own.filter(({ procedure }) => catalog.find(procedure) !== undefined);
    const more = others();
    const same = more === offer.relayed && own.length === offer.own.length && own.every((e, at) => e === offer.own[at]);
    if (!same) offer = createOffer(parts, selection, { own, relayed: more });
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

  const canBeTask = (procedure: string): boolean => catalog.find(procedure)?.procedure.run !== undefined;

  const isSeen = (principal: Principal, { procedure, tool }: ToolEntry): boolean =>
    principal.services?.includes(serviceId(procedure)) !== false &&
    (principal.grants === undefined || isAllowed(principal, tool.name));

  const seenContracts = (principal: Principal): readonly Contract[] => {
    const seen = current().listed.filter((entry) => isSeen(principal, entry));
    return [...new Set(seen.map(({ procedure }) => serviceId(procedure)))].flatMap(
      (id) => catalog.all().find(({ service }) => service === id)?.contract ?? [],
    );
  };

  const { services, source } = selection;
  return {
    key: selectionKey(selection),
    service: services?.length === 1 && source === undefined ? services[0] : undefined,
    full: selection.full === true,
    isAllowed,
    tools: (principal) => {
      const { services: allowed } = principal;
      const { listed, relayed: more, tools } = current();
      const seen =
        allowed === undefined
          ? tools
          : tools.filter((_, index) => allowed.includes(serviceId(listed[index]?.procedure ?? "")));
      const granted = principal.grants === undefined ? seen : seen.filter((tool) => isAllowed(principal, tool.name));
      return more.length === 0 ? granted : granted.map(asItIsNow);
    },
    words: {
      tool: (name) => contracts().toolNames.get(name),
      called: (verb) => findCalled(catalog, verb),
    },
    contracts: seenContracts,
    instructions: (principal) => {
      const words = seenContracts(principal).map(({ id, summary, description }) => ({
        id,
        summary,
        description: description && withToolNames(id, description, contracts().toolNames),
      }));
      const [only, ...more] = words;
      if (only === undefined) return undefined;
      if (more.length === 0) return only.description ?? only.summary;
      return words.map((own) => `${own.id}: ${[own.summary, own.description].join(" ").trim()}`).join("\n");
    },
    find,
    get headerSchemas() {
      return contracts().headerSchemas;
    },
    procedure: (name) => catalog.find(name)?.procedure,
    canBeTask,
    hasTasks: () => contracts().own.some(({ procedure }) => canBeTask(procedure)),
    fileTools: (principal) => current().own.filter((entry) => entry.givesFile === true && isSeen(principal, entry)),
    names: () => current().offered.map(({ tool }) => tool.name),
    limits: () => current().limits,
  };
};

/** What a service says about itself: a procedure that it names is the tool that a client has for it. */
const withToolNames = (id: string, text: string, toolNames: ReadonlyMap<string, string>): string =>
  text.replace(/`([A-Za-z]\w*)`/g, (word, name: string) => {
    const tool = toolNames.get(`${id}.${name}`);
    return tool === undefined ? word : `\`${tool}\``;
  });

/** The one procedure that a verb calls. */
const findCalled = (catalog: EndpointParts["catalog"], verb: string): string | undefined => {
  for (const { service, contract } of catalog.all()) {
    const steps = Object.hasOwn(contract?.verbs ?? {}, verb) ? contract?.verbs?.[verb]?.steps : undefined;
    const [step, ...more] = steps ?? [];
    if (step !== undefined) return more.length === 0 ? `${service}.${step.call}` : undefined;
  }
  return undefined;
};

/** One text for each selection. */
const selectionKey = ({ services, source, tools, readOnly = false, full = false, mode }: ToolSelection): string =>
  JSON.stringify([services, source, tools, readOnly, full, mode]);

const isSelected = (selection: ToolSelection, { procedure, tool }: ToolEntry): boolean => {
  const { services, source, tools, readOnly } = selection;
  const { _meta: meta, annotations } = asTool(tool);
  return (
    (services === undefined || services.includes(serviceId(procedure))) &&
    (source === undefined || meta?.[toolSource] === source || meta?.[toolGroup] === source) &&
    (tools === undefined || tools.includes(tool.name)) &&
    (readOnly !== true || annotations?.readOnlyHint === true)
  );
};

const createOffer = (
  { catalog, toFull }: EndpointParts,
  { full = false }: ToolSelection,
  { own, relayed }: Pick<Offer, "own" | "relayed">,
): Offer => {
  const offered = [...own, ...relayed];
  const listed = full ? offered : offered.filter((entry) => entry.listed !== "full");
  return {
    own,
    relayed,
    offered,
    listed,
    tools: listed.map((entry) => (full && toFull !== undefined ? asTool(toFull(entry)) : toListed(entry))),
    limits: messageLimits(
      offered.flatMap(({ procedure, fileArgument }) => [
        catalog.find(procedure)?.limits ?? defaultLimits,
        // A small file comes in the arguments, and is no part of the input.
        ...(fileArgument === undefined ? [] : [defaultLimits]),
      ]),
    ),
  };
};

/** Hosts that search for tools load these at once. */
const alwaysLoad = { "anthropic/alwaysLoad": true } as const;

const toListed = ({ tool, listed }: ToolEntry): Tool =>
  listed === "core" ? { ...asTool(tool), _meta: alwaysLoad } : asTool(tool);

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
