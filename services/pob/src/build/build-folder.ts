/**
 * The folder of builds: lists its `.xml` files and reads one by the name it was listed under. A name never becomes a path: it
 * is looked up in the list.
 */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { didYouMean } from "@fairlead/contracts/did-you-mean";
import { maxBuildChars } from "./limits.ts";

interface BuildFile {
  readonly file: string;
  readonly bytes: number;
  /** ISO time, UTC. */
  readonly modified: string;
}

const mostFiles = 1_000;

/** Newest first; links, folders and everything that is not `.xml` are left out. A folder that cannot be read is empty. */
export const listBuildFiles = async (folder: string): Promise<readonly BuildFile[]> => {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith(".xml")).map((name) => readFileStatus(folder, name)),
  );
  return found
    .flatMap((file) => (file === undefined ? [] : [file]))
    .toSorted((a, b) => (a.modified < b.modified ? 1 : a.modified > b.modified ? -1 : a.file < b.file ? -1 : 1))
    .slice(0, mostFiles);
};

/** The text of a listed file, or what is listed instead. */
export const readBuildFile = async (
  folder: string | undefined,
  file: string,
): Promise<
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly known: readonly string[] }
> => {
  const listed = folder === undefined ? [] : await listBuildFiles(folder);
  const found = listed.find((one) => one.file === file || one.file === `${file}.xml`);
  if (folder === undefined || found === undefined || found.bytes > maxBuildChars) {
    return { ok: false, known: listed.slice(0, 40).map((one) => one.file) };
  }
  return { ok: true, text: await readFile(join(folder, found.file), "utf8") };
};

/** Why a file is not listed, and what to do: another name, or another folder. */
export const explainUnknownFile = (
  file: string,
  known: readonly string[],
  folder: string | undefined,
): { readonly message: string; readonly hint: string } => {
  if (folder === undefined)
    return { message: "no folder of builds is configured", hint: "set POB_BUILDS_PATH to the folder, and start again" };
  if (known.length === 0)
    return {
      message: `there is no build ${JSON.stringify(file)}: ${folder} has no builds, or cannot be read`,
      hint: "put builds there as .xml files, or set POB_BUILDS_PATH to another folder",
    };
  const wanted = file.endsWith(".xml") ? file : `${file}.xml`;
  if (known.includes(wanted))
    return {
      message: `${wanted} is too large`,
      hint: `a build has at most ${maxBuildChars} bytes; list_builds shows the size of each`,
    };
  const near = didYouMean(wanted, known);
  return {
    message: `there is no build ${JSON.stringify(file)} in ${folder}`,
    hint: near === undefined ? "list_builds has the names" : `did you mean ${near}?`,
  };
};

const readFileStatus = async (folder: string, file: string): Promise<BuildFile | undefined> => {
  const status = await lstat(join(folder, file)).catch(() => undefined);
  return status?.isFile() === true ? { file, bytes: status.size, modified: status.mtime.toISOString() } : undefined;
};
