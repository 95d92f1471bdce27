/** What `explore` answers with: the shapes of the specification, with what a caller needs to go on from there. */
import type { Json } from "../encode/encode.ts";

export interface AttributeInfo {
  readonly name: string;
  readonly args: { readonly [name: string]: Json };
}

export interface MemberInfo {
  readonly name: string;
  readonly kind: "field" | "property" | "event" | "accessor" | "slot" | "root";
  readonly type: string;
  readonly access: string;
  /** The value; objects as text, structs whole. Absent for collections, for what can not be read, and in type info. */
  readonly value?: Json;
  /** Elements of a collection. */
  readonly count?: number;
  /** Ready-to-use expression for `eval`, `query` and `explore`. */
  readonly expr?: string;
  readonly attributes?: readonly AttributeInfo[];
  readonly offset?: string;
  readonly size?: number;
  readonly isStatic?: boolean;
  /** Why there is no value. */
  readonly unreadable?: string;
  /** The host keeps the value to itself. */
  readonly redacted?: true;
  /** How long reading took, when it was slow. */
  readonly slowMs?: number;
  readonly description?: string;
  /** Path of the object above that this is again. */
  readonly ref?: string;
  readonly members?: readonly MemberInfo[];
  readonly items?: readonly ItemInfo[];
}

/** An element of a collection; `key` for dictionaries and groups. */
export interface ItemInfo {
  readonly index?: number;
  readonly key?: Json;
  readonly type: string;
  readonly value?: Json;
  readonly count?: number;
  readonly expr: string;
  readonly ref?: string;
  /** The host keeps the value to itself. */
  readonly redacted?: true;
  /** Why there is no value. */
  readonly unreadable?: string;
  /** How long reading took, when it was slow. */
  readonly slowMs?: number;
  readonly members?: readonly MemberInfo[];
  readonly items?: readonly ItemInfo[];
}

export interface MethodInfo {
  readonly name: string;
  readonly signature: string;
  readonly access: string;
  /** True when `eval` may call it. */
  readonly callable?: boolean;
  readonly attributes?: readonly AttributeInfo[];
}

export interface LiveInfo {
  readonly path: string;
  readonly type: string;
  readonly value?: Json;
  readonly count?: number;
  readonly members?: readonly MemberInfo[];
  readonly items?: readonly ItemInfo[];
  readonly methods?: readonly MethodInfo[];
  /** Elements or members after the last one shown. */
  readonly more?: number;
  /** What to do next, when something was cut or could not be read. */
  readonly hint?: string;
}

export interface TypeInfo {
  readonly type: string;
  readonly kind: string;
  readonly base?: string;
  readonly attributes: readonly AttributeInfo[];
  /** Bytes, for structs. */
  readonly size?: number;
  readonly underlying?: string;
  readonly values?: { readonly [name: string]: number };
  readonly members?: readonly MemberInfo[];
  readonly methods?: readonly MethodInfo[];
  /** How a class without a declaration was learned. */
  readonly hint?: string;
}

export interface SearchInfo {
  readonly search: string;
  readonly types: readonly { readonly type: string; readonly kind: string; readonly target: string }[];
  readonly members: readonly {
    readonly type: string;
    readonly name: string;
    readonly kind: string;
    readonly memberType: string;
    readonly access: string;
  }[];
  readonly count: number;
  readonly more?: number;
  /** How to find more, when nothing was found. */
  readonly hint?: string;
}

export interface InstancesInfo {
  /** The class that was asked for. */
  readonly instances: string;
  /** Objects of it that were met. */
  readonly count: number;
  readonly items: readonly ItemInfo[];
  /** Through what they are reached: `App.cache[*]`, how many, and the first of them. */
  readonly holders: readonly { readonly path: string; readonly count: number; readonly expr: string }[];
  readonly more?: number;
  readonly hint: string;
}
