/** What an object is that has no data of its own to show. The answer comes from V8, so nothing of the object runs. */
import { types } from "node:util";
import { prototypes } from "./reading.ts";

const { apply, getOwnPropertyDescriptor } = Reflect;

const lengthGetter = (prototype: object): ((buffer: object) => number) => {
  const read = getOwnPropertyDescriptor(prototype, "byteLength")?.get;
  return (buffer) => (read === undefined ? 0 : Number(apply(read, buffer, [])));
};

const bufferLength = lengthGetter(ArrayBuffer.prototype);
const sharedLength = lengthGetter(SharedArrayBuffer.prototype);

/** Flags of a pattern by what V8 keeps of them, in the order of its text. */
const flags = (
  [
    ["hasIndices", "d"],
    ["global", "g"],
    ["ignoreCase", "i"],
    ["multiline", "m"],
    ["dotAll", "s"],
    ["unicode", "u"],
    ["unicodeSets", "v"],
    ["sticky", "y"],
  ] as const
).map(([name, flag]) => [getOwnPropertyDescriptor(RegExp.prototype, name)?.get, flag] as const);
const readPattern = getOwnPropertyDescriptor(RegExp.prototype, "source")?.get;

const patternText = (value: object): string => {
  const pattern = readPattern === undefined ? "" : String(apply(readPattern, value, []));
  const set = flags.filter(([read]) => read !== undefined && apply(read, value, []) === true);
  return `/${pattern}/${set.map(([, flag]) => flag).join("")}`;
};

const readAddress = getOwnPropertyDescriptor(URL.prototype, "href")?.get;

/** The address of a genuine `URL`; its own getter tests a private field, so nothing that only looks alike runs. */
const addressText = (value: object): string | undefined => {
  if (readAddress === undefined || Object.getPrototypeOf(value) !== URL.prototype) return undefined;
  try {
    return String(apply(readAddress, value, []));
  } catch {
    return undefined;
  }
};

/** The first value that an object or its classes have for a name, where it is data; undefined behind a getter or a proxy. */
const inheritedData = (value: object, name: string): unknown => {
  for (const owner of [value, ...prototypes(value)]) {
    const found = getOwnPropertyDescriptor(owner, name);
    if (found !== undefined) return "value" in found ? found.value : undefined;
  }
  return undefined;
};

/** `TypeError: what is wrong`, of what is data. `stack` is not read: V8 makes it when it is read first, by code that a program may replace. */
const errorText = (value: object): string => {
  const [name, message] = [inheritedData(value, "name"), inheritedData(value, "message")];
  const kind = typeof name === "string" && name !== "" ? name : "Error";
  return typeof message === "string" && message !== "" ? `${kind}: ${message}` : kind;
};

const readSource = Function.prototype.toString;

/** `(function total)` or `(class Order)`, by what V8 keeps of it. */
export const functionText = (value: object): string => {
  if (types.isProxy(value)) return "(function)";
  const found = getOwnPropertyDescriptor(value, "name");
  const name: unknown = found !== undefined && "value" in found ? found.value : "";
  const kind = String(apply(readSource, value, [])).startsWith("class") ? "class" : "function";
  return typeof name === "string" && name !== "" ? `(${kind} ${name.slice(0, 200)})` : `(${kind})`;
};

const kinds: readonly (readonly [is: (value: object) => boolean, text: string])[] = [
  [types.isDate, "(Invalid Date)"],
  [types.isPromise, "(Promise)"],
  [types.isDataView, "(DataView)"],
  [types.isWeakMap, "(WeakMap)"],
  [types.isWeakSet, "(WeakSet)"],
  [types.isGeneratorObject, "(Generator)"],
  [types.isBoxedPrimitive, "(boxed value)"],
];

/** `(Proxy)`, `ArrayBuffer(16)` and their like; undefined for ordinary objects. Dates that are some instant are no objects here. */
export const opaqueText = (value: object): string | undefined => {
  if (types.isProxy(value)) return "(Proxy)";
  if (types.isArrayBuffer(value)) return `ArrayBuffer(${bufferLength(value)})`;
  if (types.isSharedArrayBuffer(value)) return `SharedArrayBuffer(${sharedLength(value)})`;
  if (types.isRegExp(value)) return patternText(value);
  if (types.isNativeError(value)) return errorText(value);
  return addressText(value) ?? kinds.find(([is]) => is(value))?.[1];
};
