/**
 * Memory layout of declared structs: sizes, alignments and offsets as .NET's `StructLayout` lays them out, and reading a struct
 * out of bytes by it.
 */
import type { LayoutDeclaration, MemberDeclaration, TypeDeclaration } from "./declaration.ts";
import type { Registry } from "./registry.ts";

interface FieldLayout {
  readonly name: string;
  readonly type: string;
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** Elements, of a fixed text or array. */
  readonly count?: number;
}

interface StructLayout {
  readonly size: number;
  readonly alignment: number;
  readonly fields: readonly FieldLayout[];
}

const primitives: Readonly<Record<string, number>> = {
  Boolean: 1,
  bool: 1,
  Byte: 1,
  SByte: 1,
  byte: 1,
  sbyte: 1,
  Char: 2,
  char: 2,
  Int16: 2,
  UInt16: 2,
  short: 2,
  ushort: 2,
  Int32: 4,
  UInt32: 4,
  int: 4,
  uint: 4,
  Single: 4,
  float: 4,
  Int64: 8,
  UInt64: 8,
  long: 8,
  ulong: 8,
  Double: 8,
  double: 8,
  Decimal: 16,
  Guid: 16,
};

/** The layout of a struct; undefined for what has none (classes, `Auto`, a field whose size is not known). */
export const computeLayout = (declaration: TypeDeclaration, registry: Registry): StructLayout | undefined => {
  if (declaration.kind !== "struct" || declaration.layout?.kind === "Auto") return undefined;
  const pack = declaration.layout?.pack ?? 8;
  const explicit = declaration.layout?.kind === "Explicit";
  const fields: FieldLayout[] = [];
  let end = 0;
  let alignment = 1;
  for (const field of declaration.members ?? []) {
    if (field.kind !== "field" || field.isStatic === true) continue;
    const measured = measure(field, declaration, registry);
    if (measured === undefined) return undefined;
    const aligned = Math.min(measured.alignment, pack);
    const offset = explicit ? (field.offset ?? 0) : roundUp(end, aligned);
    const count = fixedCount(field);
    const what = { name: field.name, type: field.type, offset, size: measured.size };
    fields.push(count === undefined ? what : { ...what, count });
    end = Math.max(end, offset + measured.size);
    alignment = Math.max(alignment, aligned);
  }
  return { size: Math.max(declaration.layout?.size ?? 0, roundUp(end, alignment)), alignment, fields };
};

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

interface FieldMeasure {
  readonly size: number;
  readonly alignment: number;
}

/** How many elements a fixed text or array has. */
const fixedCount = ({ attributes }: MemberDeclaration): number | undefined => {
  const found = attributes?.find(({ name }) => name === "MarshalAs")?.args.SizeConst;
  return typeof found === "number" ? found : undefined;
};

/** Size and alignment of a field; a fixed text or array has as many elements as its `MarshalAs` says. */
const measure = (
  field: MemberDeclaration,
  { layout }: TypeDeclaration,
  registry: Registry,
): FieldMeasure | undefined => {
  const count = fixedCount(field);
  if (count === undefined) return measureType(field.type, registry);
  const element =
    field.type === "String"
      ? measureCharacter(layout?.charSet)
      : measureType(field.type.replace(/\[\]$/, ""), registry);
  return element === undefined ? undefined : { size: element.size * count, alignment: element.alignment };
};

/** `Auto` is Unicode on the systems of today. */
const measureCharacter = (charSet: LayoutDeclaration["charSet"]): FieldMeasure =>
  charSet === undefined || charSet === "Ansi" ? { size: 1, alignment: 1 } : { size: 2, alignment: 2 };

/** Bytes and alignment of a number, an enum or a struct; undefined for what has no layout. */
export const measureType = (type: string, registry: Registry): FieldMeasure | undefined => {
  const size = Object.hasOwn(primitives, type) ? primitives[type] : undefined;
  if (size !== undefined) return { size, alignment: Math.min(size, 8) };
  const found = registry.find(type)?.declaration;
  if (found === undefined) return undefined;
  if (found.kind === "enum") {
    const under = primitives[found.underlying ?? "Int32"] ?? 4;
    return { size: under, alignment: under };
  }
  return computeLayout(found, registry);
};

/** Reads a struct at a place; undefined when it does not fit into the bytes. The result has own data properties only. */
export const readStruct = (
  declaration: TypeDeclaration,
  registry: Registry,
  { view, offset }: ByteView,
): object | undefined => {
  const layout = computeLayout(declaration, registry);
  if (layout === undefined || offset < 0 || offset + layout.size > view.byteLength) return undefined;
  const made: Record<string, unknown> = Object.create(null);
  for (const field of layout.fields)
    made[field.name] = readField(field, registry, { view, offset: offset + field.offset });
  return made;
};

interface ByteView {
  readonly view: DataView;
  readonly offset: number;
}

const readField = ({ type, size, count }: FieldLayout, registry: Registry, at: ByteView): unknown => {
  if (count === undefined) return readType(type, registry, at);
  const each = size / count;
  if (type === "String") return textAt(at, size, each === 1 ? "utf-8" : "utf-16le");
  const element = type.replace(/\[\]$/, "");
  return Array.from({ length: count }, (_, index) =>
    readType(element, registry, { view: at.view, offset: at.offset + index * each }),
  );
};

/** A number, an enum or a struct; null for what is none of them. */
export const readType = (type: string, registry: Registry, at: ByteView): unknown => {
  const found = registry.find(type)?.declaration;
  if (found === undefined) return readPrimitive(type, at.view, at.offset) ?? null;
  if (found.kind === "enum") return readPrimitive(found.underlying ?? "Int32", at.view, at.offset);
  return readStruct(found, registry, at) ?? null;
};

const textAt = ({ view, offset }: ByteView, size: number, encoding: "utf-8" | "utf-16le"): string => {
  const text = new TextDecoder(encoding).decode(new Uint8Array(view.buffer, view.byteOffset + offset, size));
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
};

/** A number of a predefined type, little-endian; undefined for other types. */
const readPrimitive = (type: string, view: DataView, offset: number): unknown => {
  switch (type) {
    case "Boolean":
    case "bool":
      return view.getUint8(offset) !== 0;
    case "Byte":
    case "byte":
      return view.getUint8(offset);
    case "SByte":
    case "sbyte":
      return view.getInt8(offset);
    case "Int16":
    case "short":
      return view.getInt16(offset, true);
    case "UInt16":
    case "ushort":
      return view.getUint16(offset, true);
    case "Char":
    case "char":
      return String.fromCharCode(view.getUint16(offset, true));
    case "Int32":
    case "int":
      return view.getInt32(offset, true);
    case "UInt32":
    case "uint":
      return view.getUint32(offset, true);
    case "Single":
    case "float":
      return view.getFloat32(offset, true);
    case "Int64":
    case "long":
      return view.getBigInt64(offset, true);
    case "UInt64":
    case "ulong":
      return view.getBigUint64(offset, true);
    case "Double":
    case "double":
      return view.getFloat64(offset, true);
    default:
      return undefined;
  }
};
