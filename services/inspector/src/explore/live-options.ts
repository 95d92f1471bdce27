/** What the view of live objects is given: the host, how much to show, and how long it may take. */
import type { HostAccess, PauseBudget, Type } from "@fairlead/linq";
import type { Registry } from "../host/registry.ts";
import type { HiddenView, TimeLimiter } from "./hidden-view.ts";

export interface LiveOptions {
  readonly host: HostAccess;
  readonly registry: Registry;
  readonly isStruct: (type: Type) => boolean;
  readonly includePrivate: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly bytes: number;
  /** Milliseconds from any origin. */
  readonly elapsed: () => number;
  readonly wallMs: number;
  /** Ends getters of the host; absent where none can hang. */
  readonly within?: TimeLimiter;
  /** Looks into undeclared objects; absent where nothing but descriptors is used. */
  readonly hidden?: HiddenView;
  /** When to give the thread back; never when left out. */
  readonly budget?: PauseBudget | undefined;
}
