/**
 * An entry written into the `.mcp.json` that the configuration names, for a person who wants a connection kept. The file is replaced whole, after a copy of it was
 * put beside it; one that was written by somebody else meanwhile is left as it is.
 */
import { constants } from "node:fs";
import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { insertEntry } from "../json/commented-json.ts";

/** What was written. */
interface SavedEntry {
  readonly path: string;
  /** The copy of what was there; null where there was no file. */
  readonly backup: string | null;
  /** The lines that are new. */
  readonly added: readonly string[];
}

/** Bytes; nothing that people write is longer. */
const longestFile = 1_048_576;
const emptyFile = "{\n}\n";

/** Rejects with why it cannot be, and has changed nothing then. */
export const saveEntry = async (
  path: string,
  entry: { readonly name: string; readonly value: unknown },
): Promise<SavedEntry> => {
  // Where it is a link, what it leads to is edited, and the link stays.
  const place = await realpath(path).catch(onlyMissing(path));
  const found = await readSmall(place);
  const before = found?.text ?? emptyFile;
  const after = insertEntry(before, { member: "mcpServers", ...entry });
  const mode = found?.mode ?? 0o644;
  const backup = found === undefined ? null : `${place}.bak`;
  if (backup !== null) await replace(backup, before, { mode, when: async () => true });
  const isSame = async (): Promise<boolean> => (await readSmall(place))?.text === found?.text;
  await replace(place, after, { mode, when: isSame });
  return { path: place, backup, added: addedLines(found?.text ?? "", after) };
};

const onlyMissing =
  <T>(otherwise: T) =>
  (cause: unknown): T => {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return otherwise;
    throw cause;
  };

const readSmall = async (path: string): Promise<{ readonly text: string; readonly mode: number } | undefined> => {
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
  const next = `${path}.${process.pid}.next`;
  await rm(next, { force: true });
  const file = await open(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  try {
    await file.writeFile(text);
    await file.chmod(mode);
    await file.sync();
    await file.close();
    if (!(await when())) throw new Error(`${path} was written by somebody else meanwhile`);
    await rename(next, path);
  } catch (cause) {
    await file.close().catch(() => undefined);
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
