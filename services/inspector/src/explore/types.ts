/** Type information and search, from the declarations of a registry. Nothing of the host is read. */
import { didYouMean, LinqError } from "@fairlead/linq";
import type { Json } from "../encode/encode.ts";
import type {
  Access,
  AttributeDeclaration,
  EnumDeclaration,
  MemberDeclaration,
  MethodDeclaration,
  TypeDeclaration,
} from "../host/declaration.ts";
import { simpleName } from "../host/define-class.ts";
import { glob } from "../host/glob.ts";
import { computeLayout } from "../host/layout.ts";
import { copyElements, isProxy, ownNames, readInstant } from "../host/reading.ts";
import type { RegisteredType, Registry } from "../host/registry.ts";
import type { AttributeInfo, MemberInfo, MethodInfo, SearchInfo, TypeInfo } from "./shape.ts";

/** What one declared type is: members, methods, attributes, layout. */
export const typeInfo = (name: string, registry: Registry, includePrivate: boolean): TypeInfo | undefined => {
  const found = registry.find(name) ?? ignoringCase(name, registry);
  if (found === undefined) return undefined;
  const { declaration } = found;
  return declaration.kind === "enum" ? enumInfo(declaration) : classInfo(declaration, registry, includePrivate);
};

const ignoringCase = (name: string, registry: Registry): RegisteredType | undefined => {
  const lower = name.toLowerCase();
  for (const each of registry.all()) {
    const full = each.declaration.name.toLowerCase();
    if (full === lower || full.endsWith(`.${lower}`)) return each;
  }
  return undefined;
};

/** The error for a name that is neither declared nor among `learned`. */
export const unknownType = (name: string, registry: Registry, learned: readonly string[]): LinqError => {
  const names = [...[...registry.all()].map(({ definition }) => definition.name), ...learned];
  return new LinqError("unknown_type", `Type '${name}' not found`, {
    position: "type:".length,
    text: `type:${name}`,
    length: name.length,
    hint: didYouMean(name, names) ?? "use search:*Part*",
  });
};

const enumInfo = ({ name, values, flags, underlying = "Int32", attributes = [] }: EnumDeclaration): TypeInfo => ({
  type: name,
  kind: "enum",
  attributes: [...(flags === true ? [{ name: "Flags", args: {} }] : []), ...attributes.map(attributeInfo)],
  underlying,
  values,
});

const classInfo = (declaration: TypeDeclaration, registry: Registry, includePrivate: boolean): TypeInfo => {
  const layout = computeLayout(declaration, registry);
  const lineage = [...inheritedDeclarations(registry, declaration.name)];
  const isShown = ({ access }: { readonly access?: string }): boolean =>
    includePrivate || access === undefined || access === "public";
  return {
    type: declaration.name,
    kind: declaration.kind,
    ...(declaration.base === undefined ? {} : { base: declaration.base }),
    attributes: [...layoutAttribute(declaration), ...(declaration.attributes ?? []).map(attributeInfo)],
    ...(layout === undefined ? {} : { size: layout.size }),
    members: withInherited(lineage, ({ members }) => members)
      .filter(isShown)
      .map((member) =>
        memberInfo(
          member,
          declaration,
          layout?.fields.find(({ name }) => name === member.name),
        ),
      ),
    methods: withInherited(lineage, ({ methods }) => methods)
      .filter(isShown)
      .map(methodInfo),
  };
};

/** A class and its bases, itself first. */
export const inheritedDeclarations = function* (registry: Registry, name: string): Iterable<TypeDeclaration> {
  for (let at: string | undefined = name; at !== undefined; ) {
    const found: ReturnType<Registry["find"]> = registry.find(at);
    if (found === undefined || found.declaration.kind === "enum") return;
    yield found.declaration;
    at = found.declaration.base;
  }
};

/** What a class has of its own and of its bases; a base's private members are its own business, and so is what is redefined. */
const withInherited = <M extends { readonly name: string; readonly access?: Access }>(
  [own, ...bases]: readonly TypeDeclaration[],
  of: (declaration: TypeDeclaration) => readonly M[] | undefined,
): readonly M[] => {
  const found = [...(own === undefined ? [] : (of(own) ?? []))];
  for (const base of bases)
    for (const each of of(base) ?? [])
      if (each.access !== "private" && !found.some(({ name }) => name === each.name)) found.push(each);
  return found;
};

const layoutAttribute = ({ kind, layout }: TypeDeclaration): readonly AttributeInfo[] => {
  if (kind !== "struct" || layout === undefined) return [];
  const { kind: LayoutKind, pack, size, charSet } = layout;
  return [
    {
      name: "StructLayout",
      args: {
        LayoutKind,
        ...(pack === undefined ? {} : { Pack: pack }),
        ...(size === undefined ? {} : { Size: size }),
        ...(charSet === undefined ? {} : { CharSet: charSet }),
      },
    },
  ];
};

/** Hexadecimal, as the specification writes offsets. */
const hex = (value: number): string => `0x${value.toString(16).toUpperCase()}`;

