/**
 * The lock of names, `fairlead.names.lock`: which schema has which name, so that an edit elsewhere renames nothing that others import.
 * It is committed, and the generator both reads and writes it. `docs/names.md` says how people use it.
 *
 * Not here: which names are given (`assign`).
 */
import { decoder } from "@fairlead/contracts";
import * as z from "zod";
import { type Diagnostic, diagnostic } from "../model/diagnostics.ts";
import { bannerMark } from "../print/text.ts";

/** Beside the configuration, in the project's root. */
export const lockFile = "fairlead.names.lock";

const entry = z.union([
  z.strictObject({ id: z.string(), side: z.enum(["input", "output"]).optional() }),
  z.strictObject({ at: z.array(z.string()).min(1) }),
]);

/** What has a name: an author's id, on one side where the sides differ; or the places of a schema that its author has not named. */
export type LockEntry = z.output<typeof entry>;

/** Entries by name. */
export type NamesLock = ReadonlyMap<string, LockEntry>;

const decodeEntry = decoder<LockEntry>(entry);

const head = `# ${bannerMark}: the names of types that generated files share, and whose they are. Commit it.
# Delete a line to give up a name; docs/names.md of Fairlead says what follows.
`;

/** Reads the lock: a name and its entry in JSON a line. No text is an empty lock. */
export const parseLock = (text = ""): { readonly lock: NamesLock; readonly diagnostics: readonly Diagnostic[] } => {
  const lock = new Map<string, LockEntry>();
  const diagnostics: Diagnostic[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name, json] = /^([A-Z][A-Za-z0-9]*) (\{.*\})$/.exec(line) ?? [];
    const read = name === undefined || json === undefined || lock.has(name) ? undefined : parseEntry(json);
    if (name === undefined || read === undefined) diagnostics.push(refuseLine(index + 1, line));
    else lock.set(name, read);
  }
  return { lock, diagnostics };
};

const parseEntry = (json: string): LockEntry | undefined => {
  try {
    const decoded = decodeEntry(JSON.parse(json));
    return decoded.ok ? decoded.value : undefined;
  } catch {
    return undefined;
  }
};

const refuseLine = (number: number, line: string): Diagnostic => {
  const isConflict = /^(?:<{7}|={7}|>{7})/.test(line);
  return diagnostic(
    "names_lock_invalid",
    { source: `${lockFile}:${number}`, where: "" },
    {
      message: isConflict
        ? "the line is the mark of a merge conflict"
        : "the line is not a name with its entry, or a name for the second time",
      fix: isConflict
        ? "keep the lines of both sides, and remove the marks"
        : "take the file from version control, or delete the line",
    },
  );
};

/** A line a name, so that two branches that add names merge by lines, and each can be deleted by itself. */
export const printLock = (lock: NamesLock): string =>
  head +
  [...lock]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${name} ${JSON.stringify(each)}\n`)
    .join("");
