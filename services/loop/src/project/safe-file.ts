/**
 * Files inside a folder, by paths that cannot lead out of it: no part may be a symlink, and everything is done through the
 * descriptor of the folder that holds the file, checked once it is open, so that no swap in between leads anywhere else.
 */

import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../value/error.ts";

type FileContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly why: string };

/** A path left the folder, or a part of it is a symlink. */
export class EscapeError extends Error {
  override readonly name = "EscapeError";
}

/** Walks down from the root; no part that exists may be a symlink. Gives the absolute path. */
export const plainPath = (root: string, path: string): string => walkDown(root, path, path.split("/").length);

/** The same with only so many of the first parts looked at. */
const walkDown = (root: string, path: string, checked: number): string => {
  let at = root;
  for (const [index, part] of path.split("/").entries()) {
    if (part === "" || part === "." || part === ".." || part.includes("\0"))
      throw new EscapeError(`${JSON.stringify(path)} is not a plain path`);
    at = join(at, part);
    if (index >= checked) continue;
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) throw new EscapeError(`${JSON.stringify(path)} passes through a symlink`);
  }
  return at;
};

/** Where an open descriptor really is; `undefined` where the system does not say. */
const descriptorPath = (descriptor: number): string | undefined => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
};

/**
 * Opens the folder that holds a path, checks that it is where its name says, and gives a name of the path that goes through the
 * descriptor: whatever is swapped above it meanwhile, the folder stays the same one. Where the system has no such names the plain
 * one is given, checked at this moment only.
 */
