/**
 * Recognises in a process's error stream that the program was not installed, or only in part. Pure; nothing is removed here: the folder is
 * named, and a person decides.
 */

import { isClean } from "@fairlead/contracts";

export type InstallFailure =
  /** What is in that folder is incomplete, and stays so until it is removed. */
  | { readonly kind: "incomplete"; readonly folder: string; readonly why: string }
  /** npm ended with this code. `passes`: it may work the next time. */
  | { readonly kind: "npm"; readonly code: string; readonly why: string; readonly passes: boolean };

/** What `npx` names a folder with one set of packages. */
const npxKey = /^[0-9a-f]{8,64}$/;
const npxParent = "/_npx/";

const missingPackage = /Cannot find (?:package|module) .*/;
const npmLine = /^npm (?:error|ERR!) /;

/** What npm ends with when asking again cannot help. */
const lasting = new Set(["E401", "E403", "E404", "ETARGET", "ENOVERSIONS", "EACCES", "EBADENGINE", "ENOSPC", "EROFS"]);
/** What npm ends with over a folder that another npm has left half-written. */
const leftover = new Set(["ENOTEMPTY", "EEXIST", "ENOTDIR"]);

export const findInstallFailure = (stderr: string): InstallFailure | undefined => {
  const folder = findFolder(stderr);
  const [missing] = missingPackage.exec(stderr) ?? [];
  if (folder !== undefined && missing !== undefined) return { kind: "incomplete", folder, why: missing };
  const lines = stderr
    .split("\n")
    .filter((line) => npmLine.test(line))
    .map((line) => line.replace(npmLine, ""));
  if (lines.some((line) => line.startsWith("could not determine executable"))) {
    return { kind: "npm", code: "ENOEXECUTABLE", why: "could not determine executable to run", passes: false };
  }
  const code = lines.map((line) => /^code (E[A-Z0-9_]+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  // The program's own script failed: it is there.
  if (code === undefined || code === "ELIFECYCLE") return undefined;
  const why = lines.find((line) => !/^(?:code|syscall|errno|path|dest) /.test(line)) ?? code;
  if (folder !== undefined && leftover.has(code)) return { kind: "incomplete", folder, why: `${code}: ${why}` };
  return { kind: "npm", code, why, passes: !lasting.has(code) };
};

/** The folder of `npx` that a text names. It has no quotes, so that it may stand in a command between single ones. */
const findFolder = (text: string): string | undefined => {
  for (const piece of text.split(/['"`\n]/)) {
    const at = piece.indexOf(npxParent);
    const start = piece.indexOf("/");
    const [key = ""] = piece.slice(at + npxParent.length).split(/[/\s]/);
    if (at === -1 || !npxKey.test(key)) continue;
    const parent = piece
      .slice(start, at)
      .split("/")
      .filter((part) => part !== "");
    const folder = `/${[...parent, "_npx", key].join("/")}`;
    if (!parent.includes("..") && isClean(folder)) return folder;
  }
  return undefined;
};
