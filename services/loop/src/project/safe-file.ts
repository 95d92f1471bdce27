/**
 * Files inside a folder, by paths that cannot lead out of it: no component may be a symlink, the last one is opened without
 * following, and what was opened is checked again by its descriptor, so that a swap in between is noticed.
 */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join, relative, sep } from "node:path";

export type Content =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "refused"; readonly why: string };

/** A path left the folder, or a part of it is a symlink. */
export class EscapeError extends Error {
  override readonly name = "EscapeError";
}

/** True when `path` is `root` or lies below it; both real paths. Compared by parts, not by prefix. */
export const isInside = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way) && !way.startsWith(sep));
};

/** Walks down from the root; every part that exists must be itself, no symlink. Gives the absolute path. */
export const plainPath = (root: string, path: string): string => {
  let at = root;
  for (const part of path.split("/")) {
    if (part === "" || part === "." || part === ".." || part.includes("\0"))
      throw new EscapeError(`${JSON.stringify(path)} is no plain path`);
    at = join(at, part);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) throw new EscapeError(`${JSON.stringify(path)} passes through a symlink`);
  }
  return at;
};

/** Where an open descriptor really is; `undefined` where the system does not say. */
const placeOf = (descriptor: number): string | undefined => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
};

/** Opens without following a last symlink, and makes sure of where it landed. */
const openPlain = (root: string, path: string, flags: number): number => {
  const target = plainPath(root, path);
  const descriptor = openSync(target, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644);
  try {
    const place = placeOf(descriptor) ?? realpathSync(target);
    const opened = fstatSync(descriptor);
    const named = lstatSync(target);
    if (!opened.isFile()) throw new EscapeError(`${JSON.stringify(path)} is no plain file`);
    if (!isInside(root, place) || opened.ino !== named.ino || opened.dev !== named.dev)
      throw new EscapeError(`${JSON.stringify(path)} was moved while it was opened`);
    return descriptor;
  } catch (failure) {
    closeSync(descriptor);
    throw failure;
  }
};

/** Reads a text file below `root` (a real path). Larger files are refused, never cut. */
export const readInside = (root: string, path: string, mostBytes: number): Content => {
  let descriptor: number | undefined;
  try {
    descriptor = openPlain(root, path, constants.O_RDONLY);
    const { size } = fstatSync(descriptor);
    if (size > mostBytes) return { kind: "refused", why: `${path} is larger than ${mostBytes} bytes` };
    return { kind: "text", text: readFileSync(descriptor, "utf8") };
  } catch (failure) {
    if (failure instanceof EscapeError) return { kind: "refused", why: failure.message };
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    return { kind: "refused", why: `${path} cannot be read (${String(code)})` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
};

/** Makes a folder below `root`, and the ones above it. */
export const makeFolder = (root: string, path: string): string => {
  const target = plainPath(root, path);
  mkdirSync(target, { recursive: true });
  if (!isInside(root, realpathSync(target)))
    throw new EscapeError(`${JSON.stringify(path)} was moved while it was made`);
  return target;
};

/** Replaces a file below `root` as a whole: a reader sees the old one or the new one. */
export const replaceInside = (root: string, path: string, text: string): void => {
  const temporary = `${path}.${process.pid}.tmp`;
  const descriptor = openPlain(root, temporary, constants.O_WRONLY | constants.O_CREAT);
  try {
    ftruncateSync(descriptor, 0);
    writeAll(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
  renameSync(join(root, temporary), plainPath(root, path));
};

/** Adds to the end of a file below `root`. */
export const appendInside = (root: string, path: string, text: string): void => {
  const descriptor = openPlain(root, path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  try {
    writeAll(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};

const writeAll = (descriptor: number, text: string): void => {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
};
