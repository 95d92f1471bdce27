/**
 * How a host describes its types: classes, structs and enums with their members, methods, attributes and memory layout. Types
 * are named in text, as C# writes them (`UInt32`, `Vector3?`, `List<Buff>`, `Dictionary<String, Component>`), so that order of
 * declaration does not matter.
 */

export type Access = "public" | "protected" | "internal" | "private";

/** `[Name(args)]`: `FieldOffset`, `MarshalAs`, `Obsolete`, `Flags`, or one of the host's own. */
export interface AttributeDeclaration {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface MemberDeclaration {
  readonly name: string;
  readonly kind: "field" | "property" | "event";
  /** As text. */
  readonly type: string;
  readonly access?: Access;
  readonly isStatic?: boolean;
  readonly attributes?: readonly AttributeDeclaration[];
  /** Bytes from the start of the struct. */
  readonly offset?: number;
  /** Own data property with its value, if that has another name; `null` for a member that can only be listed. */
  readonly key?: string | null;
  /** Marks the member readable by running this: for getters and private fields. Must change nothing. */
  readonly read?: (owner: object) => unknown;
}

interface ParameterDeclaration {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
}

export interface MethodDeclaration {
  readonly name: string;
  readonly typeParameters?: readonly string[];
  readonly parameters?: readonly ParameterDeclaration[];
  /** As text; may be a type parameter. */
  readonly returns: string;
  readonly access?: Access;
  readonly isStatic?: boolean;
  readonly attributes?: readonly AttributeDeclaration[];
  /** Marks the method callable: free of effects. Without it the method is listed and refused. Type arguments are full names. */
  readonly pure?: (owner: object, types: readonly string[], values: readonly unknown[]) => unknown;
}

/** `[StructLayout]`. */
export interface LayoutDeclaration {
  readonly kind: "Sequential" | "Explicit" | "Auto";
  readonly pack?: number;
  /** Bytes; worked out from the fields when left out. */
  readonly size?: number;
  readonly charSet?: "Ansi" | "Unicode" | "Auto";
}

export interface TypeDeclaration {
  /** Full name with its namespace. */
  readonly name: string;
  readonly kind: "class" | "struct" | "interface";
  readonly base?: string;
  readonly attributes?: readonly AttributeDeclaration[];
  readonly layout?: LayoutDeclaration;
  readonly members?: readonly MemberDeclaration[];
  readonly methods?: readonly MethodDeclaration[];
  /** The JavaScript class whose instances are of this type. */
  readonly constructs?: abstract new (
    ...values: never[]
  ) => object;
  /** Text of an instance. Must change nothing. */
  readonly display?: (owner: object) => string;
  /** `x[key]`, with a function that changes nothing. */
  readonly indexer?: {
    readonly key: string;
    readonly type: string;
    readonly read: (owner: object, key: unknown) => unknown;
  };
  /** True for plain data: other own properties may be read too. */
  readonly open?: boolean;
}

export interface EnumDeclaration {
  readonly name: string;
  readonly kind: "enum";
  readonly values: Readonly<Record<string, number>>;
  readonly flags?: boolean;
  readonly underlying?: string;
  readonly attributes?: readonly AttributeDeclaration[];
}

export type AnyDeclaration = TypeDeclaration | EnumDeclaration;

/** Shorthand for a member. */
export const member = (
  name: string,
  type: string,
  more: Partial<Omit<MemberDeclaration, "name" | "type">> = {},
): MemberDeclaration => ({ kind: "property", ...more, name, type });

/** Shorthand for many public properties stored as own data: `{ Id: "UInt32" }`. */
export const properties = (types: Readonly<Record<string, string>>): readonly MemberDeclaration[] =>
  Object.entries(types).map(([name, type]) => member(name, type));

/** Shorthand for an explicit struct: `{ Max: ["Int32", 44] }`, packed to 1. */
export const struct = (
  name: string,
  fields: Readonly<Record<string, readonly [type: string, offset: number]>>,
  more: Partial<Omit<TypeDeclaration, "name" | "kind" | "members">> = {},
): TypeDeclaration => ({
  layout: { kind: "Explicit", pack: 1 },
  ...more,
  name,
  kind: "struct",
  members: Object.entries(fields).map(([field, [type, offset]]) => member(field, type, { kind: "field", offset })),
});

/** Shorthand for a sequential struct: offsets follow from the fields' sizes and the packing. */
export const sequential = (
  name: string,
  fields: Readonly<Record<string, string>>,
  more: Partial<Omit<TypeDeclaration, "name" | "kind" | "members">> = {},
): TypeDeclaration => ({
  layout: { kind: "Sequential" },
  ...more,
  name,
  kind: "struct",
  members: Object.entries(fields).map(([field, type]) => member(field, type, { kind: "field" })),
});
