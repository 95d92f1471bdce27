/**
 * A client's file on disk: read through links, replaced in one step, with a copy of what it was. Whoever changed it meanwhile is not
 * overwritten.
 *
 * Not here: what is changed in it (`config-text.ts`).
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CommandError } from "../command/failure.ts";

export interface ConfigFile {
  /** As the client knows it. */
  readonly path: string;
  /** The file itself, where `path` is a link. */
  readonly target: string;
  /** Without a byte order mark. `""` where there is no file. */
  readonly text: string;
  readonly exists: boolean;
  readonly hasMark: boolean;
}

const maxBytes = 16 * 1_048_576;
const mark = "\uFEFF";

const refused = (message: string, hint: string, cause?: unknown): CommandError =>
  new CommandError({ code: "failed_precondition", exit: 8 }, { message, hint }, { cause });

export const readConfigFile = (path: string): ConfigFile => {
  const target = followLinks(path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return { path, target, text: "", exists: false, hasMark: false };
  if (!found.isFile()) throw refused(`${path} is not a file`, "move it away");
  if (found.size > maxBytes)
    throw refused(`${path} has more than 16 MiB`, "look whether it is the client's file at all");
  const text = readText(target);
  const hasMark = text.startsWith(mark);
  return { path, target, text: hasMark ? text.slice(1) : text, exists: true, hasMark };
};

const followLinks = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
  }
};

const readText = (path: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (cause) {
    throw refused(`${path} cannot be read as text`, "look at its rights and its encoding, which must be UTF-8", cause);
  }
};

/** Writes the text in the file's place. Gives the path of the copy; `undefined` where there was no file. */
export const replaceConfigFile = (file: ConfigFile, text: string, copies: string): string | undefined => {
  const now = readConfigFile(file.path);
  if (now.exists !== file.exists || now.text !== file.text)
    throw refused(`${file.path} was changed meanwhile`, "run the command again");
  const copy = file.exists ? keepCopy(file, copies) : undefined;
  const { target, hasMark } = file;
  const made = `${target}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeDurably(made, hasMark ? mark + text : text, file.exists ? statSync(target).mode & 0o777 : undefined);
    renameSync(made, target);
  } catch (cause) {
    rmSync(made, { force: true });
    throw refused(
      `${target} cannot be written`,
      "look at the rights of its folder and at the space on its disk",
      cause,
    );
  }
  return copy;
};

const writeDurably = (path: string, text: string, mode: number | undefined): void => {
  const handle = openSync(path, "wx", 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(path, mode ?? 0o644 & ~process.umask());
};

/** Copies of one name that are kept, the newest. */
const mostCopies = 10;

/** Copies the file into the folder. Copies may hold secrets of other servers: they are the user's alone. */
export const keepCopy = ({ target }: ConfigFile, folder: string): string => {
  const time = new Date().toISOString().replaceAll(":", "-");
  const copy = join(folder, `${time}-${basename(target)}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(copy, readFileSync(target), { mode: 0o600, flag: "wx" });
    const same = readdirSync(folder).filter((name) => name.endsWith(`-${basename(target)}`));
    for (const old of same.toSorted().slice(0, -mostCopies)) rmSync(join(folder, old), { force: true });
  } catch (cause) {
    throw refused(`no copy of ${target} could be made in ${folder}`, "nothing was changed; look at that folder", cause);
  }
  return copy;
};
