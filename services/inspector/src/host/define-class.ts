/**
 * Declarations become the definitions that the language binds against. Functions that the host marked as readable or free of effects are
 * called with instances of their class only, and what they throw is reported.
 */
import {
  absent,
  type ClassDefinition,
  derivesFrom,
  fault,
  type LinqError,
  type MemberDefinition,
  type MethodDefinition,
  type Type,
  typeName,
} from "@fairlead/linq";
import type { EnumDefinition } from "@fairlead/linq/values";
import type { EnumDeclaration, MemberDeclaration, MethodDeclaration, TypeDeclaration } from "./declaration.ts";
import { guardHostCode, ignoreRejection } from "./host-code.ts";
import { isProxy, ownData } from "./reading.ts";
import { type Redaction, redactedError } from "./redaction.ts";

/** `Life` of `ExileCore.PoEMemory.Components.Life`. */
export const simpleName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** Resolves what is resolved lazily, so that a wrong name shows when types are registered and not when they are used. */
export const touch = (definition: ClassDefinition): void => {
  for (const method of definition.methods) method.returns(method.typeParameters);
  for (const { type } of definition.members.values()) typeName(type);
  if (definition.base !== undefined) typeName({ kind: "class", definition: definition.base });
};

export const enumFrom = ({ name, values, flags = false, underlying = "Int32" }: EnumDeclaration): EnumDefinition => ({
  kind: "enum",
  name: simpleName(name),
  fullName: name,
  flags,
  underlying,
  values: new Map(Object.entries(values)),
});

/** Which declared members are not read, whatever their declaration says. */
export interface MemberPolicy {
  readonly redaction?: Redaction | undefined;
  /** True when private members are denied. */
  readonly deniesPrivate?: boolean | undefined;
}

/** The other types, as far as a class needs them. */
interface ClassScope {
  /** A type from its text. */
  readonly find: (text: string) => Type;
  readonly base: () => ClassDefinition | undefined;
  /** The declared class of a value. */
  readonly findClass: (value: object) => ClassDefinition | undefined;
  readonly policy: MemberPolicy;
}

/** Members and base are worked out on first use: types may refer to types declared later, and to themselves. */
export const lazyClass = (
  declaration: TypeDeclaration,
  { find, base, findClass, policy }: ClassScope,
): ClassDefinition => {
  const { name, display, open = false, indexer, constructs } = declaration;
  const guard = <A extends unknown[], R>(what: string, run: (owner: object, ...values: A) => R) =>
    guardHostCode(what, (owner: object, ...values: A): R => {
      if (isInstance(owner)) return run(owner, ...values);
      throw fault("type_mismatch", `'${what}' is for a ${simpleName(name)}, and the host holds something else there`);
    });
  /** Of the class itself: there is no instance to be checked, the class's constructor is in its place. */
  const unguarded = <A extends unknown[], R>(what: string, run: (owner: object, ...values: A) => R) =>
    guardHostCode(what, (_: object, ...values: A): R => run(constructs ?? Object.create(null), ...values));
  /** Of this class or one derived from it; plain data where there is no JavaScript class. */
  const isInstance = (owner: object): boolean => {
    const actual = findClass(owner);
    return actual === undefined ? constructs === undefined && !isProxy(owner) : derivesFrom(actual, self());
  };
  const self = (): ClassDefinition => definition as ClassDefinition;
  let members: ReadonlyMap<string, MemberDefinition> | undefined;
  let methods: readonly MethodDefinition[] | undefined;
  let known: { readonly base: ClassDefinition | undefined } | undefined;
  const definition = {
    kind: "class" as const,
    name: simpleName(name),
    fullName: name,
    open,
    get base(): ClassDefinition | undefined {
      known ??= { base: base() };
      return known.base;
    },
    get members(): ReadonlyMap<string, MemberDefinition> {
      members ??= new Map(
        (declaration.members ?? [])
          .filter((each) => each.isStatic !== true)
          .map((each) => [each.name, memberUnder(policy, each, find, guard)]),
      );
      return members;
    },
    get methods(): readonly MethodDefinition[] {
      methods ??= (declaration.methods ?? [])
        .filter((each) => each.isStatic !== true)
        .map((each) => methodFrom(each, find, guard));
      return methods;
    },
    get statics(): ReadonlyMap<string, MemberDefinition> {
      return new Map(
        (declaration.members ?? [])
          .filter((each) => each.isStatic === true)
          .map((each) => [each.name, memberUnder(policy, each, find, unguarded)]),
      );
    },
    get staticMethods(): readonly MethodDefinition[] {
      return (declaration.methods ?? [])
        .filter((each) => each.isStatic === true)
        .map((each) => methodFrom(each, find, unguarded));
    },
    get indexer(): ClassDefinition["indexer"] {
      return indexer === undefined
        ? undefined
        : { key: find(indexer.key), type: find(indexer.type), read: guard(`${name}[…]`, indexer.read) };
    },
    ...(display === undefined ? {} : { display: guard(`${name}.ToString`, (owner) => callDisplay(display, owner)) }),
  };
  return self();
};

