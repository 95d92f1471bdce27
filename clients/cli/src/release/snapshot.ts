/**
 * Released documents in a folder of their own, frozen: `<contracts>/released/<name>` holds what `gen` wrote at that release, and a digest that
 * shows when somebody has changed it since.
 */
import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError, UsageError } from "../command/failure.ts";

const digestFile = "digest.txt";

/** Copies the documents of `from` that `belongs` takes. Refuses a name that was released before. */
export const writeSnapshot = (from: string, to: string, belongs: (file: string) => boolean): readonly string[] => {
  if (existsSync(to)) {
    throw new CommandError(
      { code: "already_exists", exit: 8 },
      { message: `${to} exists already, and a release is never changed`, hint: "take another name" },
    );
  }
  if (!existsSync(join(from, "openapi.json")))
    throw new UsageError(`${from} has no openapi.json`, "run `fairlead gen` first");
  const files = readdirSync(from).filter(belongs).toSorted();
  mkdirSync(to, { recursive: true });
  for (const file of files) cpSync(join(from, file), join(to, file));
  writeFileSync(join(to, digestFile), `${digestDocuments(to)}\n`);
  return files;
};

/** Throws for a release that was changed after it was written; passes a folder that is none. */
export const checkFrozen = (folder: string): void => {
  const file = join(folder, digestFile);
  if (!existsSync(file) || readFileSync(file, "utf8").trim() === digestDocuments(folder)) return;
  throw new CommandError(
    { code: "data_loss", exit: 1 },
    { message: `${folder} was changed after it was released`, hint: `restore it, like \`git checkout -- ${folder}\`` },
  );
};

/** Of all documents with their names. */
const digestDocuments = (folder: string): string =>
  hash(
    "sha256",
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .toSorted()
      .map((file) => `${file}\n${readFileSync(join(folder, file), "utf8")}`)
      .join("\n"),
  );

/** The last of a project's releases, by version; `undefined` where there is none. */
export const lastSnapshot = (released: string): string | undefined => {
  const names = existsSync(released)
    ? readdirSync(released).filter((name) => existsSync(join(released, name, "openapi.json")))
    : [];
  const last = names.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return last === undefined ? undefined : join(released, last);
};
