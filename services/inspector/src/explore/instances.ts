/**
 * `instances:Order`: the objects of a class that roots lead to, with a path to each, and how many are reached through what. Reachable is not all
 * there are: what only closures and private fields lead to is not met, and the answer says how far the walk went.
 */
import { didYouMean, type HostAccess, LinqError, type Resumable } from "@fairlead/linq";
import { ClassNames } from "./class-name.ts";
import { ObjectWalk } from "./object-walk.ts";
import type { InstancesInfo } from "./shape.ts";

interface InstanceOptions {
  readonly host: HostAccess;
  /** Milliseconds from any origin. */
  readonly elapsed: () => number;
  readonly wallMs: number;
  readonly limit: number;
  readonly offset: number;
}

/** Objects that one walk looks at. */
const mostObjects = 200_000;
/** Elements of one list or map, and fields of one object, that it follows. */
const mostEach = 100_000;
/** Ways that are listed: those that lead to most. */
const mostHolders = 20;

/** Objects between two pauses, when paths are written. */
const stride = 32;

/** Names that count as one class: the full one of a declaration and its last part, in any case. */
const isNamed = (wanted: string, name: string): boolean => {
  const lower = name.toLowerCase();
  return lower === wanted || lower.endsWith(`.${wanted}`);
};

export const findInstances = function* (name: string, options: InstanceOptions): Resumable<InstancesInfo> {
  const { host, limit, offset } = options;
  const wanted = name.toLowerCase();
  const classes = new ClassNames();
  const met = new Set<string>();
  const found: { readonly value: object; readonly type: string }[] = [];
  const walk = new ObjectWalk({ ...options, mostObjects, mostEach });
  yield* walk.run((value) => {
    const declared = host.findClass(value)?.fullName;
    const names = declared === undefined ? classes.of(value) : [declared, ...classes.of(value)];
    const [own] = names;
    if (own === undefined) return;
    met.add(own);
    if (names.some((each) => isNamed(wanted, each))) found.push({ value, type: own });
  });
  if (found.length === 0) throw unknownClass(name, met, walk);
  const shown = found.slice(offset, offset + limit);
  const more = found.length - offset - shown.length;
  return {
    instances: name,
    count: found.length,
    items: shown.map(({ value, type }, index) => ({ index: offset + index, type, expr: walk.path(value) })),
    holders: yield* countHolders(found, walk),
    ...(more > 0 ? { more } : {}),
    hint: extent(walk),
  };
};

/** How many are reached by paths that differ in indexes and keys only; the first one of each shows the way. */
const countHolders = function* (
  found: readonly { readonly value: object }[],
  walk: ObjectWalk,
): Resumable<InstancesInfo["holders"]> {
  const holders = new Map<string, { count: number; readonly first: object }>();
  for (const [index, { value }] of found.entries()) {
    if (index % stride === 0) yield;
    const path = walk.path(value, "any");
    const known = holders.get(path);
    if (known === undefined) holders.set(path, { count: 1, first: value });
    else known.count++;
  }
  const most = [...holders].sort(([, a], [, b]) => b.count - a.count).slice(0, mostHolders);
  return most.map(([path, { count, first }]) => ({ path, count, expr: walk.path(first) }));
};

const unknownClass = (name: string, met: ReadonlySet<string>, walk: ObjectWalk): LinqError => {
  const near = didYouMean(name, [...met]);
  return new LinqError("unknown_type", `No object of the class '${name}' is reachable from the roots`, {
    position: "instances:".length,
    text: `instances:${name}`,
    length: name.length,
    hint: near ?? extent(walk),
  });
};

const extent = ({ objects, isCut, passedOver }: ObjectWalk): string => {
  const looked = `reachable from the roots; ${objects} objects were looked at`;
  const cut = isCut ? ", not all there are: name a root nearer to what you look for" : "";
  const large =
    passedOver === 0 ? "" : `; ${passedOver} with very many names passed over (\`pause: true\` looks into them)`;
  return looked + cut + large;
};