const withFolder = <T>(root: string, path: string, use: (target: string) => T, plain = plainPath(root, path)): T => {
  const folder = dirname(plain);
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const place = descriptorPath(descriptor);
    if ((place ?? realpathSync(folder)) !== folder)
      throw new EscapeError(`${JSON.stringify(path)} was moved while it was opened`);
    return use(place === undefined ? plain : `/proc/self/fd/${descriptor}/${basename(plain)}`);
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Opens a plain file below `root` (a real path): no symlink, and for writing no further name of a file that may lie elsewhere. The
 * caller closes it.
 */
export const openInside = (root: string, path: string, flags: number): number =>
  withFolder(root, path, (target) => {
    const descriptor = openSync(target, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
    const opened = fstatSync(descriptor);
    const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
    if (opened.isFile() && !(writes && opened.nlink > 1)) return descriptor;
    closeSync(descriptor);
    throw new EscapeError(`${JSON.stringify(path)} is not a plain file`);
  });

/** Reads a text file below `root` (a real path). Larger files are refused, never cut. */
export const readInside = (root: string, path: string, maxBytes: number): FileContent => {
  let descriptor: number | undefined;
  try {
    descriptor = openInside(root, path, constants.O_RDONLY);
    const { size } = fstatSync(descriptor);
    if (size > maxBytes) return { kind: "refused", why: `${path} is larger than ${maxBytes} bytes` };
    return { kind: "text", text: readFileSync(descriptor, "utf8") };
  } catch (problem) {
    if (problem instanceof EscapeError) return { kind: "refused", why: problem.message };
    const code = errorCode(problem);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    return { kind: "refused", why: `${path} cannot be read (${code || "unknown"})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

/** Makes a folder below `root`, and the ones above it. Gives its absolute path. */
export const makeFolder = (root: string, path: string): string => {
  const parts = path.split("/");
  for (const [index] of parts.entries()) withFolder(root, parts.slice(0, index + 1).join("/"), makeFolderAt);
  return plainPath(root, path);
};

const makeFolderAt = (target: string): void => {
  try {
    mkdirSync(target);
  } catch (problem) {
    if (errorCode(problem) !== "EEXIST") throw problem;
  }
};

/** Replaces a file below `root` as a whole: a reader sees the old one or the new one. With a mode it gets exactly that one. */
export const replaceInside = (root: string, path: string, content: string | Uint8Array, mode?: number): void =>
  withFolder(root, path, (target) => {
    const temporary = `${target}.${process.pid}.tmp`;
    rmSync(temporary, { force: true });
    writeNew(temporary, content, mode);
    renameSync(temporary, target);
  });

const writeNew = (target: string, content: string | Uint8Array, mode: number | undefined): void => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const descriptor = openSync(target, flags, mode === undefined ? 0o644 : mode & 0o600);
  try {
    writeAll(descriptor, content);
    if (mode !== undefined) fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
};

/** A file as it was looked at; `undefined` where there was none. */
interface ExpectedFile {
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * The same, unless something else than what was looked at is there by now: that stays as it is, and the answer is false. Somebody who saves the
 * file at this moment loses nothing.
 */
export const replaceExpected = (
  root: string,
  path: string,
  {
    content,
    mode,
    expected,
    link = linkSync,
  }: {
    readonly content: Uint8Array;
    readonly mode: number;
    readonly expected: ExpectedFile | undefined;
    /** Gives a file a second name, which some file systems refuse. */
    readonly link?: (from: string, target: string) => void;
  },
): boolean =>
  withFolder(root, path, (target) => {
    const [fresh, aside] = [`${target}.${process.pid}.tmp`, `${target}.${process.pid}.old`];
    for (const name of [fresh, aside]) rmSync(name, { force: true });
    writeNew(fresh, content, mode);
    try {
      if (expected !== undefined && !moveExpected(target, aside, expected)) return false;
      // A link replaces nothing, where a rename would.
      const isDone = placeNew(fresh, target, link);
      // Nothing is there where it was moved away; who has put something there since has the newer one.
      if (!isDone && expected !== undefined) placeNew(aside, target, link);
      return isDone;
    } finally {
      // What failed on the way leaves the file as it was.
      if (lstatSync(target, { throwIfNoEntry: false }) === undefined && lstatSync(aside, { throwIfNoEntry: false }))
        renameSync(aside, target);
      for (const name of [fresh, aside]) rmSync(name, { force: true });
    }
  });

/** Moves a file out of the way; back again where it is not the one that was looked at. */
const moveExpected = (target: string, aside: string, { size, mtimeMs }: ExpectedFile): boolean => {
  try {
    renameSync(target, aside);
  } catch (problem) {
    if (errorCode(problem) === "ENOENT") return false;
    throw problem;
  }
  const moved = lstatSync(aside);
  if (moved.isFile() && moved.size === size && moved.mtimeMs === mtimeMs) return true;
  renameSync(aside, target);
  return false;
};

/** False where something is there. Where files have one name only, a copy is made. */
const placeNew = (from: string, target: string, link: (from: string, target: string) => void): boolean => {
  try {
    link(from, target);
    return true;
  } catch (problem) {
    if (errorCode(problem) === "EEXIST") return false;
    return copyNew(from, target);
  }
};

const copyNew = (from: string, target: string): boolean => {
  try {
    copyFileSync(from, target, constants.COPYFILE_EXCL);
    return true;
  } catch (problem) {
    if (errorCode(problem) === "EEXIST") return false;
    rmSync(target, { force: true });
    throw problem;
  }
};

/** Adds to the end of a file below `root`. */
export const appendInside = (root: string, path: string, text: string): void => {
  const descriptor = openInside(root, path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  try {
    writeAll(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};

/** Removes a file below `root`; none there is fine. */
export const removeInside = (root: string, path: string): void =>
  withFolder(root, path, (target) => rmSync(target, { force: true }));

/** Removes a file or a symlink itself: only the folders above it must be plain. None there is fine; a folder is refused. */
export const unlinkInside = (root: string, path: string): void => {
  try {
    withFolder(root, path, unlinkSync, walkDown(root, path, path.split("/").length - 1));
  } catch (problem) {
    if (errorCode(problem) !== "ENOENT" && errorCode(problem) !== "ENOTDIR") throw problem;
  }
};

const writeAll = (descriptor: number, content: string | Uint8Array): void => {
  const bytes = Buffer.from(content);
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
};
