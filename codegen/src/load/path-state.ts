/** What is at a path now: where it leads, and the digest of the file there. Not here: which paths count (`module-hooks`). */
import { hash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync } from "node:fs";

/** Empty where there is nothing that can be read. Of a folder it says where it is, not what is in it. */
export const pathState = (path: string): string => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return "";
  try {
    const real = realpathSync.native(path);
    return lstatSync(real).isDirectory() ? real : `${real} ${hash("sha1", readFileSync(real), "base64url")}`;
  } catch {
    return "";
  }
};
