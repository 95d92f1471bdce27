/**
 * Names of types whose author gave an id: the id as an identifier, the same on both sides unless they differ, and refused where it is
 * no name, or another type's.
 *
 * Not here: types without an id (`anonymous-names`).
 */

import { type Diagnostic, type DiagnosticCode, diagnostic } from "../model/diagnostics.ts";
import { pascalCase } from "../model/letter-case.ts";
import type { ServiceModel } from "../model/model.ts";
import type { NamesLock } from "./lock.ts";
import { languageName, typeOwner } from "./reserved.ts";
import { listPlaces, type SharedType, typePlace } from "./shared-type.ts";

interface AuthoredNames {
  readonly names: ReadonlyMap<SharedType, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An id as a name in every language. */
const idName = (id: string): string => pascalCase(id);

const longestName = 60;

export const nameAuthored = (types: readonly SharedType[], lock: NamesLock): AuthoredNames => {
  const names = new Map<SharedType, string>();
  const diagnostics: Diagnostic[] = [];
  const refuse = (code: DiagnosticCode, type: SharedType, message: string, fix: string): void =>
    void diagnostics.push(diagnostic(code, typePlace(type), { message, fix }));
  const owners = new Map<string, SharedType>();
  for (const [id, variants] of groupById(types)) {
    const base = idName(id);
    const [first] = variants;
    const refusal = refuseId(id, base);
    if (refusal !== undefined) refuse(refusal.code, first, refusal.message, refusal.fix);
    for (const [name, type] of chooseSides(base, variants, lock)) {
      names.set(type, name);
      const owner = owners.get(name.toLowerCase());
      if (owner !== undefined && owner.id !== id) {
        const message = `the ids ${JSON.stringify(owner.id)} and ${JSON.stringify(id)} come to one name, \`${name}\``;
        refuse("schema_id_clash", type, message, "give one of them another id");
      }
      owners.set(name.toLowerCase(), type);
      const clash = findProcedureType(name, type) ?? findLocked(name, type, lock);
      if (clash !== undefined) refuse("schema_id_clash", type, clash.message, clash.fix);
    }
    for (const other of findOthers(variants)) {
      const message = `two different schemas have the id ${JSON.stringify(id)}: the other one is ${listPlaces(first)[0]}`;
      refuse("schema_id_duplicate", other, message, "give one of them another id, or use one schema in both places");
    }
  }
  return { names, diagnostics };
};

type Variants = readonly [SharedType, ...SharedType[]];

const groupById = (types: readonly SharedType[]): ReadonlyMap<string, Variants> => {
  const groups = new Map<string, [SharedType, ...SharedType[]]>();
  for (const type of types) {
    if (type.id === undefined) continue;
    const group = groups.get(type.id);
    if (group === undefined) groups.set(type.id, [type]);
    else group.push(type);
  }
  return groups;
};

/** Those that say something else on a side that is taken. */
const findOthers = (variants: Variants): readonly SharedType[] => {
  const taken = new Set<string>();
  return variants.filter(({ sides }) => {
    const isOther = [...sides].some((side) => taken.has(side));
    for (const side of sides) taken.add(side);
    return isOther;
  });
};

/** A name that was given stays; then the output has the plain one. */
const chooseSides = (base: string, variants: Variants, lock: NamesLock): readonly (readonly [string, SharedType])[] => {
  const locked = (side: "input" | "output" | undefined): string | undefined =>
    [base, `${base}Input`, `${base}Output`].find((name) => {
      const entry = lock.get(name);
      return entry !== undefined && "id" in entry && idName(entry.id) === base && entry.side === side;
    });
  const input = variants.find(({ sides }) => sides.has("input"));
  const output = variants.find(({ sides }) => sides.has("output"));
  if (input === undefined || output === undefined || input === output) {
    const [only] = variants;
    const side = only.sides.size === 2 ? undefined : only.sides.has("input") ? "input" : "output";
    return [[locked(side) ?? locked(undefined) ?? locked("output") ?? locked("input") ?? base, only]];
  }
  const outputName = locked("output") ?? locked(undefined) ?? (locked("input") === base ? `${base}Output` : base);
  return [
    [outputName, output],
    [locked("input") ?? `${base}Input`, input],
  ];
};

const refuseId = (
  id: string,
  name: string,
): { readonly code: DiagnosticCode; readonly message: string; readonly fix: string } | undefined => {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || name.length > longestName) {
    return {
      code: "schema_id_invalid",
      message: `the id ${JSON.stringify(id)} gives no name of 1 to ${longestName} letters and digits that begins with a letter`,
      fix: "name what it is, like `Money`",
    };
  }
  const owner = typeOwner(name);
  if (owner === undefined) return undefined;
  return {
    code: "schema_id_reserved",
    message: `\`${name}\` is a type of ${owner === "fairlead" ? "Fairlead's own documents" : `${languageName(owner)} or its library`} already`,
    fix: `say whose it is, like \`Shop${name}\``,
  };
};

/** The client's module for a service has a type for each procedure's input and output. */
export const findProcedureType = (name: string, { uses }: SharedType) => {
  for (const { service } of uses) {
    const owner = procedureTypes(service).get(name);
    if (owner !== undefined)
      return { message: `\`${name}\` is the type of ${owner}, in the client`, fix: "give the schema another id" };
  }
  return undefined;
};

const known = new WeakMap<ServiceModel, ReadonlyMap<string, string>>();

/** Names of the types that a service's module declares for its procedures, with what they are. */
export const procedureTypes = (service: ServiceModel): ReadonlyMap<string, string> => {
  const before = known.get(service);
  if (before !== undefined) return before;
  const names = new Map([[`${pascalCase(service.id)}Types`, `all types of ${service.id}`]]);
  for (const { name, fullName } of service.procedures) {
    names.set(`${pascalCase(name)}Input`, `the input of ${fullName}`);
    names.set(`${pascalCase(name)}Output`, `the output of ${fullName}`);
  }
  known.set(service, names);
  return names;
};

/** A schema without an id was given the name before. */
const findLocked = (name: string, { id }: SharedType, lock: NamesLock) => {
  const entry = lock.get(name);
  if (entry === undefined || ("id" in entry && idName(entry.id) === idName(id ?? ""))) return undefined;
  const owner = "id" in entry ? `the id ${JSON.stringify(entry.id)}` : entry.at[0];
  return {
    message: `\`${name}\` is the name of another schema in fairlead.names.lock: ${owner}`,
    fix: "give the schema another id, or delete that line",
  };
};