const memberInfo = (
  member: MemberDeclaration,
  declaration: TypeDeclaration,
  field: { readonly offset: number; readonly size: number } | undefined,
): MemberInfo => {
  const offset = field === undefined ? undefined : hex(field.offset);
  const explicit = declaration.layout?.kind === "Explicit" && offset !== undefined;
  const attributes = [
    ...(explicit ? [{ name: "FieldOffset", args: { offset } }] : []),
    ...(member.attributes ?? []).map(attributeInfo),
  ];
  return {
    name: member.name,
    kind: member.kind,
    type: member.type,
    access: member.access ?? "public",
    ...(attributes.length === 0 ? {} : { attributes }),
    ...(offset === undefined ? {} : { offset }),
    ...(field === undefined ? {} : { size: field.size }),
    ...(member.isStatic === true ? { isStatic: true, ...staticAccess(member, declaration) } : {}),
  };
};

/** The expression of a static member, or why there is none. */
const staticAccess = (
  { name, read, key }: MemberDeclaration,
  { name: type, constructs }: TypeDeclaration,
): Pick<MemberInfo, "expr" | "unreadable"> =>
  read !== undefined || (constructs !== undefined && key !== null)
    ? { expr: `${simpleName(type)}.${name}` }
    : { unreadable: `'${name}' can be listed but not read; mark it readable in the host's declaration` };

export const attributeInfo = ({ name, args }: AttributeDeclaration): AttributeInfo => ({
  name,
  args: Object.fromEntries(Object.entries(args).map(([key, value]) => [key, argument(value)])),
});

/** Elements of a list in an attribute. */
const mostArguments = 10_000;
/** Deepest list or object in an attribute. */
const deepestArgument = 8;

/** The host wrote the declaration; of an object only own data is read all the same. */
const argument = (value: unknown, depth = 0): Json => {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null || isProxy(value) || depth >= deepestArgument) return null;
  const instant = readInstant(value);
  if (instant !== undefined) return new Date(instant).toISOString();
  const items = copyElements(value, mostArguments);
  if (items !== undefined) return items.map((item) => argument(item, depth + 1));
  return Object.fromEntries(
    ownNames(value).map((name) => {
      const found = Object.getOwnPropertyDescriptor(value, name);
      return [name, argument(found !== undefined && "value" in found ? found.value : null, depth + 1)];
    }),
  );
};

/** `T GetComponent<T>()`. */
export const methodInfo = ({
  name,
  typeParameters = [],
  parameters = [],
  returns,
  access,
  pure,
  attributes,
  isStatic,
}: MethodDeclaration): MethodInfo => {
  const generic = typeParameters.length === 0 ? name : `${name}<${typeParameters.join(", ")}>`;
  const list = parameters
    .map((parameter) => `${parameter.type} ${parameter.name}${parameter.optional === true ? " = default" : ""}`)
    .join(", ");
  return {
    name: generic,
    signature: `${isStatic === true ? "static " : ""}${returns} ${generic}(${list})`,
    access: access ?? "public",
    callable: pure !== undefined,
    ...(attributes === undefined ? {} : { attributes: attributes.map(attributeInfo) }),
  };
};

interface SearchOptions {
  readonly limit: number;
  readonly offset: number;
  readonly includePrivate: boolean;
  readonly only?: "types";
}

/** A type as a search sees it. */
interface SearchableType {
  readonly name: string;
  readonly kind: string;
  readonly members: readonly Pick<MemberInfo, "name" | "kind" | "type" | "access">[];
  readonly methods: readonly Pick<MethodInfo, "name" | "signature" | "access">[];
}

/** The declared types of a registry. */
export const declaredTypes = function* (registry: Registry): Iterable<SearchableType> {
  for (const { declaration } of registry.all()) {
    const { name, kind } = declaration;
    const { members = [], methods = [] } = declaration.kind === "enum" ? {} : declaration;
    yield {
      name,
      kind,
      members: members.map(({ access = "public", ...each }) => ({ ...each, access })),
      methods: methods.map((method) => ({ ...methodInfo(method), name: method.name })),
    };
  }
};

/** Types and members by their whole name; `*` and `?` are wild, everything ignores case. */
export const search = (
  pattern: string,
  among: Iterable<SearchableType>,
  { limit, offset, includePrivate, only }: SearchOptions,
): SearchInfo => {
  const matches = glob(pattern.trim());
  const types: SearchInfo["types"][number][] = [];
  const members: SearchInfo["members"][number][] = [];
  for (const { name: type, kind, ...has } of among) {
    if (matches(simpleName(type)) || matches(type)) types.push({ type, kind, target: `type:${type}` });
    if (only === "types") continue;
    const found = (name: string, access: string): boolean => matches(name) && (includePrivate || access === "public");
    for (const { name, kind: memberKind, type: memberType, access } of has.members)
      if (found(name, access)) members.push({ type, name, kind: memberKind, memberType, access });
    for (const { name, signature, access } of has.methods)
      if (found(name, access)) members.push({ type, name, kind: "method", memberType: signature, access });
  }
  const shownTypes = types.slice(offset, offset + limit);
  const before = Math.max(0, offset - types.length);
  const shownMembers = members.slice(before, before + limit - shownTypes.length);
  const count = types.length + members.length;
  const more = count - offset - shownTypes.length - shownMembers.length;
  return {
    search: pattern,
    types: shownTypes,
    members: shownMembers,
    count,
    ...(more > 0 ? { more } : {}),
    ...(count === 0 ? { hint: notFoundHint(pattern.trim()) } : {}),
  };
};

const notFoundHint = (pattern: string): string =>
  pattern === ""
    ? "a pattern is missing: search:*Part* finds types and members by a part of their name, search:* lists all"
    : pattern.includes("*")
      ? "types and their members are searched, not objects: explore a root to see those"
      : `whole names are compared: search:*${pattern}* finds parts of them`;
