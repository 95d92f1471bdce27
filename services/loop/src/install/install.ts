/**
 * Installs the loop in a client's files of a project, and takes it out again. What each file was before is kept in
 * `.promptwheel/install/<client>.json`: a file that is as it was installed gets every byte back, and of another only our entries go.
 */
import { chmodSync, existsSync, lstatSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import * as z from "zod";
import { openHome } from "../project/home.ts";
import { makeFolder, plainPath, readInside, removeInside, replaceInside } from "../project/safe-file.ts";
import { type InstalledClient, type InstalledFile, type JsonObject, setups } from "./client-files.ts";

const recordShape = z.strictObject({
  /** `before`: null where there was no such file. */
  files: z.array(z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string() })),
  /** Folders that were made, outermost first. */
  folders: z.array(z.string()),
});

type InstallRecord = z.output<typeof recordShape>;

/** What was done with a file. */
interface FileReport {
  readonly path: string;
  readonly action: "created" | "changed" | "restored" | "removed" | "left";
}

const maxBytes = 1_048_576;
const recordPath = (client: InstalledClient): string => `.promptwheel/install/${client}.json`;

const refused = (message: string, hint: string): FairleadError =>
  new FairleadError({ code: "failed_precondition", reason: "not_installable", message, hint });

/** Installs, or brings an earlier installation up to date. Nothing is written where one of the files cannot take its entry. */
export const install = (root: string, client: InstalledClient): readonly FileReport[] => {
  const earlier = readRecord(root, client);
  const planned = setups[client].files.map((file) => planFile(file, readWithout(root, client, { file, earlier })));
  if (earlier !== undefined) uninstall(root, client);
  const hadHome = existsSync(join(root, ".promptwheel"));
  openHome(root);
  const parents = planned.flatMap(({ path }) => listParents(path));
  const folders = [...new Set(parents)].filter((folder) => !existsSync(join(root, folder)));
  const record: InstallRecord = { files: planned, folders: hadHome ? folders : [...folders, ".promptwheel"] };
  makeFolder(root, ".promptwheel/install");
  replaceInside(root, recordPath(client), JSON.stringify(record));
  for (const { path, after } of planned) write(root, path, after);
  return planned.map(({ path, before }) => ({ path, action: before === null ? "created" : "changed" }));
};

/** A file as it will be once an earlier installation is taken out. */
const readWithout = (
  root: string,
  client: InstalledClient,
  { file: { path }, earlier }: { readonly file: InstalledFile; readonly earlier: InstallRecord | undefined },
): string | null => {
  const now = read(root, path);
  const installed = earlier?.files.find((one) => one.path === path);
  return installed === undefined ? now : planRemoval(client, installed, now).text;
};

const listParents = (path: string): readonly string[] => {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
};

/** Keeps the file's permissions. */
const write = (root: string, path: string, text: string): void => {
  const folder = dirname(path);
  if (folder !== ".") makeFolder(root, folder);
  const place = plainPath(root, path);
  const mode = statSync(place, { throwIfNoEntry: false })?.mode;
  replaceInside(root, path, text);
  if (mode !== undefined) chmodSync(place, mode & 0o777);
};

const read = (root: string, path: string): string | null => {
  if (lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined) return null;
  const found = readInside(root, path, maxBytes);
  if (found.kind === "missing") return null;
  if (found.kind === "refused")
    throw refused(`${path} cannot be used: ${found.why}`, "make it a plain file, then install again");
  if (found.text.includes("\ufffd")) throw refused(`${path} is not UTF-8 text`, "save it as UTF-8, then install again");
  return found.text;
};

const planFile = (file: InstalledFile, before: string | null): InstallRecord["files"][number] => {
  const { path } = file;
  switch (file.kind) {
    case "own":
      if (before !== null && before !== file.text)
        throw refused(`${path} is there already`, "move it away, then install again");
      return { path, before, after: file.text };
    case "lines":
      if (before?.includes(file.taken) === true) throw taken(path);
      return {
        path,
        before,
        after: `${before === null || before === "" ? "" : `${before.replace(/\n?$/, "\n")}\n`}${file.text}`,
      };
    case "json": {
      const document = parseObject(path, before);
      const added = file.add(document);
      if (added === undefined) throw taken(path);
      return { path, before, after: formatLike(before, added) };
    }
  }
};

const taken = (path: string): FairleadError =>
  refused(
    `${path} has an entry of the loop's already, which was not installed by this command`,
    "remove it, then install again",
  );

const parseObject = (path: string, text: string | null): JsonObject => {
  if (text === null || text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject;
  } catch {
    // The same message.
  }
  throw refused(`${path} is not a JSON object`, "correct it (comments are not JSON), then install again");
};

/** With the indentation of the text before. */
const formatLike = (before: string | null, document: JsonObject): string =>
  `${JSON.stringify(document, null, /^([ \t]+)\S/m.exec(before ?? "")?.[1] ?? 2)}\n`;

/** Takes everything out again; nothing where nothing is installed. */
export const uninstall = (root: string, client: InstalledClient): readonly FileReport[] => {
  const installed = readRecord(root, client);
  if (installed === undefined) return [];
  const { files, folders } = installed;
  const reports = files.map((file) => removeFile(root, client, file));
  removeInside(root, recordPath(client));
  removeEmpty(root, ".promptwheel/install");
  for (const folder of folders.toReversed()) {
    if (folder === ".promptwheel") removeHome(root);
    else removeEmpty(root, folder);
  }
  return reports;
};

const readRecord = (root: string, client: InstalledClient): InstallRecord | undefined => {
  const found = readInside(root, recordPath(client), 16 * maxBytes);
  return found.kind === "text" ? recordShape.parse(JSON.parse(found.text)) : undefined;
};

const removeFile = (root: string, client: InstalledClient, file: InstallRecord["files"][number]): FileReport => {
  const { path } = file;
  const now = read(root, path);
  const { text, action } = planRemoval(client, file, now);
  if (text === null && now !== null) removeInside(root, path);
  if (text !== null && text !== now) write(root, path, text);
  return { path, action };
};

interface Removal extends Pick<FileReport, "action"> {
  /** What the file will hold; null where there will be none. */
  readonly text: string | null;
}

const planRemoval = (
  client: InstalledClient,
  { path, before, after }: InstallRecord["files"][number],
  now: string | null,
): Removal => {
  if (now === null) return { text: null, action: "removed" };
  if (now === after) return { text: before, action: before === null ? "removed" : "restored" };
  const setup = setups[client].files.find((file) => file.path === path);
  if (setup?.kind === "json") return { text: formatLike(now, setup.remove(parseObject(path, now))), action: "changed" };
  if (setup?.kind === "lines" && now.includes(setup.text))
    return { text: now.replace(setup.text, ""), action: "changed" };
  return { text: now, action: "left" };
};

const removeEmpty = (root: string, folder: string): void => {
  const place = join(root, folder);
  if (existsSync(place) && readdirSync(place).length === 0) rmdirSync(place);
};

/** What the installation made, where nothing was added since. */
const removeHome = (root: string): void => {
  const home = join(root, ".promptwheel");
  if (!existsSync(home) || readdirSync(home).some((name) => name !== ".gitignore")) return;
  removeInside(root, ".promptwheel/.gitignore");
  removeEmpty(root, ".promptwheel");
};
