/**
 * A build written into the folder of builds: whole or not at all, under a name that is no path, never through a link, and never over another one
 * unasked. Saves of one build wait for each other. Not here: what a build is (`summary.ts`).
 */
import { randomUUID } from "node:crypto";
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

/** The last save of each place that is under way. */
const underWay = new Map<string, Promise<unknown>>();

/** Rejects with why it cannot be, and has replaced nothing then. */
export const saveBuildFile = (folder: string, { name, xml, overwrite }: BuildText): Promise<SavedBuild> => {
  const file = name.endsWith(".xml") ? name : `${name}.xml`;
  const place = join(folder, file);
  const save = async (): Promise<SavedBuild> => {
    const isReplaced = overwrite ? await replaceBuild(folder, place, xml) : await placeBuild(folder, place, xml);
    return { file, bytes: Buffer.byteLength(xml), backup: isReplaced ? `${file}.bak` : null };
  };
  const before = underWay.get(place) ?? Promise.resolve();
  const saved = before.then(save, save).catch((cause: unknown) => {
    throw isCode(cause, "EEXIST") ? new Error(`there is a ${file} already`) : cause;
  });
  underWay.set(place, saved);
  const forget = (): void => {
    if (underWay.get(place) === saved) underWay.delete(place);
  };
  saved.then(forget, forget);
  return saved;
};

/** Fails with `EEXIST` where something is there, and then answers false: nothing was replaced. */
const placeBuild = async (folder: string, place: string, xml: string): Promise<false> => {
  await withFreshNames(folder, async ([next]) => {
    await writeWhole(next, xml);
    await linkOrCopy(next, place);
  });
  return false;
};

/** True where a build was there, which is kept as `.bak`: under another name first, so that nothing is written through what has that name. */
const replaceBuild = async (folder: string, place: string, xml: string): Promise<boolean> => {
  const there = await lstat(place).catch((cause: unknown) => {
    if (isCode(cause, "ENOENT")) return undefined;
    throw cause;
  });
  if (there === undefined) return placeBuild(folder, place, xml);
  if (!there.isFile()) throw new Error(`${place} is not a file`);
  await withFreshNames(folder, async ([next, kept]) => {
    await writeWhole(next, xml);
    await linkOrCopy(place, kept);
    if (!(await lstat(kept)).isFile()) throw new Error(`${place} is not a file`);
    await rename(kept, `${place}.bak`);
    await rename(next, place);
  });
  return true;
};

/** Two names that nothing has, beside the builds and none of them; what is left under one is removed. */
const withFreshNames = async (
  folder: string,
  use: (names: readonly [string, string]) => Promise<void>,
): Promise<void> => {
  const fresh = (): string => join(folder, `.${randomUUID()}.next`);
  const names = [fresh(), fresh()] as const;
  try {
    await use(names);
  } finally {
    for (const name of names) await rm(name, { force: true });
  }
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

/** A second name, which replaces nothing and follows no link; some file systems have none, or not for files of others. */
const linkOrCopy = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (cause) {
    if (!["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].some((code) => isCode(cause, code))) throw cause;
    await copyPlain(from, to);
  }
};

const copyPlain = async (from: string, to: string): Promise<void> => {
  if (!(await lstat(from)).isFile()) throw new Error(`${from} is not a file`);
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (cause) {
    if (!isCode(cause, "EEXIST")) await rm(to, { force: true });
    throw cause;
  }
};

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code;
