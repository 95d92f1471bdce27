/**
 * Addresses of the MCP transport beyond `/mcp` and `/mcp/<service>`, as choices of tools: `/mcp/<service>/<source>` for those that a service relays
 * from one source, and `?services=rules,loop`, `?profile=<name>`, `?read-only=1`, `?mode=search`. Loaded when a client uses one. Pure.
 *
 * Not here: what is at an address (`endpoint.ts`).
 */
import { didYouMean } from "@fairlead/contracts";
import type { ToolProfile } from "../transport.ts";

/** Which tools an address has. */
export interface ToolSelection extends ToolProfile {
  /** Those that a service relays from this one of its sources, and no others: the tools of one connection. */
  readonly source?: string | undefined;
  /** `search`: tools that find and call the others, in place of all of them. */
  readonly mode?: "search" | undefined;
}

/** Where a client wants to be: the path below the mount, the query without its question mark. */
export interface Address {
  readonly path: string;
  readonly query?: string;
}

/** Why there is nothing at an address. */
export interface AddressProblem {
  readonly status: 400 | 404;
  readonly message: string;
}

/** The profile that lists every tool, with all that its contract says. */
const fullProfile = "full";

/** What an address may name. */
interface KnownNames {
  readonly services: readonly string[];
  readonly profiles: Readonly<Record<string, ToolSelection>>;
}

export const parseAddress = ({ path, query = "" }: Address, known: KnownNames): ToolSelection | AddressProblem => {
  const [, service, source, ...more] = path === "/" ? [] : path.split("/");
  if ((service !== undefined && !known.services.includes(service)) || source === "" || more.length > 0)
    return addressProblem(404, nowhere(known.services));
  const chosen = parseQuery(new URLSearchParams(query), known);
  if (isProblem(chosen)) return chosen;
  const { services = known.services } = chosen;
  if (service === undefined) return chosen;
  if (!services.includes(service)) return addressProblem(404, `the query leaves out ${service}, which the path names`);
  return { ...chosen, services: [service], source };
};

const parameters = ["services", "profile", "read-only", "mode"] as const;

const parseQuery = (query: URLSearchParams, { services, profiles }: KnownNames): ToolSelection | AddressProblem => {
  for (const name of query.keys()) {
    if (parameters.some((each) => each === name) && query.getAll(name).length === 1) continue;
    const meant = didYouMean(name, parameters);
    const next =
      meant === undefined || meant === name
        ? `there are ${parameters.join(", ")}, each once`
        : `did you mean ${meant}?`;
    return addressProblem(400, `/mcp does not take this parameter; ${next}`);
  }
  const readOnly = query.get("read-only") ?? "0";
  if (!["0", "1", "true", "false"].includes(readOnly)) return addressProblem(400, "read-only is 1 or 0");
  const mode = query.get("mode");
  if (mode !== null && mode !== "search") return addressProblem(400, "mode is search, or is left out");
  const named = query.get("services")?.split(",");
  const unknown = named?.find((id) => !services.includes(id));
  if (unknown !== undefined) {
    const meant = didYouMean(unknown, services);
    return addressProblem(
      404,
      `no such service in services; ${meant === undefined ? `there are ${services.join(", ")}` : `did you mean ${meant}?`}`,
    );
  }
  const profile = findProfile(query.get("profile"), profiles);
  if (isProblem(profile)) return profile;
  return narrow(profile, {
    ...(named !== undefined && { services: services.filter((id) => named.includes(id)) }),
    readOnly: readOnly === "1" || readOnly === "true",
    ...(mode !== null && { mode }),
  });
};

const findProfile = (name: string | null, profiles: KnownNames["profiles"]): ToolSelection | AddressProblem => {
  if (name === null) return {};
  if (Object.hasOwn(profiles, name)) return profiles[name] ?? {};
  if (name === fullProfile) return { full: true };
  const names = [fullProfile, ...Object.keys(profiles)];
  return addressProblem(404, `no such profile; there are ${names.join(", ")}`);
};

/** What both select. */
const narrow = (one: ToolSelection, other: ToolSelection): ToolSelection => ({
  services: common(one.services, other.services),
  source: one.source ?? other.source,
  tools: common(one.tools, other.tools),
  readOnly: one.readOnly === true || other.readOnly === true,
  full: one.full === true || other.full === true,
  mode: one.mode ?? other.mode,
});

const common = (
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one.filter((id) => other.includes(id));

const nowhere = (services: readonly string[]): string =>
  `No MCP endpoint here; there are ${["/mcp", ...services.map((id) => `/mcp/${id}`)].join(", ")}`;

const addressProblem = (status: AddressProblem["status"], message: string): AddressProblem => ({ status, message });

const isProblem = (found: ToolSelection | AddressProblem): found is AddressProblem => "status" in found;
