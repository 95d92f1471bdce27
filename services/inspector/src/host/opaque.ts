/** What an object is that has no data of its own to show. The answer comes from V8, so nothing of the object runs. */
import { types } from "node:util";

const { apply, getOwnPropertyDescriptor } = Reflect;

const lengthGetter = (prototype: object): ((buffer: object) => number) => {
  const read = getOwnPropertyDescriptor(prototype, "byteLength")?.get;
  return (buffer) => (read === undefined ? 0 : Number(apply(read, buffer, [])));
};

const bufferLength = lengthGetter(ArrayBuffer.prototype);
const sharedLength = lengthGetter(SharedArrayBuffer.prototype);

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
  return kinds.find(([is]) => is(value))?.[1];
};
