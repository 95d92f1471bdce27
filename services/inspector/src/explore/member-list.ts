/** Members before they are shown: which a declaration has, which an object has beside it, each shown when it is its turn. */
import { dynamic, type Resumable, type Type } from "@fairlead/linq";
import type { MemberDeclaration } from "../host/declaration.ts";
import type { Registry } from "../host/registry.ts";
import type { HiddenMember } from "./hidden-view.ts";
import { maskMember } from "./mask.ts";
import type { MemberInfo, MethodInfo } from "./shape.ts";
import { inheritedDeclarations, methodInfo } from "./types.ts";

export const keyType = (type: Type): Type => (type.kind === "list" ? type.key : undefined) ?? dynamic;

/** Members that are shown one by one, when it is their turn. */
export interface MemberList {
  readonly length: number;
  readonly show: (index: number) => Resumable<MemberInfo>;
}

export const listMembers = <T>(from: readonly T[], show: (each: T) => Resumable<MemberInfo>): MemberList => ({
  length: from.length,
  *show(index) {
    const each = from[index];
    if (each === undefined) throw new RangeError(`There is no member ${index}`);
    return yield* show(each);
  },
});

/** A hidden member, which needs no reading and so no pause. */
export const showAtOnce = function* (member: HiddenMember): Resumable<MemberInfo> {
  return maskMember(member);
};

/** Names that a declaration has words for: its members and the properties that they are read from. */
export const declaredKeys = (members: ReadonlyMap<string, MemberDeclaration>): ReadonlySet<string> =>
  new Set([...members.values()].flatMap(({ name, key }) => (typeof key === "string" ? [name, key] : [name])));

/** Declared methods, and those of the object's classes that have no declaration. */
export const withUndeclared = (
  declared: readonly MethodInfo[],
  found: readonly MethodInfo[],
): readonly MethodInfo[] => {
  const names = new Set(["tostring", ...declared.map(({ name }) => name.replace(/<.*/, "").toLowerCase())]);
  return [...declared, ...found.filter(({ name }) => !names.has(name.toLowerCase()))];
};

export const declaredMembers = (registry: Registry, name: string): ReadonlyMap<string, MemberDeclaration> => {
  const found = new Map<string, MemberDeclaration>();
  for (const { members = [] } of inheritedDeclarations(registry, name))
    for (const each of members) if (!found.has(each.name)) found.set(each.name, each);
  return found;
};

export const declaredMethods = (registry: Registry, name: string): readonly MethodInfo[] =>
  [...inheritedDeclarations(registry, name)].flatMap(({ methods = [] }) => methods.map(methodInfo));