const callDisplay = (display: (owner: object) => string, owner: object): string => {
  const text: unknown = display(owner);
  return typeof text === "string" ? text.slice(0, 1_000) : "";
};

/** Makes a function of the host's declaration safe to call: it gets instances of its class only. */
type GuardHostCode = <A extends unknown[], R>(
  what: string,
  run: (owner: object, ...values: A) => R,
) => (owner: object, ...values: A) => R;

const memberUnder = (
  { redaction, deniesPrivate }: MemberPolicy,
  declaration: MemberDeclaration,
  ...[find, guard]: readonly [(text: string) => Type, GuardHostCode]
): MemberDefinition => {
  const { name, key, access } = declaration;
  const refuse = (error: () => LinqError): MemberDefinition => ({
    name,
    type: find(declaration.type),
    read: () => {
      throw error();
    },
  });
  if (redaction?.hides(name) === true || (typeof key === "string" && redaction?.hides(key) === true))
    return { ...refuse(() => redactedError(name)), isRedacted: true };
  if (deniesPrivate === true && access === "private") return refuse(() => deniedPrivate(name));
  return memberFrom(declaration, find, guard);
};

/** The error of a private member where the host denies them all. */
const deniedPrivate = (name: string): LinqError =>
  fault("not_readable", `'${name}' is private, and ${privateDenied}`, "ask for a public member");

/** Names the setting. */
export const privateDenied = 'the host denies private members (`privateMembers: "denied"`)';

const memberFrom = (
  declaration: MemberDeclaration,
  find: (text: string) => Type,
  guard: GuardHostCode,
): MemberDefinition => {
  const { name, read, key = name } = declaration;
  const type = find(declaration.type);
  if (read !== undefined) return { name, type, read: guard(name, read) };
  if (key === null)
    return {
      name,
      type,
      read: () => {
        throw fault(
          "not_readable",
          `'${name}' can be listed but not read`,
          "mark it readable in the host's declaration",
        );
      },
    };
  const readOwn = (owner: object): unknown => {
    const found = ownData(owner, key);
    return found === absent ? null : found;
  };
  if (declaration.isStatic === true) return { name, type, read: guard(name, readOwn) };
  return { name, type, read: readOwn, key };
};

const methodFrom = (
  declaration: MethodDeclaration,
  find: (text: string) => Type,
  guard: GuardHostCode,
): MethodDefinition => {
  const { name, typeParameters = [], parameters = [], returns, pure } = declaration;
  return {
    name,
    typeParameters,
    parameters: parameters.map(({ name: parameter, type, optional }) => ({
      name: parameter,
      type: typeParameters.includes(type) ? find("object") : find(type),
      ...(optional === undefined ? {} : { optional }),
    })),
    returns: (types) => {
      const index = typeParameters.indexOf(returns);
      if (index < 0) return find(returns);
      const given = types[index];
      return given === undefined || typeParameters.includes(given) ? find("object") : known(given, find);
    },
    call:
      pure === undefined
        ? refusing(name)
        : guard(name, (owner, given: readonly string[], values: readonly unknown[]) =>
            ignoreRejection(pure(owner, given, values)),
          ),
  };
};

const refusing = (name: string) => (): never => {
  throw fault("not_readable", `'${name}' can be listed but not called`, "the host has not marked it free of effects");
};

const known = (name: string, find: (text: string) => Type): Type | undefined => {
  try {
    return find(name);
  } catch {
    return undefined;
  }
};
