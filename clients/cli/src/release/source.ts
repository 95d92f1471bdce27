/**
 * Where a release's documents come from: a running kernel, a folder with them, a project's folder, or a git ref of this project.
 *
 * Not here: what is in the documents (codegen's `diff`), and writing them down (`snapshot`).
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { ReleaseDocuments } from "@fairlead/codegen/diff";
import { CommandError, UsageError } from "../command/failure.ts";
import { parseJson } from "../text/json-text.ts";
import { gitHistory } from "./git.ts";
import { checkFrozen } from "./snapshot.ts";

/** What names mean here. */
export interface ReleasePlaces {
  /** Folder that the command runs for. */
  readonly cwd: string;
  /** The project's root, absolute. */
  readonly root: string;
  /** The project's folder of generated documents, from its root. */
  readonly documents: string;
  /** Of a kernel. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** The documents of a release that a word names. Rejects with what the word could have been. */
export const findDocuments = async (name: string, places: ReleasePlaces): Promise<ReleaseDocuments> => {
  if (/^https?:\/\//.test(name)) return fromKernel(name.replace(/\/$/, ""), places);
  const folder = resolve(places.cwd, name);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return fromFolder(folder, places);
  return fromGit(name, places);
};

const fromFolder = async (folder: string, { documents }: ReleasePlaces): Promise<ReleaseDocuments> => {
  const { isReleaseFile } = await import("@fairlead/codegen/diff");
  const found = [folder, join(folder, documents)].find((each) => existsSync(join(each, "openapi.json")));
  if (found === undefined) {
    throw new UsageError(
      `${folder} has no openapi.json, and none in ${documents}`,
      "run `fairlead gen` in it, or name another",
    );
  }
  checkFrozen(found);
  return new Map(
    readdirSync(found)
      .filter(isReleaseFile)
      .map((file) => [file, parseDocument(readFileSync(join(found, file), "utf8"), join(found, file))]),
  );
};

/** From the project's folder, which may be one inside of the repository. */
const fromGit = async (ref: string, { root, documents, signal }: ReleasePlaces): Promise<ReleaseDocuments> => {
  const history = gitHistory(root, signal);
  const commit = await history.commit(ref);
  if (commit === undefined) {
    const hint = "name a folder, a commit, branch or tag of git, or an address like http://127.0.0.1:5099";
    throw new UsageError(`${JSON.stringify(ref)} is not a folder, a git ref or an address`, hint);
  }
  const folder = relative(root, resolve(root, documents)).replaceAll("\\", "/");
  const { isReleaseFile } = await import("@fairlead/codegen/diff");
  const texts = (await history.list(commit, folder))
    .filter(isReleaseFile)
    .map(async (file): Promise<readonly [string, unknown]> => {
      const path = `${folder}/${file}`;
      return [file, parseDocument(await history.show(commit, path), `${ref}:${path}`)];
    });
  if (texts.length > 0) return new Map(await Promise.all(texts));
  throw new UsageError(
    `${ref} has no documents in ${folder}`,
    "they are there once `fairlead gen` was run and committed",
  );
};

const fromKernel = async (url: string, places: ReleasePlaces): Promise<ReleaseDocuments> => {
  const { schemaFile, servicesIn, verbsFile } = await import("@fairlead/codegen/diff");
  const openapi = await fetchDocument(`${url}/openapi.json`, places);
  const schemas = servicesIn(openapi).map(
    async (id): Promise<readonly [string, unknown]> => [
      schemaFile(id),
      await fetchDocument(`${url}/schema/${id}.json`, places),
    ],
  );
  // There is none where no service declares verbs.
  const verbs = await findDocument(`${url}/verbs.json`, places);
  return new Map([
    ["openapi.json", openapi],
    ...(verbs === undefined ? [] : [[verbsFile, verbs] as const]),
    ...(await Promise.all(schemas)),
  ]);
};

const longestWaitMs = 10_000;

const unavailable = (url: string, why: string, cause?: unknown): CommandError =>
  new CommandError(
    { code: "unavailable", exit: 4 },
    { message: `${url} gives no document: ${why}`, hint: "correct the address, or start the kernel there" },
    { cause },
  );

const fetchDocument = async (url: string, places: ReleasePlaces): Promise<unknown> => {
  const document = await findDocument(url, places);
  if (document === undefined) throw unavailable(url, "it answers with 404");
  return document;
};

/** `undefined` where nothing is served at that address. */
const findDocument = async (url: string, { token, signal }: ReleasePlaces): Promise<unknown> => {
  const options = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestWaitMs)]),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  const response = await fetch(url, options).catch((cause: unknown) => {
    throw unavailable(url, "nothing answers", cause);
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw unavailable(url, `it answers with ${response.status}`);
  return parseDocument(await response.text(), url);
};

const parseDocument = (text: string, name: string): unknown => {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  throw new UsageError(`${name} is not valid JSON${parsed.place}`, parsed.fix);
};
