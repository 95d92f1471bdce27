/**
 * A contract: an id, a version and named procedures. It is the root of everything Fairlead makes and imports nothing but Zod.
 *
 * The types at the end are what services and clients are written against; they are read off the contract, never repeated.
 */
import { checkDefinition, checkPlacement, contractShape, DefinitionError } from "./definition-check.ts";
import type { ErrorData } from "./error.ts";
import type { Procedure, Rename } from "./procedure.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { SchemaInput, SchemaOutput } from "./schema/schema.ts";
import type { Verb } from "./verb.ts";

/** A service's interface, as `defineContract` made and checked it. */
export interface Contract<
  Id extends string = string,
  P extends Readonly<Record<string, Procedure>> = Readonly<Record<string, Procedure>>,
> {
  /** Lower case, letters and digits; first part of every procedure's name. */
  readonly id: Id;
  /** Semantic version of the contract, not of the service behind it. */
  readonly version: string;
  /** One sentence. */
  readonly summary: string;
  /** More, in Markdown. */
  readonly description?: string;
  readonly procedures: P;
  /** What it offers on the command line, by the words that are typed, like `session start`. */
  readonly verbs?: Readonly<Record<string, Verb>>;
  /** What a person may ask a model to do with its tools, by name. */
  readonly prompts?: Readonly<Record<string, Prompt>>;
  /** What a client may read by an address and follow, by name. */
  readonly resources?: Readonly<Record<string, Resource>>;
}

/**
 * Defines a contract. Returns what it was given, frozen, with every literal type kept; old names of procedures (`renamedFrom`) are added, and are not in
 * its type. Throws a `DefinitionError` for a key, or a value of a closed set, that no contract has, at any depth, and for an old name that is taken.
 */
export const defineContract = <const Id extends string, const P extends Readonly<Record<string, Procedure>>>(
  contract: Contract<Id, P>,
): Contract<Id, P> => {
  const checked = checkDefinition(`contract ${String(contract.id)}`, contract, contractShape);
  for (const [name, procedure] of Object.entries(checked.procedures))
    checkPlacement(`contract ${contract.id}: procedures.${name}`, procedure);
  const renamed = oldNames(checked);
  return Object.freeze(
    renamed === undefined ? checked : { ...checked, procedures: { ...checked.procedures, ...renamed } },
  );
};

/** A procedure for each old name; `undefined` where nothing was renamed. */
const oldNames = ({ id, procedures }: Contract): Readonly<Record<string, Procedure>> | undefined => {
  const found = new Map<string, Procedure>();
  for (const [name, procedure] of Object.entries(procedures))
    for (const [old, rename] of Object.entries(procedure.renamedFrom ?? {})) {
      // Ours, where a contract is defined again.
      if (Object.hasOwn(procedures, old) && procedures[old]?.renamedTo === name) continue;
      if (Object.hasOwn(procedures, old) || found.has(old))
        throw new DefinitionError(
          `contract ${id}: \`procedures.${name}.renamedFrom\` has \`${old}\`, and another procedure is called that`,
          procedure,
        );
      found.set(old, underOldName(procedure, rename, { id, name, old }));
    }
  return found.size === 0 ? undefined : Object.fromEntries(found);
};

interface OldName {
  readonly id: string;
  readonly name: string;
  readonly old: string;
}

/** Its path is the default of the old name, since a stated one stays with the new name. */
const underOldName = <P extends Procedure>(procedure: P, { since, tool }: Rename, { id, name, old }: OldName): P => {
  const itsTool = tool ?? (procedure.tool === undefined ? undefined : false);
  return {
    ...procedure,
    ...(itsTool !== undefined && { tool: itsTool }),
    http: { path: `/${id}/${old}` },
    deprecated: { since, use: `${id}.${name}` },
    renamedFrom: {},
    renamedTo: name,
  };
};

/** True for what `defineContract` made; used when loading modules whose exports are not known. */
export const isContract = (value: unknown): value is Contract =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  typeof value.id === "string" &&
  "procedures" in value &&
  typeof value.procedures === "object" &&
  value.procedures !== null;

/** Names of a contract's procedures. */
export type ProcedureName<C extends Contract> = keyof C["procedures"] & string;

/** What a caller sends to a procedure: the wire side of the input. */
export type CallerInput<P> = P extends { readonly input: infer I } ? SchemaInput<I> : never;

/** What a handler receives: the value side of the input, decoded, defaults filled in. */
export type HandlerInput<P> = P extends { readonly input: infer I } ? SchemaOutput<I> : never;

/** What a handler returns: the value side of the output. The kernel checks it and encodes it to the wire side. */
export type HandlerOutput<P> = P extends { readonly output: infer O } ? SchemaOutput<O> : never;

/** What a caller gets back: the wire side of the output. A field with a default may be missing in the type; it never is on the wire. */
export type CallerOutput<P> = P extends { readonly output: infer O } ? SchemaInput<O> : never;

/** Declared errors of a procedure: reason to data. A map of any string, which is what "none" widens to, declares none. */
export type DeclaredErrors<P> = P extends { readonly errors?: infer E }
  ? {
      readonly [Reason in keyof NonNullable<E> & string as string extends Reason ? never : Reason]: ErrorData<
        NonNullable<E>[Reason]
      >;
    }
  : never;
