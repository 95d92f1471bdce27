/**
 * Addresses of resources: `fairlead://rules/monsters/5.1/Goblin` is the path of a resource of a contract, with each field's value as one percent-encoded
 * part. Pure.
 *
 * Not here: the files of downloads, which have addresses of the same scheme (`transport/mcp/files/file-uri.ts`).
 */
import type { Contract, Resource } from "@fairlead/contracts";
import type { Values } from "./choices.ts";

export interface NamedResource {
  /** By service and key, like `rules_monster`. */
  readonly name: string;
  readonly service: string;
  readonly resource: Resource;
}

/** A resource with the values that an address has of it. */
export interface FoundResource extends NamedResource {
  readonly uri: string;
  readonly values: Values;
}

const scheme = "fairlead://";
/** Characters; longer ones are of nothing. */
const longest = 4_096;
const place = /^\{([a-z][A-Za-z0-9]*)\}$/;

/** What clients call a resource or a prompt of a contract: by service and key, like `rules_monster`. */
export const memberName = (service: string, key: string): string =>
  `${service}_${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

export const resourcesIn = (contracts: readonly Contract[]): readonly NamedResource[] =>
  contracts.flatMap(({ id, resources = {} }) =>
    Object.entries(resources).map(([key, resource]) => ({
      name: memberName(id, key),
      service: id,
      resource,
    })),
  );

/** Names of the fields of a path, in their order. */
export const fieldNames = ({ path }: Resource): readonly string[] =>
  path.split("/").flatMap((segment) => place.exec(segment)?.[1] ?? []);

/** By RFC 6570. */
export const resourceTemplate = ({ service, resource }: NamedResource): string =>
  `${scheme}${service}/${resource.path}`;

export const resourceUri = ({ service, resource }: NamedResource, values: Values): string =>
  `${scheme}${service}/${resource.path
    .split("/")
    .map((segment) => {
      const name = place.exec(segment)?.[1];
      return name === undefined ? segment : encodeURIComponent(values[name] ?? "");
    })
    .join("/")}`;

/** Nothing for an address that no resource has. A word of a path wins over a field that would take it. */
export const findResource = (contracts: readonly Contract[], uri: string): FoundResource | undefined => {
  if (!uri.startsWith(scheme) || uri.length > longest) return undefined;
  const [service, ...parts] = uri.slice(scheme.length).split("/");
  const all = resourcesIn(contracts.filter(({ id }) => id === service));
  const matches = all.flatMap((named) => {
    const values = matchPath(named.resource.path.split("/"), parts);
    return values === undefined ? [] : [{ ...named, uri, values }];
  });
  return matches.toSorted((a, b) => Object.keys(a.values).length - Object.keys(b.values).length)[0];
};

const matchPath = (segments: readonly string[], parts: readonly string[]): Values | undefined => {
  if (segments.length !== parts.length) return undefined;
  const values: [string, string][] = [];
  for (const [at, segment] of segments.entries()) {
    const name = place.exec(segment)?.[1];
    const part = parts[at] ?? "";
    if (name === undefined && segment !== part) return undefined;
    if (name === undefined) continue;
    const value = decode(part);
    if (value === undefined || value === "") return undefined;
    values.push([name, value]);
  }
  return Object.fromEntries(values);
};

const decode = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};
