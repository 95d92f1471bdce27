/**
 * Static types: what the binder knows about a value before any value is there. `dynamic` is the type of undeclared data, whose
 * operations are chosen when it is read.
 */
import type { EnumDefinition } from "../value/enum.ts";
import type { SimpleName } from "../value/simple.ts";

/** The names of number types. */
export type NumberName =
  | "SByte"
  | "Byte"
  | "Int16"
  | "UInt16"
  | "Int32"
  | "UInt32"
  | "Int64"
  | "UInt64"
  | "Single"
  | "Double"
  | "Decimal";

/** The names of types whose values have no parts. */
export type ScalarName = NumberName | "Boolean" | "String" | "Char" | SimpleName;

/** A type whose values have no parts. */
export interface ScalarType {
  readonly kind: "scalar";
  readonly name: ScalarName;
  /** Always true for String and Uri. */
  readonly nullable: boolean;
}
/** An enumeration of a program. */
export interface EnumType {
  readonly kind: "enum";
  readonly definition: EnumDefinition;
  readonly nullable: boolean;
}
interface ClassType {
  readonly kind: "class";
  readonly definition: ClassDefinition;
}
/** The type of rows that a query makes. */
export interface RecordType {
  readonly kind: "record";
  readonly fields: readonly { readonly name: string; readonly type: Type }[];
}
/** Any list, set or array; `key` is there for a group. */
interface ListType {
  readonly kind: "list";
  readonly item: Type;
  readonly key?: Type;
}
/** A map from keys to values. */
export interface DictionaryType {
  readonly kind: "dictionary";
  readonly key: Type;
  readonly value: Type;
}
interface DynamicType {
  readonly kind: "dynamic";
}
interface NullType {
  readonly kind: "null";
}

/** A static type of the language. */
export type Type = ScalarType | EnumType | ClassType | RecordType | ListType | DictionaryType | DynamicType | NullType;

/** A member of a declared class. */
export interface MemberDefinition {
  readonly name: string;
  readonly type: Type;
  /** Reads the member of an instance. Throws `LinqError` (`not_readable`) where it may not. */
  readonly read: (owner: object) => unknown;
  /** True when the host keeps the value to itself: `read` throws `redacted`. */
  readonly isRedacted?: boolean;
  /** The own data property with its value, if there is one: direct rows are read by it. */
  readonly key?: string;
}

/** A method that queries may call. */
export interface MethodDefinition {
  readonly name: string;
  /** Names of type parameters; empty for most. */
  readonly typeParameters: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly type: Type; readonly optional?: boolean }[];
  /** The result's type, given the type arguments by name. `undefined` refuses them. */
  readonly returns: (types: readonly string[]) => Type | undefined;
  /** Runs it. Only methods that the host declared free of effects are here. */
  readonly call: (owner: object, types: readonly string[], values: readonly unknown[]) => unknown;
}

/** A class that a host declares, with its members. */
export interface ClassDefinition {
  readonly kind: "class";
  readonly name: string;
  readonly fullName: string;
  readonly base?: ClassDefinition;
  /** Own members by exact name. */
  readonly members: ReadonlyMap<string, MemberDefinition>;
  readonly methods: readonly MethodDefinition[];
  /** Members of the class itself; their `read` gets nothing that counts. */
  readonly statics?: ReadonlyMap<string, MemberDefinition>;
  readonly staticMethods?: readonly MethodDefinition[];
  /** True for plain data: a member that is not declared is read as it is found, null when absent. */
  readonly open: boolean;
  /** The text of an instance for `ToString()` and concatenation; the type's name when left out. */
  readonly display?: (owner: object) => string;
  /** The type of `x[…]`, where instances have an indexer. */
  readonly indexer?: {
    readonly key: Type;
    readonly type: Type;
    readonly read: (owner: object, key: unknown) => unknown;
  };
}

/** A class or an enumeration that a host declares. */
export type TypeDefinition = ClassDefinition | EnumDefinition;

const byReference: ReadonlySet<ScalarName> = new Set(["String", "Uri"]);

const scalars = new Map<string, ScalarType>();

export const scalar = (name: ScalarName, nullable = false): ScalarType => {
  const canBeNull = nullable || byReference.has(name);
  const key = canBeNull ? `${name}?` : name;
  const known = scalars.get(key);
  if (known !== undefined) return known;
  const type: ScalarType = Object.freeze({ kind: "scalar", name, nullable: canBeNull });
  scalars.set(key, type);
  return type;
};

/** True when values of the type may have an order, as far as that is known. */
export const hasOrder = ({ kind }: Type): boolean =>
  kind === "scalar" || kind === "enum" || kind === "dynamic" || kind === "null";

