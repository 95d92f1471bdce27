/**
 * What generated code says about a service: data for the run time, and the shape of the types that go with it.
 *
 * `fairlead gen` writes one descriptor and one types interface a service:
 *
 *     export const rules = { id: "rules", procedures: { resolveAttack: { ... } } } as const satisfies ServiceDescriptor;
 *     export interface RulesTypes { resolveAttack: { input: ...; output: ...; errors: { unknown_target: { name: string } } } }
 *
 * Not here: anything that runs.
 */

/** `query` reads, `mutation` changes, `subscription` streams events. */
export type Kind = "query" | "mutation" | "subscription";

/** How a repeat behaves: `safe` changes nothing, `idempotent` leaves the same state, `keyed` needs an idempotency key. */
export type RetrySafety = "safe" | "idempotent" | "keyed" | "unsafe";

/** How a field is written in a query string: as one parameter, or, for a list, as one for each item. */
export type QueryType = "string" | "number" | "boolean" | "string[]" | "number[]" | "boolean[]";

/** How one procedure is called over HTTP, and how a repeat behaves. */
export interface ProcedureDescriptor {
  /** Full name, like `rules.resolveAttack`. */
  readonly name: string;
  readonly kind: Kind;
  /** Path of the HTTP API from the server's root, like `/api/rules/resolveAttack`. */
  readonly path: string;
  readonly retry: RetrySafety;
  /**
   * The fields that a query string can have. A call whose input has no others and is short is a GET, any other a POST; a procedure without it is always
   * a POST.
   */
  readonly query?: Readonly<Record<string, QueryType>>;
  /** Its output is a page: `next` of it is the `cursor` of the next. */
  readonly paginated?: true;
  /** It takes a file beside its input. */
  readonly upload?: true;
  /** It gives a file; its output is what that is. */
  readonly download?: true;
  /** It can be started as a run. */
  readonly run?: true;
  /** Where the client is to take and give values instead of their wire form: `withValues` of `@fairlead/contracts/values` adds it. */
  readonly values?: ValueCodec;
}

/** How the values of a procedure become their wire form, and back. */
export interface ValueCodec {
  readonly encodeInput: (value: unknown) => unknown;
  readonly decodeOutput: (wire: unknown) => unknown;
}

/** Names are the keys of the service's types interface, so that a descriptor and the wrong types do not compile together. */
export interface ServiceDescriptor<Names extends string = string> {
  readonly id: string;
  readonly procedures: Readonly<Record<Names, ProcedureDescriptor>>;
}

/** Types of one procedure. */
export interface ProcedureTypes {
  /** Only subscriptions say it: their `output` is one event. */
  readonly kind?: Kind;
  /** Only lists in pages say it: their `output` is one page. */
  readonly paginated?: true;
  /** Only uploads say it. */
  readonly upload?: true;
  /** Only downloads say it: their `output` describes the file. */
  readonly download?: true;
  /** Only what can be started as a run says it. */
  readonly run?: true;
  /** What it may ask a person, by name: true or false, or what a form is filled with. */
  readonly questions?: object;
  /** What a caller sends: before defaults. */
  readonly input: unknown;
  /** What a caller gets. */
  readonly output: unknown;
  /** Declared errors: reason to data (`undefined` where the reason says everything). */
  readonly errors: object;
}

/** An interface with one `ProcedureTypes` a procedure. */
export type ServiceTypes<T> = { readonly [N in keyof T]: ProcedureTypes };

/** The descriptor that fits these types: the same names, and a subscription where the types say so. */
export type DescriptorFor<T extends ServiceTypes<T>> = {
  readonly id: string;
  readonly procedures: {
    readonly [N in keyof T]: ProcedureDescriptor & {
      readonly kind: T[N] extends { readonly kind: "subscription" } ? "subscription" : "query" | "mutation";
    } & (T[N] extends { readonly paginated: true } ? { readonly paginated: true } : unknown) &
      (T[N] extends { readonly upload: true } ? { readonly upload: true } : unknown) &
      (T[N] extends { readonly download: true } ? { readonly download: true } : unknown) &
      (T[N] extends { readonly run: true } ? { readonly run: true } : unknown);
  };
};
