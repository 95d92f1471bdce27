/**
 * Which code proves: a digest of all that a finding depends on beside the schema itself, so that an edit of it proves everything again.
 *
 * Not here: what else a proof is kept by (`prove-contract`).
 */
import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { once } from "./once.ts";

const here = import.meta.dirname;

/** With what is below them: this folder, what lowers and prints schemas, and what decodes and encodes. */
const folders = [
  here,
  join(here, "../schema"),
  join(here, "../print"),
  dirname(fileURLToPath(import.meta.resolve("@fairlead/contracts"))),
];

/** With the exact versions of the libraries that make and try values. */
const packageFile = fileURLToPath(import.meta.resolve("@fairlead/codegen/package.json"));

const isSource = (name: string): boolean => /(?<!\.test|\.d)\.[jt]s$/.test(name);

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(isSource)
    .toSorted()
    .map((name) => join(folder, name));

/** The digest of some files' names and texts, in their order. */
export const digestFiles = (files: readonly string[]): string =>
  hash("sha1", files.map((file) => `${file}\n${readFileSync(file, "utf8")}`).join("\n"), "base64url");

/** All that the digest is made of. */
export const proofSources = (): readonly string[] => [...folders.flatMap(sourcesIn), packageFile];

/** Read once a process, when something is proved. */
export const proofVersion = once(() => digestFiles(proofSources()));
