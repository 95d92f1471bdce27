/**
 * Values by connection in one JSON file of the service's own folder: readable by its owner alone, read once, replaced whole. A file that
 * cannot be read counts as empty; that is logged, and the file is put aside instead of overwritten.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export interface JsonFile<T> {
  get(connection: string): T | undefined;
  /** `undefined` deletes it. */
  set(connection: string, value: T | undefined): void;
}

/** Where such files are. */
export interface StoreLocation {
  /** Made when something is first kept. */
  readonly folder: () => string;
  /** Called when a file cannot be read. */
  readonly warn: (message: string) => void;
}

export const openJsonFile = <T>(name: string, schema: z.ZodType<T>, { folder, warn }: StoreLocation): JsonFile<T> => {
  const path = (): string => join(folder(), name);
  const document = z.record(z.string(), schema);
  let kept: Map<string, T> | undefined;

  const load = (): Map<string, T> => {
    try {
      return new Map(Object.entries(document.parse(JSON.parse(readFileSync(path(), "utf8")))));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
      const aside = `${path()}.broken`;
      warn(`${name} could not be read; it is put aside as ${aside}, and counts as empty`);
      renameSync(path(), aside);
      return new Map();
    }
  };
  const all = (): Map<string, T> => {
    kept ??= load();
    return kept;
  };

  return {
    get: (connection) => all().get(connection),
    set: (connection, value) => {
      if (value === undefined) all().delete(connection);
      else all().set(connection, value);
      const next = `${path()}.next`;
      writeFileSync(next, JSON.stringify(Object.fromEntries(all())), { mode: 0o600 });
      renameSync(next, path());
    },
  };
};