export const boolean = scalar("Boolean");
export const string = scalar("String");
export const char = scalar("Char");
export const int32 = scalar("Int32");
export const int64 = scalar("Int64");
export const double = scalar("Double");
export const decimal = scalar("Decimal");
export const dateTime = scalar("DateTime");
export const timeSpan = scalar("TimeSpan");
export const dynamic: DynamicType = Object.freeze({ kind: "dynamic" });
export const nullType: NullType = Object.freeze({ kind: "null" });
/** The type of lists of an element type. */
export const listType = (item: Type): ListType => ({ kind: "list", item });
export const classType = (definition: ClassDefinition): ClassType => ({ kind: "class", definition });
export const enumType = (definition: EnumDefinition, nullable = false): EnumType => ({
  kind: "enum",
  definition,
  nullable,
});
/** An element of a dictionary. */
export const pairType = ({ key, value }: DictionaryType): RecordType => ({
  kind: "record",
  fields: [
    { name: "Key", type: key },
    { name: "Value", type: value },
  ],
});

/** True when a value of the type can be null. */
export const canBeNull = (type: Type): boolean => !(type.kind === "scalar" || type.kind === "enum") || type.nullable;

/** The type with null allowed. */
export const toNullable = (type: Type): Type => {
  if (type.kind === "scalar") return scalar(type.name, true);
  if (type.kind === "enum") return type.nullable ? type : { ...type, nullable: true };
  return type;
};

/** The type without null. */
export const toNonNullable = (type: Type): Type => {
  if (type.kind === "scalar") return scalar(type.name);
  if (type.kind === "enum") return type.nullable ? { ...type, nullable: false } : type;
  return type;
};

const numbers: ReadonlySet<string> = new Set<NumberName>([
  "SByte",
  "Byte",
  "Int16",
  "UInt16",
  "Int32",
  "UInt32",
  "Int64",
  "UInt64",
  "Single",
  "Double",
  "Decimal",
]);

export const isNumberName = (name: string): name is NumberName => numbers.has(name);

/** The number type of a scalar number, else undefined. */
export const findNumberName = (type: Type): NumberName | undefined =>
  type.kind === "scalar" && isNumberName(type.name) ? type.name : undefined;

export const isScalar = (type: Type, name: ScalarName): boolean => type.kind === "scalar" && type.name === name;

/** Whether two types are the same, part by part. */
export const sameType = (a: Type, b: Type): boolean => {
  if (a === b) return true;
  switch (a.kind) {
    case "scalar":
      return b.kind === "scalar" && a.name === b.name && a.nullable === b.nullable;
    case "enum":
      return b.kind === "enum" && a.definition === b.definition && a.nullable === b.nullable;
    case "class":
      return b.kind === "class" && a.definition === b.definition;
    case "record":
      return (
        b.kind === "record" &&
        a.fields.length === b.fields.length &&
        a.fields.every(({ name, type }, index) => {
          const other = b.fields[index];
          return other !== undefined && other.name === name && sameType(type, other.type);
        })
      );
    case "list":
      return b.kind === "list" && sameType(a.item, b.item);
    case "dictionary":
      return b.kind === "dictionary" && sameType(a.key, b.key) && sameType(a.value, b.value);
    case "dynamic":
    case "null":
      return a.kind === b.kind;
  }
};

/** A type as people read it: `Int32?`, `List<Buff>`, `Dictionary<String, Component>`. */
export const typeName = (type: Type): string => {
  switch (type.kind) {
    case "scalar":
      return type.nullable && !byReference.has(type.name) ? `${type.name}?` : type.name;
    case "enum":
      return type.nullable ? `${type.definition.name}?` : type.definition.name;
    case "class":
      return type.definition.name;
    case "record":
      return `{ ${type.fields.map(({ name }) => name).join(", ")} }`;
    case "list":
      return type.key === undefined
        ? `List<${typeName(type.item)}>`
        : `Group<${typeName(type.key)}, ${typeName(type.item)}>`;
    case "dictionary":
      return `Dictionary<${typeName(type.key)}, ${typeName(type.value)}>`;
    case "dynamic":
      return "object";
    case "null":
      return "null";
  }
};

/** What `typeof` says of a type's values, where it says enough. */
export const findPrimitive = (type: Type): "boolean" | "number" | "bigint" | "string" | undefined => {
  if (type.kind === "enum") return "number";
  if (type.kind !== "scalar") return undefined;
  const { name } = type;
  if (name === "Boolean") return "boolean";
  if (name === "String") return "string";
  if (name === "Int64" || name === "UInt64") return "bigint";
  return isNumberName(name) && name !== "Decimal" ? "number" : undefined;
};
