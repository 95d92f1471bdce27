/** Indexing: lists, texts, dictionaries, and what a declared class indexes. */

import { fault } from "../../core/error.ts";
import { type Operation, operation } from "../../core/operation.ts";
import { named, portable } from "../../core/portable.ts";
import { valueCheck } from "../../operator/check.ts";
import { describeKind, normalizeValue } from "../../operator/compare.ts";
import { findListing, readItems } from "../../operator/elements.ts";
import type { IndexNode } from "../../syntax/ast.ts";
import { print } from "../../syntax/printer.ts";
import { absent, createListing, findIndexer, type HostAccess, type Listing } from "../../type/host.ts";
import type { ClassDefinition } from "../../type/type.ts";
import { char, type DictionaryType, dynamic, int32, type Type, typeName } from "../../type/type.ts";
import { isRow } from "../../value/row.ts";
import { Sequence } from "../../value/sequence.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, type Scope } from "../tree/context.ts";
import { convertImplicitly, textLiteralAs } from "./conversion.ts";
import { entryReader, readDynamic } from "./reading.ts";

const outOfRange = (index: number, length: number): never => {
  throw fault(
    "out_of_range",
    `Index ${index} is outside the list of ${length}`,
    length === 0 ? "the list is empty" : `use 0 to ${length - 1}`,
  );
};

/** `list[0]`, `text[0]`, `dictionary["key"]`, and what a declared class indexes. */
export const bindIndex = (
  object: BoundNode,
  node: IndexNode,
  { scope, context }: { readonly scope: Scope; readonly context: Context },
): BoundNode => {
  const [argument, ...more] = node.arguments;
  if (argument === undefined || more.length > 0) throw bindError("wrong_arguments", "An index is one value", node);
  const index = context.bind(argument, scope);
  const path = print(node.object);
  const { host } = context;
  const made = (type: Type, what: Operation, key: BoundNode): BoundNode => ({
    kind: "apply",
    type,
    operation: what,
    operands: [object, key],
    path,
    at: node.at,
  });
  const needed = (type: Type, what: string): BoundNode => {
    const key = textLiteralAs(index, type)?.read ?? convertImplicitly(index, type, context);
    if (key !== undefined) return key;
    throw bindError("wrong_arguments", what, index, `it is ${typeName(index.type)}`);
  };
  const { type } = object;
  switch (type.kind) {
    case "list":
      return made(type.item, indexingList(type.item, host), needed(int32, "Array index must be an integer expression"));
    case "dictionary":
      return made(type.value, indexingEntries(type, host), needed(type.key, `The key must be ${typeName(type.key)}`));
    case "dynamic":
      return made(dynamic, indexingDynamic(host), convertImplicitly(index, dynamic, context) ?? index);
    case "class": {
      const { definition } = type;
      const indexer = findIndexer(definition);
      if (indexer !== undefined) {
        const { key, type: given } = indexer;
        return made(given, indexingClass(definition, host), needed(key, `The index must be ${typeName(key)}`));
      }
      if (definition.open)
        return made(dynamic, indexingDynamic(host), convertImplicitly(index, dynamic, context) ?? index);
      break;
    }
    case "scalar":
      if (type.name === "String")
        return made(char, indexingText, needed(int32, "Array index must be an integer expression"));
      break;
    default:
      break;
  }
  throw bindError("wrong_operands", `No applicable indexer exists in type '${typeName(type)}'`, node);
};

const indexingList = portable("indexingList", (item: Type, host: HostAccess) => {
  const check = valueCheck(item, host);
  const listing = (list: unknown): Listing => findListing(list, host) ?? createListing(readItems(list, host));
  return operation("[]", (list, at: number) => check(elementAt(listing(list), at)));
});

const indexingEntries = portable("indexingEntries", (type: DictionaryType, host: HostAccess) =>
  operation("[]", entryReader(type, host)),
);

const indexingDynamic = portable("indexingDynamic", (host: HostAccess) =>
  operation("[]", (owner, key) => indexDynamic(owner, key, host)),
);

const indexingClass = portable("indexingClass", (definition: ClassDefinition, host: HostAccess) => {
  const indexer = findIndexer(definition);
  const check = valueCheck(indexer?.type ?? dynamic, host);
  return operation("[]", (owner: object, at) => check(indexer?.read(owner, at)));
});

const indexingText = named(
  "indexingText",
  operation("[]", (text: string, at: number) =>
    at < 0 || at >= text.length ? outOfRange(at, text.length) : text.charAt(at),
  ),
);

const elementAt = ({ length, at }: Listing, index: number): unknown => {
  const item = index < 0 || index >= length ? absent : at(index);
  return item === absent ? outOfRange(index, length) : item;
};

const indexDynamic = (given: unknown, key: unknown, host: HostAccess): unknown => {
  const owner = normalizeValue(given, host);
  if (typeof key === "number") {
    if (typeof owner === "string")
      return key < 0 || key >= owner.length ? outOfRange(key, owner.length) : owner.charAt(key);
    const listing = findListing(owner, host);
    if (listing !== undefined) return normalizeValue(elementAt(listing, key), host);
  }
  if (typeof owner === "object" && owner !== null && !Sequence.is(owner) && !isRow(owner)) {
    const definition = host.findClass(owner);
    const indexer = definition === undefined ? undefined : findIndexer(definition);
    if (indexer !== undefined) return valueCheck(indexer.type, host)(indexer.read(owner, key));
    const entry = host.entry(owner, key);
    if (entry !== absent) return normalizeValue(entry, host);
  }
  if (typeof key === "string") return readDynamic(owner, key, host);
  throw fault("wrong_operands", `A ${describeKind(owner)} can not be indexed by a ${describeKind(key)}`);
};
