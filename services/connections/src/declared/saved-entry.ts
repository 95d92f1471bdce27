/**
 * An entry written into the `.mcp.json` that the configuration names, for a person who wants a connection kept. The file is replaced whole, after a copy of it was
 * put beside it; one that was written by somebody else meanwhile is left as it is, and so is every file that lies beside it.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { insertEntry, parseCommentedJson } from "../json/commented-json.ts";
import { isRecord } from "../json/record.ts";

/** What was written. */
interface SavedEntry {
  readonly path: string;
  /** The copy of what was there; null where there was no file, or nothing was written. */
  readonly backup: string | null;
  /** The lines that are new. */
  readonly added: readonly string[];
}

/** Bytes; nothing that people write is longer. */
const longestFile = 1_048_576;
const emptyFile = "{\n}\n";

/** Copies that there may be beside it. */
const mostCopies = 100;

const member = "mcpServers";

interface NamedEntry {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

let last: Promise<unknown> = Promise.resolve();

/** One after the other. Rejects with why it cannot be, and has changed nothing then. */
export const saveEntry = (path: string, entry: NamedEntry): Promise<SavedEntry> => {
  const saved = last.then(() => writeEntry(path, entry));
  last = saved.catch(() => undefined);
  return saved;
};

const writeEntry = async (path: string, entry: NamedEntry): Promise<SavedEntry> => {
  // Where it is a link, what it leads to is edited, and the link stays.
  const place = await realpath(path).catch(onlyMissing(path));
  const found = await readSmall(place);
  if (found !== undefined && hasSame(found.text, entry)) return { path: place, backup: null, added: [] };
  const after = insertEntry(found?.text ?? emptyFile, { member, ...entry });
  const mode = found?.mode ?? 0o644;
  const backup = found === undefined ? null : await copyBeside(place, found);
  const isSame = async (): Promise<boolean> => (await readSmall(place))?.text === found?.text;
  try {
    await replace(place, after, { mode, when: isSame });
  } catch (cause) {
    if (backup !== null) await rm(backup, { force: true });
    throw cause;
  }
  return { path: place, backup, added: addedLines(found?.text ?? "", after) };
};

/** Whether the file has the entry as it is, and a retry has nothing to do. */
export const hasEntry = async (path: string, entry: NamedEntry): Promise<boolean> => {
  const found = await readSmall(path);
  return found !== undefined && hasSame(found.text, entry);
};

const hasSame = (text: string, { name, value }: NamedEntry): boolean => {
  try {
    const document = parseCommentedJson(text);
    const entries = isRecord(document) ? document[member] : undefined;
    const entry = isRecord(entries) && Object.hasOwn(entries, name) ? entries[name] : undefined;
    return isRecord(entry) && JSON.stringify(sortFields(entry)) === JSON.stringify(sortFields(value));
  } catch {
    return false;
  }
};

/** `type` says what an address says by itself. */
const sortFields = (entry: Readonly<Record<string, unknown>>): unknown =>
  Object.entries({ type: "http", ...entry }).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Under the first name that no file has: `.bak`, `.bak.1`. */
const copyBeside = async (place: string, { text, mode }: SmallFile): Promise<string> => {
  for (let number = 0; number < mostCopies; number += 1) {
    const path = number === 0 ? `${place}.bak` : `${place}.bak.${number}`;
    if (await createFile(path, text, mode)) return path;
  }
  throw new Error(`there are ${mostCopies} copies beside it already (${place}.bak): move some away`);
};

/** On disk when this resolves; false where there is something of that name. */
const createFile = async (path: string, text: string, mode: number): Promise<boolean> => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, mode).catch((cause: unknown) => {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return undefined;
    throw cause;
  });
  if (file === undefined) return false;
  try {
    await file.writeFile(text);
    await file.chmod(mode);
    await file.sync();
  } catch (cause) {
    await rm(path, { force: true });
    throw cause;
  } finally {
    await file.close();
  }
  return true;
};

const onlyMissing =
  <T>(otherwise: T) =>
  (cause: unknown): T => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return otherwise;
    throw cause;
  };

interface SmallFile {
  readonly text: string;
  readonly mode: number;
}

const readSmall = async (path: string): Promise<SmallFile | undefined> => {
  const about = await stat(path).catch(onlyMissing(undefined));
  if (about === undefined) return undefined;
  if (!about.isFile()) throw new Error(`${path} is not a file`);
  if (about.size > longestFile) throw new Error(`${path} has more than ${longestFile} bytes`);
  return { text: await readFile(path, "utf8"), mode: about.mode & 0o777 };
};

interface Replacement {
  readonly mode: number;
  /** Asked last: whether it may still be replaced. */
  readonly when: () => Promise<boolean>;
}

/** On disk before it has the name: a kill leaves the old one or the new one. */
const replace = async (path: string, text: string, { mode, when }: Replacement): Promise<void> => {
  const next = `${path}.${randomUUID()}.next`;
  if (!(await createFile(next, text, mode))) throw new Error(`${next} is there already`);
  try {
    if (!(await when())) throw new Error(`${path} was written by somebody else meanwhile`);
    await rename(next, path);
  } catch (cause) {
    await rm(next, { force: true });
    throw cause;
  }
};

/** Lines of `after` that `before` has not, in their order; each line counts as often as it is there. */
const addedLines = (before: string, after: string): readonly string[] => {
  const left = new Map<string, number>();
  for (const line of before.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  return after.split("\n").filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
};
