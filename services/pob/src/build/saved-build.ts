/**
 * A build written into the folder of builds: whole or not at all, under a name that is no path, never through a link, and never over another one
 * unasked. Not here: what a build is (`summary.ts`).
 */
import { constants } from "node:fs";
import { copyFile, link, lstat, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";

interface SavedBuild {
  readonly file: string;
  readonly bytes: number;
  readonly backup: string | null;
}

interface BuildText {
  /** Checked by the contract: it has no separator in it. */
  readonly name: string;
  readonly xml: string;
  readonly overwrite: boolean;
}

/** Rejects with why it cannot be, and has replaced nothing then. */
export const saveBuildFile = async (folder: string, { name, xml, overwrite }: BuildText): Promise<SavedBuild> => {
  const file = name.endsWith(".xml") ? name : `${name}.xml`;
  const place = join(folder, file);
  const there = await lstat(place).catch((cause: unknown) => {
    if (isCode(cause, "ENOENT")) return undefined;
    throw cause;
  });
  if (there !== undefined && !overwrite) throw new Error(`there is a ${file} already`);
  if (there !== undefined && !there.isFile()) throw new Error(`${file} is not a file`);
  const next = join(folder, `.${file}.${process.pid}.next`);
  await rm(next, { force: true });
  try {
    await writeWhole(next, xml);
    if (there === undefined) await link(next, place).catch((cause: unknown) => placeWithoutLinks(cause, next, place));
    else {
      await copyFile(place, `${place}.bak`);
      await rename(next, place);
    }
  } catch (cause) {
    throw isCode(cause, "EEXIST") ? new Error(`there is a ${file} already`) : cause;
  } finally {
    await rm(next, { force: true });
  }
  return { file, bytes: Buffer.byteLength(xml), backup: there === undefined ? null : `${file}.bak` };
};

/** On the disk before it has its name. */
const writeWhole = async (path: string, text: string): Promise<void> => {
  const made = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o644,
  );
  try {
    await made.writeFile(text);
    await made.sync();
  } finally {
    await made.close();
  }
};

/** Some file systems have no second names. */
const placeWithoutLinks = (cause: unknown, from: string, to: string): Promise<void> => {
  if (["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].some((code) => isCode(cause, code)))
    return copyFile(from, to, constants.COPYFILE_EXCL);
  throw cause;
};

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code;
