/** What an object is that has no data of its own to show. The answer comes from V8, so nothing of the object runs. */
import { types } from "node:util";

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
  return addressText(value) ?? kinds.find(([is]) => is(value))?.[1];
};
