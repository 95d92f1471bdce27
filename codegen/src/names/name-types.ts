/**
 * Gives every definition of a project one name that all documents, clients and tools share, and keeps the names that were given before.
 *
 * Not here: where the lock is kept (`generate`), and what is printed under the names (`emit`).
 */
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import type { ServiceModel } from "../model/model.ts";
import type { LoweredSchema } from "../schema/lower.ts";
import { anyJsonName, nameAnonymous } from "./anonymous-names.ts";
import { findProcedureType, nameAuthored, procedureTypes } from "./authored-names.ts";
import { findDefinitions } from "./definitions.ts";
import { type LockEntry, lockFile, type NamesLock } from "./lock.ts";
import { renameDefinitions } from "./rename.ts";
import { shareShapes } from "./share.ts";
import { groupTypes, listPlaces, type SharedType, typePlace } from "./shared-type.ts";

interface NamedTypes {
  /** The same services, whose schemas have definitions under the shared names. */
  readonly services: readonly ServiceModel[];
  /** What the lock is to be after this run. */
  readonly lock: NamesLock;
  readonly diagnostics: readonly Diagnostic[];
}

export const nameTypes = (contracts: readonly ServiceModel[], lock: NamesLock): NamedTypes => {
  const services = shareShapes(contracts, lock);
  const types = groupTypes(services.flatMap(findDefinitions));
  const authored = nameAuthored(types, lock);
  const taken = new Set([
    anyJsonName,
    ...authored.names.values(),
    ...services.flatMap((service) => [...procedureTypes(service).keys()]),
  ]);
  const anonymous = nameAnonymous(types, authored.names, { lock, taken });
  const names = new Map([...authored.names, ...anonymous]);
  const after = new Map(lock);
  for (const [type, name] of names) if (name !== anyJsonName) after.set(name, lockEntry(type));
  const used = new Set(names.values());
  return {
    services: renameDefinitions(services, localNames(names)),
    lock: after,
    diagnostics: [
      ...authored.diagnostics,
      ...[...anonymous].flatMap(reportClash),
      ...[...lock].filter(([name]) => !used.has(name)).map(reportUnused),
    ],
  };
};

const lockEntry = (type: SharedType): LockEntry => {
  if (type.id === undefined) return { at: [...listPlaces(type)] };
  const { id, sides } = type;
  return sides.size === 2 ? { id } : { id, side: sides.has("input") ? "input" : "output" };
};

/** For each schema, what its definitions are called from now on. */
const localNames = (
  names: ReadonlyMap<SharedType, string>,
): ReadonlyMap<LoweredSchema, ReadonlyMap<string, string>> => {
  const bySchema = new Map<LoweredSchema, Map<string, string>>();
  for (const [{ uses }, name] of names) {
    for (const { schema, local } of uses) {
      const known = bySchema.get(schema) ?? new Map<string, string>();
      known.set(local, name);
      bySchema.set(schema, known);
    }
  }
  return bySchema;
};

/** A procedure came whose type would have a name that the lock has given. */
const reportClash = ([type, name]: readonly [SharedType, string]): readonly Diagnostic[] => {
  const clash = findProcedureType(name, type);
  if (clash === undefined) return [];
  const fix = `rename the procedure, give the schema an id, or delete that line of ${lockFile}`;
  const message = `${clash.message}, and ${lockFile} has that name for this schema`;
  return [diagnostic("schema_id_clash", typePlace(type), { message, fix })];
};

const reportUnused = ([name, entry]: readonly [string, LockEntry]): Diagnostic =>
  diagnostic(
    "name_unused",
    { source: lockFile, where: name },
    {
      message: `no schema has the name \`${name}\` any more, which was that of ${"id" in entry ? `the id ${JSON.stringify(entry.id)}` : entry.at[0]}`,
      fix: "delete its line when the name is not needed any more, so that another schema may have it",
    },
  );
