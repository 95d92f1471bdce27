/**
 * The addresses of the MCP transport: `/mcp` for all tools, `/mcp/<service>` for those of one service, `/mcp/<service>/<source>` for those that
 * it relays from one source, and in the query a choice of them: `?services=rules,loop`, `?profile=<name>`, `?read-only=1`.
 *
 * Not here: what is at an address (`endpoint.ts`).
 */
import { didYouMean } from "@fairlead/contracts";
import type { Tool } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../../host/manifest.ts";
import type { Surroundings } from "../transport.ts";
import { type Endpoint, makeEndpoint, selectionKey, serviceId, type ToolSelection } from "./endpoint.ts";

/** Where a client wants to be: the path below the mount, the query without its question mark. */
export interface Address {
  readonly path: string;
  readonly query?: string;
}

/** Why there is nothing at an address. */
export class AddressProblem {
  readonly status: 400 | 404;
  readonly message: string;

  constructor(status: 400 | 404, message: string) {
    this.status = status;
    this.message = message;
  }
}

export interface Endpoints {
  at(address: Address): Endpoint | AddressProblem | Promise<Endpoint>;
  /** The endpoint of a selection. */
  select(selection: ToolSelection): Endpoint | Promise<Endpoint>;
  /** Every service that has an endpoint, for messages. */
  readonly services: readonly string[];
}

/** Endpoints that are kept; one that is left out is made again when it is asked for. */
const mostKept = 256;

/** The profile that lists every tool, with all that its contract says. */
const fullProfile = "full";

/** Reads the manifest's tools once; endpoints are made when a client comes. */
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
    const make = (selection: ToolSelection, toFull?: (entry: ToolEntry) => Tool): Endpoint => {
      const made = makeEndpoint({ catalog, entries, changes: () => changes, toFull }, selection);
      if (kept.size >= mostKept) for (const [oldest] of [...kept].slice(0, 1)) kept.delete(oldest);
      kept.set(made.key, made);
      return made;
    };
    const select = (selection: ToolSelection): Endpoint | Promise<Endpoint> => {
      const before = kept.get(selectionKey(selection));
      if (before !== undefined) return before;
      if (selection.full !== true) return make(selection);
      return import("./full-tools.ts")
        .then(({ loadFullTools }) => loadFullTools({ catalog, manifest }, selection.services ?? services))
        .then((toFull) => make(selection, toFull));
    };
    const all = make({});
    const single = new Map(services.map((id) => [`/${id}`, make({ services: [id] })]));
    const at = ({ path, query = "" }: Address): Endpoint | AddressProblem | Promise<Endpoint> => {
      const plain = path === "" || path === "/" ? all : single.get(path);
      if (plain !== undefined && query === "") return plain;
      const selection = parseAddress({ path, query }, { services, profiles });
      return selection instanceof AddressProblem ? selection : select(selection);
    };
    return { services, at, select };
  });

interface KnownNames {
  readonly services: readonly string[];
  readonly profiles: Readonly<Record<string, ToolSelection>>;
}

const parseAddress = ({ path, query = "" }: Address, known: KnownNames): ToolSelection | AddressProblem => {
  const [, service, source, ...more] = path === "/" ? [] : path.split("/");
  if ((service !== undefined && !known.services.includes(service)) || source === "" || more.length > 0)
    return new AddressProblem(404, nowhere(known.services));
  const chosen = parseQuery(new URLSearchParams(query), known);
  if (chosen instanceof AddressProblem) return chosen;
  const { services = known.services } = chosen;
  if (service === undefined) return chosen;
  if (!services.includes(service))
    return new AddressProblem(404, `the query leaves out ${service}, which the path names`);
  return { ...chosen, services: [service], source };
};

const parameters = ["services", "profile", "read-only"] as const;

const parseQuery = (query: URLSearchParams, { services, profiles }: KnownNames): ToolSelection | AddressProblem => {
  for (const name of query.keys()) {
    if (parameters.some((each) => each === name) && query.getAll(name).length === 1) continue;
    const meant = didYouMean(name, parameters);
    const next =
      meant === undefined || meant === name
        ? `there are ${parameters.join(", ")}, each once`
        : `did you mean ${meant}?`;
    return new AddressProblem(400, `/mcp does not take this parameter; ${next}`);
  }
  const readOnly = query.get("read-only") ?? "0";
  if (!["0", "1", "true", "false"].includes(readOnly)) return new AddressProblem(400, "read-only is 1 or 0");
  const named = query.get("services")?.split(",");
  const unknown = named?.find((id) => !services.includes(id));
  if (unknown !== undefined) {
    const meant = didYouMean(unknown, services);
    return new AddressProblem(
      404,
      `no such service in services; ${meant === undefined ? `there are ${services.join(", ")}` : `did you mean ${meant}?`}`,
    );
  }
  const profile = findProfile(query.get("profile"), profiles);
  if (profile instanceof AddressProblem) return profile;
  return narrow(profile, {
    ...(named !== undefined && { services: services.filter((id) => named.includes(id)) }),
    readOnly: readOnly === "1" || readOnly === "true",
  });
};

const findProfile = (name: string | null, profiles: KnownNames["profiles"]): ToolSelection | AddressProblem => {
  if (name === null) return {};
  if (Object.hasOwn(profiles, name)) return profiles[name] ?? {};
  if (name === fullProfile) return { full: true };
  const names = [fullProfile, ...Object.keys(profiles)];
  return new AddressProblem(404, `no such profile; there are ${names.join(", ")}`);
};

/** What both select. */
export const narrow = (one: ToolSelection, other: ToolSelection): ToolSelection => ({
  services: common(one.services, other.services),
  source: one.source ?? other.source,
  tools: common(one.tools, other.tools),
  readOnly: one.readOnly === true || other.readOnly === true,
  full: one.full === true || other.full === true,
});

const common = (
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one.filter((id) => other.includes(id));

const nowhere = (services: readonly string[]): string =>
  `No MCP endpoint here; there are ${["/mcp", ...services.map((id) => `/mcp/${id}`)].join(", ")}`;
