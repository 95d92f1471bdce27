/** `type:`, `search:` and `instances:`: declared types, and where objects without a declaration can be looked into the classes that those have. */
import type { HostAccess, Resumable } from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import type { Registry } from "../host/registry.ts";
import type { HiddenView } from "./hidden-view.ts";
import { findInstances } from "./instances.ts";
import { type LearnedClass, type LearnedTypes, learnTypes } from "./learned-types.ts";
import type { InstancesInfo, SearchInfo, TypeInfo } from "./shape.ts";
import { declaredTypes, search, typeInfo, unknownType } from "./types.ts";

/** A target of `explore` that is not an object. */
export type TypeTarget =
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "types"; readonly pattern: string }
  | { readonly kind: "search"; readonly pattern: string }
  | { readonly kind: "instances"; readonly name: string };

interface TypeSources {
  readonly host: HostAccess;
  readonly registry: Registry;
  readonly limits: Limits;
  readonly elapsed: () => number;
  /** Absent where every type is declared: then nothing is learned. */
  readonly hidden?: HiddenView | undefined;
}

interface TypeOptions {
  readonly includePrivate: boolean;
  readonly limit: number;
  readonly offset: number;
}

export const exploreTypes = function* (
  target: TypeTarget,
  options: TypeOptions,
  sources: TypeSources,
): Resumable<TypeInfo | SearchInfo | InstancesInfo> {
  const { registry, limits } = sources;
  if (target.kind === "instances")
    return yield* findInstances(target.name, { ...sources, ...options, wallMs: limits.wallMs });
  if (target.kind === "type") {
    const declared = typeInfo(target.name, registry, options.includePrivate);
    const info = declared ?? learnedInfo(target.name, yield* learned(sources), { registry, ...options });
    return info.members === undefined ? info : { ...info, members: info.members.slice(options.offset) };
  }
  const found = yield* learned(sources);
  const among = [...declaredTypes(registry), ...found.classes.map((each) => ({ ...each, kind: "class" }))];
  const only = target.kind === "types" ? { only: "types" as const } : {};
  const info = search(target.pattern, among, { ...options, ...only });
  const hints = [...(info.hint === undefined ? [] : [info.hint]), ...(found.isCut ? [extent(found)] : [])];
  return hints.length === 0 ? info : { ...info, hint: hints.join("; ") };
};

const nothing: LearnedTypes = { classes: [], objects: 0, isCut: false, passedOver: 0 };

const learned = function* ({ hidden, host, elapsed, limits }: TypeSources): Resumable<LearnedTypes> {
  return hidden === undefined ? nothing : yield* learnTypes({ hidden, host, elapsed, wallMs: limits.wallMs });
};

/** Several classes may have one name: the one with the most objects is meant. */
const learnedInfo = (
  name: string,
  types: LearnedTypes,
  { registry, includePrivate }: { readonly registry: Registry; readonly includePrivate: boolean },
): TypeInfo => {
  const lower = name.toLowerCase();
  const named = types.classes.filter((each) => each.name.toLowerCase() === lower);
  const exact = named.filter((each) => each.name === name);
  const [found, ...others] = (exact.length > 0 ? exact : named).sort((a, b) => b.instances - a.instances);
  const all = types.classes.map((each) => each.name);
  if (found === undefined) throw unknownType(name, registry, all);
  const isShown = ({ access }: { readonly access: string }): boolean => includePrivate || access === "public";
  return {
    type: found.name,
    kind: "class",
    ...(found.base === undefined ? {} : { base: found.base }),
    attributes: [],
    members: found.members.filter(isShown),
    methods: found.methods.filter(isShown),
    hint: `${countText(found)}${others.length === 0 ? "" : `; ${others.length} more of that name`}; ${extent(types)}`,
  };
};

const countText = ({ instances }: LearnedClass): string =>
  instances === 0
    ? "learned as a base of others"
    : `learned from ${instances} ${instances === 1 ? "object" : "objects"}`;

const extent = ({ objects, isCut, passedOver }: LearnedTypes): string => {
  const looked = `${objects} objects were looked at, from the roots on`;
  const cut = isCut ? ", not all there are: name a root nearer to what you look for" : "";
  const large =
    passedOver === 0
      ? ""
      : `; ${passedOver} with very many names passed over: \`pause: true\` looks into them, which stops the program`;
  return looked + cut + large;
};
