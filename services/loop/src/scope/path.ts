/**
 * Paths inside a project, checked as text: relative, slash-separated, without any spelling that some file system could read as
 * something else. What passes cannot leave the project by its name; symlinks are checked by `project/safe-file.ts`.
 */
import { limits } from "../value/limits.ts";

/** A normalised path, relative to the project's root: no leading slash, no `.` or `..`, no empty parts. */
type ProjectPath = string;

type PathVerdict = { readonly ok: true; readonly path: ProjectPath } | { readonly ok: false; readonly why: string };

const refuse = (why: string): PathVerdict => ({ ok: false, why });

/** Control characters, and those that file systems or eyes skip: zero-width, bidi, soft hyphens, variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufffc-\uffff]/u;

/** Percent-encoded dot, slash, backslash, percent or NUL: a later decoder would see another path. */
const encoded = /%(?:2e|2f|5c|25|00|u002e|u002f|u005c|c0%ae|c0%af)/i;

/** Reserved by one file system or another as names of devices. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i;

export const parsePath = (text: string): PathVerdict => {
  if (text.trim() === "") return refuse("the path is empty");
  if (Buffer.byteLength(text) > limits.path) return refuse(`the path is longer than ${limits.path} bytes`);
  if (!text.isWellFormed()) return refuse("the path is not valid Unicode");
  if (invisible.test(text)) return refuse("the path holds a control or invisible character");
  if (text.includes("\\")) return refuse("the path holds a backslash; use /");
  if (encoded.test(text)) return refuse("the path holds a percent-encoded separator or dot");
  const plain = text.normalize("NFKC");
  if (plain !== text.normalize("NFC") && /[./\\:~]/.test(addedCharacters(text, plain)))
    return refuse("the path holds a character that reads as a dot or separator");
  if (text.startsWith("/") || /^[a-z]:/i.test(text))
    return refuse("the path is absolute; give it relative to the project");
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) return refuse("the path names the project itself");
  if (parts[0]?.startsWith("~")) return refuse("the path starts with ~; give it relative to the project");
  for (const part of parts) {
    if (part === "..") return refuse("the path holds `..`");
    if (/[ .]$/.test(part)) return refuse("a part of the path ends in a dot or a space");
    if (part.includes(":")) return refuse("the path holds a colon");
    if (device.test(part)) return refuse("the path names a device");
  }
  return { ok: true, path: parts.join("/") };
};

/** Characters that are in `after` and not in `before`. */
const addedCharacters = (before: string, after: string): string =>
  [...after].filter((character, index) => before[index] !== character).join("");

/** For comparing with what must be kept out: case, compatibility forms and NTFS short names folded. */
export const foldPath = (path: ProjectPath): string =>
  path
    .normalize("NFKC")
    .toLowerCase()
    .split("/")
    .map((part) => (/^git~\d+$/.test(part) ? ".git" : part))
    .join("/");

/** True when `path` is `folder` or lies below it. */
export const isWithin = (folder: ProjectPath, path: ProjectPath): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** The folder that holds a path; empty at the top. */
export const parentFolder = (path: ProjectPath): ProjectPath => path.split("/").slice(0, -1).join("/");
