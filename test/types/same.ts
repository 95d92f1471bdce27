/** `true` for types that each take the other's values, `any` and `never` told apart. */
export type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : [A, B] extends [B, A]
      ? IsAny<A> extends IsAny<B>
        ? true
        : false
      : false;

type IsAny<T> = 0 extends 1 & T ? true : false;
