/**
 * The shipped documents as programs of others read them: linters, validators and generators of types, none of which knows Fairlead. `schema-documents.test.ts`
 * is the quick sample of it.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { type PublishedDocuments, publishedDocuments } from "./published-documents.ts";

let kernel: Kernel;
let published: PublishedDocuments;
beforeAll(async () => {
  kernel = await openKernel({
    env: {},
    flags: { port: 0, lagMs: 60_000 },
    log: makeLog({ level: "error", write: () => {} }),
  });
  published = await publishedDocuments(kernel);
});
afterAll(() => kernel.close());

const withProgram = async (name: string, use: (program: ForeignProgram) => Promise<void>): Promise<void> => {
  const program = await installForeign(name);
  try {
    await use(program);
  } finally {
    await program.remove();
  }
};

/** A contract that uses everything the language has, as `gen` writes it. */
const golden = (name: string): URL => new URL(`../golden/expected/gen/${name}`, import.meta.url);

/** Writes all documents into a folder, and gives their paths by name. */
const writeDocuments = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  await mkdir(folder);
  const paths = published.documents.map(({ name }) => [name, join(folder, name.replace("/", "."))] as const);
  const texts = new Map(published.documents.map(({ name, text }) => [name, text]));
  await Promise.all(paths.map(([name, path]) => writeFile(path, texts.get(name) ?? "")));
  return new Map(paths);
};

describe("the OpenAPI document", () => {
  it("keeps all rules of the specification, by Redocly", () =>
    withProgram("redocly", async ({ folder, run }) => {
      await writeFile(join(folder, "openapi.json"), await kernel.manifest.openapi());
      expect(await run("check.js", "openapi.json")).toBe("");
      expect(await run("check.js", fileURLToPath(golden("openapi.json")))).toBe("");
    }));

  it("gives TypeScript types that compile, by openapi-typescript", () =>
    withProgram("openapi-typescript", async ({ folder, run }) => {
      await writeFile(join(folder, "openapi.json"), await kernel.manifest.openapi());
      const types = await run("generate.js", "openapi.json");
      for (const name of ["Game", "Problem", "DamageType"]) expect(types).toContain(`${name}: `);
      await writeFile(join(folder, "types.ts"), types);
      await run("node_modules/typescript/lib/tsc.js", "--noEmit", "--strict", "types.ts");
    }));
});

describe("the JSON Schema documents", () => {
  it("give types for all they define, by quicktype", () =>
    withProgram("quicktype", async ({ folder, run }) => {
      const paths = await writeDocuments(join(folder, "documents"));
      for (const language of ["typescript", "go"]) {
        const garden = fileURLToPath(golden("garden.schema.json"));
        const texts = JSON.parse(await run("generate.js", language, ...paths.values(), garden));
        expect(Object.keys(texts)).toHaveLength(paths.size + 1);
        expect(texts["garden.schema.json"]).toContain("Bed");
        expect(texts["rules.json"]).toMatch(/ResolveAttackInput|GameClass|Game\b/);
        expect(texts["kernel.json"]).toContain("Describe");
      }
    }));

  it("give types for all they define, by json-schema-to-typescript", () =>
    withProgram("json-schema-to-typescript", async ({ folder, run }) => {
      const paths = await writeDocuments(join(folder, "documents"));
      const texts = JSON.parse(await run("generate.js", ...paths.values()));
      expect(Object.keys(texts)).toHaveLength(paths.size);
      expect(texts["rules.json"]).toContain("export interface ResolveAttackInput");
      expect(texts["rules.Fraction.json"]).toContain("export interface Fraction");
    }));

  it("say the same of values as the kernel, by Hyperjump", () =>
    withProgram("hyperjump", async ({ folder, run }) => {
      const paths = await writeDocuments(join(folder, "documents"));
      const attack: unknown = JSON.parse(
        await readFile(new URL("../../examples/attack.json", import.meta.url), "utf8"),
      );
      const rules = "urn:fairlead:schema:rules";
      const calls = published.documents.filter(({ schema }) => schema.properties !== undefined);
      const values = [
        ...calls.map(({ schema }) => ({ schema: schema.$id, value: [], fits: false })),
        ...calls.map(({ schema }) => ({ schema: schema.$id, value: {}, fits: true })),
        { schema: `${rules}:resolveAttack`, value: { input: attack }, fits: true },
        { schema: `${rules}:resolveAttack`, value: { input: { game: 1 } }, fits: false },
        { schema: rules, value: { resolveAttack: { input: attack } }, fits: true },
        { schema: "urn:fairlead:schema:Fraction", value: { exact: 1 }, fits: false },
      ];
      await writeFile(join(folder, "cases.json"), JSON.stringify({ documents: [...paths.values()], values }));
      expect(JSON.parse(await run("check.js", "cases.json"))).toEqual(values.map(({ fits }) => fits));
    }));
});
