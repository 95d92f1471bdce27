/** What is asked of the engine about objects without a declaration; `v8-view.ts` answers. */
import type { Json } from "../encode/encode.ts";
import type { MethodInfo } from "./shape.ts";

/** What a foreign object hides from descriptors: private fields, accessors, internal slots. See `v8-view.ts`. */
export interface HiddenMember {
  readonly name: string;
  readonly kind: "field" | "accessor" | "slot";
  readonly access: "private" | "public";
  readonly type: string;
  readonly value?: Json;
  /** Why there is no value. */
  readonly unreadable?: string;
  readonly redacted?: true;
}

export interface HiddenView {
  className(value: object): string;
  members(value: object): readonly HiddenMember[];
  methods(value: object): readonly MethodInfo[];
}

/** Runs something for so many milliseconds at most. Throws `deadline`. */
export type TimeLimiter = <T>(ms: number, run: () => T) => T;
