/** What a name means: `it` and its kin, a parameter, a member of `it`, a root, a type. */

import { LinqError } from "../../core/error.ts";
import type { Operation } from "../../core/operation.ts";
import { portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { valueCheck } from "../../operator/check.ts";
import type { MemberNode, NameNode, Node, ScopeNode } from "../../syntax/ast.ts";
import { print } from "../../syntax/printer.ts";
import { predefinedType, predefinedTypes } from "../../syntax/words.ts";
import { findDefinition } from "../../type/definition.ts";
import type { HostAccess } from "../../type/host.ts";
import type { ClassDefinition, MemberDefinition, TypeDefinition } from "../../type/type.ts";
import { classType, dynamic, enumType, type Type, typeName } from "../../type/type.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, constant, findParameter, type Scope, type Variable } from "../tree/context.ts";
import { bindArgument } from "./argument.ts";
import { convertImplicitly } from "./conversion.ts";
import { dynamicReader, memberNames, memberRead, unknownMember } from "./reading.ts";

const slotValue = ({ type, slot, usable }: Variable, at: number): BoundNode => {
  if (usable) return { kind: "slot", type, slot, at };
  throw bindError(
    "no_it",
    "There is no element here: this argument is read once, not per element",
    { at },
    "write parent.Name for the element outside",
  );
};

export const bindScope = (node: ScopeNode, scope: Scope): BoundNode => {
  if (node.word === "it") {
    if (scope.it !== undefined) return slotValue(scope.it, node.at);
    throw bindError("no_it", "No 'it' is in scope", node, "start with a root, like Player or Entities");
  }
  if (node.word === "parent") {
    const parent = scope.outer?.it;
    if (parent !== undefined) return slotValue(parent, node.at);
    throw bindError("no_parent", "No 'parent' is in scope", node, "a member called Parent is it.Parent or @Parent");
  }
  let outermost: Scope = scope;
  while (outermost.outer?.it !== undefined) outermost = outermost.outer;
  if (outermost.it !== undefined) return slotValue(outermost.it, node.at);
  throw bindError("no_it", "No 'root' is in scope", node, "a member called Root is it.Root or @Root");
};

/** A bare name as a value. */
export const bindName = (node: NameNode, scope: Scope, context: Context): BoundNode => {
  const argument = bindArgument(node, context);
  if (argument !== undefined) return argument;
  const parameter = findParameter(node.name, scope);
  if (parameter !== undefined) return slotValue(parameter, node.at);
  const member = memberOfIt(node, scope, context);
  if (member !== undefined) return member;
  const root = bindRoot(node, context);
  if (root !== undefined) return root;
  throw unknownName(node, scope, context);
};

/** Plain data has every name; a root wins over one that no row has. */
const memberOfIt = (node: NameNode, scope: Scope, context: Context): BoundNode | undefined => {
  if (scope.it === undefined) return undefined;
  const { type } = scope.it;
  if (type.kind === "class" && type.definition.open && !memberNames(type).includes(node.name)) {
    const isKnown = memberNames(type).some((name) => name.toLowerCase() === node.name.toLowerCase());
    if (!isKnown && context.host.roots.some(({ name }) => name === node.name)) return undefined;
  }
  const it: BoundNode = { kind: "slot", type, slot: scope.it.slot, at: node.at };
  const read = memberRead(it, { name: node.name, at: node.at, path: "it" }, context);
  if (read !== undefined && !scope.it.usable) slotValue(scope.it, node.at);
  return type.kind === "dynamic" && read !== undefined ? orRoot(read, node, context) : read;
};

/** Undeclared data shows only when it is there whether it has a name; a root of exactly that name is meant where it has not. */
const orRoot = (member: BoundNode, node: NameNode, context: Context): BoundNode => {
  if (!context.host.roots.some(({ name }) => name === node.name)) return member;
  const root = bindRoot(node, context);
  const right = root === undefined ? undefined : convertImplicitly(root, dynamic, context);
  if (right === undefined || member.kind !== "read") return member;
  const operation = memberOrNull(node.name, context.host);
  const left: BoundNode = { kind: "apply", type: dynamic, operation, operands: [member.object], at: node.at };
  return { kind: "coalesce", type: dynamic, left, right, at: node.at };
};

/** A member of undeclared data that may be no object at all, as the elements of a list of numbers are not. */
const memberOrNull = portable("memberOrNull", (name: string, host: HostAccess): Operation => {
  const read = dynamicReader(name, host);
  const run = (owner: unknown): unknown => {
    if (owner === null || owner === undefined) return null;
    try {
      return read(owner);
    } catch (error) {
      if (typeof owner !== "object" && LinqError.is(error) && error.code === "unknown_member") return null;
      throw error;
    }
  };
  return { name, run };
});

const bindRoot = (node: NameNode, { host }: Context): BoundNode | undefined => {
  const lower = node.name.toLowerCase();
  const root =
    host.roots.find(({ name }) => name === node.name) ?? host.roots.find(({ name }) => name.toLowerCase() === lower);
  if (root === undefined) return undefined;
  return { kind: "apply", type: root.type, operation: rootRead(root.name, host), operands: [], at: node.at };
};

const rootRead = portable("rootRead", (wanted: string, host: HostAccess): Operation => {
  const root = host.roots.find(({ name }) => name === wanted);
  const check = valueCheck(root?.type ?? dynamic, host);
  return { name: wanted, run: () => check(root?.read()) };
});

const unknownName = (node: NameNode, scope: Scope, context: Context): Error => {
  const { name, at } = node;
  for (let outer = scope.outer; outer !== undefined; outer = outer.outer) {
    if (
      outer.it === undefined ||
      !memberNames(outer.it.type).some((known) => known.toLowerCase() === name.toLowerCase())
    )
      continue;
    const way = outer === scope.outer ? "parent" : "root";
    const inner = scope.it === undefined ? "object" : typeName(scope.it.type);
    return bindError(
      "unknown_member",
      `No property or field '${name}' exists in type '${inner}'`,
      node,
      `it is a member of the element outside: write ${way}.${name}`,
    );
  }
  if (typeOfName(name, context) !== undefined)
    return bindError("unknown_name", `'${name}' is a type, not a value`, node, `use a member of it, like ${name}.X`);
  const roots = context.host.roots.map((root) => root.name);
  if (scope.it === undefined)
    return bindError("unknown_name", `There is no root '${name}'`, node, nearType(name) ?? didYouMean(name, roots));
  const near = didYouMean(name, [...memberNames(scope.it.type), ...scope.names.keys()]);
  return near === undefined
    ? unknownMember(scope.it.type, { name, at, path: "it" }, context)
    : bindError(
        "unknown_member",
        `No property or field '${name}' exists in type '${typeName(scope.it.type)}'`,
        node,
        near,
      );
};

/** Types are case-sensitive, where everything else is not. */
const nearType = (name: string): string | undefined => {
  const lower = name.toLowerCase();
  const meant = Object.keys(predefinedTypes).find((known) => known.toLowerCase() === lower);
  return meant === undefined ? undefined : `did you mean '${meant}'?`;
};

/** A predefined type by its canonical name, or a declared one. */
export type TypeReference = { readonly predefined: string } | { readonly declared: TypeDefinition };

const typeOfName = (name: string, { host }: Context): TypeReference | undefined => {
  const predefined = predefinedType(name);
  if (predefined !== undefined) return { predefined };
  const declared = findDefinition(name, host);
  return declared === undefined ? undefined : { declared };
};

/** `Math`, `MonsterRarity`, `ExileCore.Shared.Enums.MonsterRarity`: a type, unless a value has that name. */
export const typeReference = (node: Node, scope: Scope, context: Context): TypeReference | undefined => {
  const name = dotted(node);
  if (name === undefined) return undefined;
  const found = typeOfName(name, context);
  if (found === undefined) return undefined;
  const [first = name] = name.split(".");
  const isParameter = findParameter(first, scope) !== undefined;
  const isMember =
    scope.it !== undefined && memberNames(scope.it.type).some((known) => known.toLowerCase() === first.toLowerCase());
  const isRoot = "declared" in found && context.host.roots.some((root) => root.name === name);
  return isParameter || isMember || isRoot ? undefined : found;
};

const dotted = (node: Node): string | undefined => {
  if (node.kind === "name") return node.escaped ? undefined : node.name;
  if (node.kind !== "member" || node.lifted) return undefined;
  const before = dotted(node.object);
  return before === undefined ? undefined : `${before}.${node.name}`;
};

/** `object.name` where the object is a value. */
export const bindMember = (object: BoundNode, node: MemberNode, context: Context): BoundNode => {
  const access = { name: node.name, at: node.at, path: print(node.object) };
  if (object.type.kind === "null") throw bindError("null_reference", `'${access.path}' is always null`, node);
  const read = memberRead(object, access, context);
  if (read === undefined) throw unknownMember(object.type, access, context);
  return read;
};

/** A value of an enum, `MonsterRarity.Rare`, or a static member of a class. */
export const memberOfType = (definition: TypeDefinition, node: MemberNode, { host }: Context): BoundNode => {
  if (definition.kind === "class") {
    const found = findStatic(definition, node.name);
    if (found !== undefined)
      return {
        kind: "apply",
        type: found.type,
        operation: staticRead(definition, found.name, host),
        operands: [],
        at: node.at,
      };
    throw bindError(
      "unknown_member",
      `Type '${definition.name}' has no static member '${node.name}'`,
      node,
      "members belong to instances: start with a root",
    );
  }
  const lower = node.name.toLowerCase();
  const name = definition.values.has(node.name)
    ? node.name
    : [...definition.values.keys()].find((known) => known.toLowerCase() === lower);
  const value = name === undefined ? undefined : definition.values.get(name);
  if (value !== undefined) return constant(enumType(definition), value, node.at);
  throw bindError(
    "unknown_value",
    `'${node.name}' is not a value of ${definition.name}`,
    node,
    didYouMean(node.name, definition.values.keys()),
  );
};

const findStatic = ({ statics }: ClassDefinition, name: string): MemberDefinition | undefined => {
  const lower = name.toLowerCase();
  return statics?.get(name) ?? [...(statics?.values() ?? [])].find((known) => known.name.toLowerCase() === lower);
};

const staticRead = portable("staticRead", (definition: ClassDefinition, name: string, host: HostAccess): Operation => {
  const found = findStatic(definition, name);
  const check = valueCheck(found?.type ?? dynamic, host);
  return { name, run: () => check(found?.read(definition)) };
});

/** The static type of a declared name, for `is`, `as` and generics. */
export const declaredType = (definition: TypeDefinition): Type =>
  definition.kind === "enum" ? enumType(definition) : classType(definition);
