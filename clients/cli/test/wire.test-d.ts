/** The client knows the wire by itself, without importing the contracts; here the two are held together. Checked by `tsc`. */
import type {
  Code as ClientCode,
  Kind as ClientKind,
  RetrySafety as ClientRetry,
  WireError as ClientWire,
} from "@fairlead/client";
import type { Code, ProcedureKind, RetrySafety, WireError } from "@fairlead/contracts";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

export const agreements: readonly [
  Same<Code, ClientCode>,
  Same<WireError, ClientWire>,
  Same<RetrySafety, ClientRetry>,
  Same<ProcedureKind, ClientKind>,
] = [true, true, true, true];
