/**
 * What a tRPC router over services is made of, as types: an app's own `t`, dispatch, and how a caller is found in the app's context.
 *
 * Not here: making it (`transport/trpc/router.ts`), and what of a manifest is not for tRPC (`manifest.ts`).
 */
import type { AccessLevel, RetrySafety } from "@fairlead/contracts";
import type {
  AnyTRPCRootTypes,
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from "@trpc/server";
import type { CallRequest, Dispatch, Principal } from "../call/call.ts";
import type { SharedStream } from "./shared-stream.ts";

/** `meta` of each procedure: what its contract says of it, for an app's middlewares and plugins. */
export interface ProcedureMeta {
  /** Full name, like `rules.resolveAttack`, wherever the router is nested. */
  readonly procedure: string;
  /** The right that a caller needs. */
  readonly access: AccessLevel;
  /** What a repeat does. */
  readonly retry: RetrySafety;
  /** Its MCP tool; `false` where it is none. */
  readonly tool: string | false;
}

/** What `initTRPC…create()` gives, as far as it matters here. */
interface TrpcRoot {
  readonly _config: { readonly $types: AnyTRPCRootTypes };
  readonly router: unknown;
  readonly procedure: ProcedureBase;
}

/** A procedure to build on: `t.procedure`, with or without middlewares. */
export interface ProcedureBase {
  query(resolver: never): unknown;
}

/** The context that resolvers of such a procedure get. */
export type ProcedureContext<P> = P extends { query(resolver: infer Resolver): unknown }
  ? Resolver extends (options: infer Options extends { readonly ctx: unknown }) => unknown
    ? Options["ctx"]
    : never
  : never;

/** How an app takes services into its own router. */
export interface RouterOptions<T extends TrpcRoot, P extends ProcedureBase = T["procedure"]> {
  /** The app's own: its context, transformer and error formatter hold for these procedures, too. */
  readonly t: T;
  /** The kernel's, `kernel.dispatch`. */
  readonly dispatch: Dispatch;
  /** Who calls. Asked for each call; what it throws is the call's error. */
  readonly principal: (ctx: ProcedureContext<P>) => Principal | Promise<Principal>;
  /** To build on; `t.procedure` when left out. Its middlewares run before dispatch. */
  readonly procedure?: P;
  /** What else a caller may say of a call: how long it waits, its key, its trace. */
  readonly terms?: (ctx: ProcedureContext<P>, call: { readonly batchIndex: number }) => CallTerms;
  /** What subscriptions of this context go over, where they share one connection. */
  readonly stream?: (ctx: ProcedureContext<P>) => SharedStream | undefined;
}

type CallTerms = Partial<Pick<CallRequest, "timeoutMs" | "idempotencyKey" | "trace" | "scanned">>;

/** Procedures by service, as the generated `AppRecord` names them. */
export type ProcedureRecord = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** One generated procedure inside of an app whose root types are `Root`. */
type ProcedureIn<Root extends AnyTRPCRootTypes, P> =
  P extends TRPCQueryProcedure<infer D>
    ? TRPCQueryProcedure<DefIn<Root, D>>
    : P extends TRPCMutationProcedure<infer D>
      ? TRPCMutationProcedure<DefIn<Root, D>>
      : P extends TRPCSubscriptionProcedure<infer D>
        ? TRPCSubscriptionProcedure<DefIn<Root, D>>
        : never;

interface DefIn<Root extends AnyTRPCRootTypes, D extends { readonly input: unknown; readonly output: unknown }> {
  input: D["input"];
  output: D["output"];
  meta: Root["meta"];
  errorShape: Root["errorShape"];
}

/** The router that an app gets: `AppRecord` with the app's own root types. */
export type RouterIn<T extends TrpcRoot, Services> = TRPCBuiltRouter<
  T["_config"]["$types"],
  { [S in keyof Services]: { [N in keyof Services[S]]: ProcedureIn<T["_config"]["$types"], Services[S][N]> } }
>;

/** The generated router's one export. `Services` is the generated `AppRecord`. */
export type CreateRouter<Services = ProcedureRecord> = <T extends TrpcRoot, P extends ProcedureBase = T["procedure"]>(
  options: RouterOptions<T, P>,
) => RouterIn<T, Services>;
