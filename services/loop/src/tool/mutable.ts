/** Contract outputs have plain arrays and fields; the session's values are readonly. The one place where one becomes the other. */

type Mutable<T> = T extends readonly (infer I)[]
  ? Mutable<I>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** A copy that may be changed. */
export const toMutable = <T>(value: T): Mutable<T> => structuredClone(value) as Mutable<T>;
