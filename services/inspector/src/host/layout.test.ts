import { expect, test } from "vitest";
import { member, sequential, struct } from "./declaration.ts";
import { computeLayout, readStruct } from "./layout.ts";
import { Registry } from "./registry.ts";

const declarations = [
  { kind: "enum", name: "Small", values: { A: 1 }, underlying: "Byte" },
  sequential("Padded", { a: "Byte", b: "Int32", c: "Byte", d: "Int64", e: "Byte" }),
  sequential("Packed", { a: "Byte", b: "Int32", c: "Byte" }, { layout: { kind: "Sequential", pack: 1 } }),
  sequential("Sized", { a: "Int32" }, { layout: { kind: "Sequential", size: 64 } }),
  sequential("WithEnum", { a: "Small", b: "Small", c: "Int16" }),
  struct("Union", { whole: ["Int32", 0], low: ["UInt16", 0], high: ["UInt16", 2] }),
  sequential("Nested", { a: "Byte", inner: "Padded" }),
  sequential("Loose", { a: "Int32" }, { layout: { kind: "Auto" } }),
  { kind: "class", name: "Class", members: [member("a", "Int32")] },
] as const;
const registry = new Registry(declarations);

const layout = (name: string) => {
  const found = registry.find(name)?.declaration;
  return found === undefined || found.kind === "enum" ? undefined : computeLayout(found, registry);
};

test.each([
  ["Padded", 32, [0, 4, 8, 16, 24]],
  ["Packed", 6, [0, 1, 5]],
  ["Sized", 64, [0]],
  ["WithEnum", 4, [0, 1, 2]],
  ["Union", 4, [0, 0, 2]],
  ["Nested", 40, [0, 8]],
])("%s takes %i bytes", (name, size, offsets) => {
  expect(layout(name)?.size).toBe(size);
  expect(layout(name)?.fields.map(({ offset }) => offset)).toEqual(offsets);
});

test("classes and automatic layouts have none", () => {
  expect(layout("Class")).toBeUndefined();
  expect(layout("Loose")).toBeUndefined();
});

test("structs are read from bytes, and never beyond them", () => {
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(2, 0x0003_0002, true);
  const union = registry.find("Union")?.declaration;
  if (union === undefined || union.kind === "enum") throw new Error("not declared");
  expect(readStruct(union, registry, { view, offset: 2 })).toEqual({ whole: 0x0003_0002, low: 2, high: 3 });
  expect(readStruct(union, registry, { view, offset: 5 })).toBeUndefined();
  expect(readStruct(union, registry, { view, offset: -1 })).toBeUndefined();
});

test("fixed texts and arrays have the size that MarshalAs counts, and are read whole", () => {
  const fixed = (name: string, type: string, SizeConst: number) =>
    member(name, type, { kind: "field", attributes: [{ name: "MarshalAs", args: { SizeConst } }] });
  const fields = [member("a", "Byte", { kind: "field" }), fixed("text", "String", 3), fixed("numbers", "Int16[]", 2)];
  const made = (charSet: "Ansi" | "Unicode") =>
    ({ name: charSet, kind: "struct", layout: { kind: "Sequential", charSet }, members: fields }) as const;
  const known = new Registry([made("Ansi"), made("Unicode")]);
  expect(computeLayout(made("Ansi"), known)).toMatchObject({
    size: 8,
    fields: [{}, { offset: 1, size: 3 }, { offset: 4 }],
  });
  expect(computeLayout(made("Unicode"), known)).toMatchObject({
    size: 12,
    fields: [{}, { offset: 2, size: 6 }, { size: 4 }],
  });
  const view = new DataView(Uint8Array.of(7, 0, 104, 0, 105, 0, 0, 0, 1, 0, 255, 255).buffer);
  expect(readStruct(made("Unicode"), known, { view, offset: 0 })).toEqual({ a: 7, text: "hi", numbers: [1, -1] });
});

test("classes that derive from each other, and structs that hold themselves, are refused", () => {
  const derived = (name: string, base: string) => ({ name, kind: "class", base }) as const;
  expect(() => new Registry([derived("A", "B"), derived("B", "A")])).toThrow(/'A' derives from itself/);
  expect(() => new Registry([sequential("S", { inner: "T" }), sequential("T", { back: "S" })])).toThrow(
    /'S' holds itself/,
  );
});

test("a declaration that names an unknown type is refused when it is registered", () => {
  expect(() => new Registry([sequential("Bad", { a: "Nonsense" })])).toThrow(/'Nonsense'/);
  expect(() => new Registry([{ name: "Lost", kind: "class", base: "Nobody" }])).toThrow(/'Nobody' is the base/);
  expect(() => new Registry([sequential("Twice", {}), sequential("Twice", {})])).toThrow(/twice/);
});
