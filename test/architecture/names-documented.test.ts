/**
 * What authors and clients see of the packages: every name that an entry of a package exports. Its declaration begins with a comment.
 * Not here: what generated code says of procedures, which is the contracts' own words.
 */
import { describe, expect, it } from "vitest";
import { declares, entryFiles, exportedNames, importedFile, nameIn, statementsIn } from "./entries.ts";
import { packages, read } from "./sources.ts";
import { isNode } from "./syntax.ts";

/** Of a hundred names, at least so many; the vocabulary of the query language is the rest. */
const least = 85;

interface PublicName {
  readonly name: string;
  readonly path: string;
  readonly isDocumented: boolean;
}

/** Where a name is declared, through re-exports and imports of files of ours. */
const findName = (path: string, name: string): PublicName | undefined => {
  for (const statement of statementsIn(path)) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (declares(declaration).includes(name)) {
      const before = read(path).slice(0, Number(statement.start)).trimEnd();
      return { name, path, isDocumented: before.endsWith("*/") };
    }
    const from = importedFile(path, statement);
    const specifiers = Array.isArray(statement.specifiers) ? statement.specifiers.filter(isNode) : [];
    const found = specifiers.find((each) => nameIn(each.exported ?? each.local) === name);
    if (from !== undefined && found !== undefined && found.type !== "ImportNamespaceSpecifier")
      return findName(from, nameIn(found.local === undefined || isNode(found.imported) ? found.imported : found.local));
    if (from !== undefined && statement.type === "ExportAllDeclaration") {
      const through = findName(from, name);
      if (through !== undefined) return through;
    }
  }
  return undefined;
};

const publicNames = (room: string): readonly PublicName[] =>
  entryFiles(room).flatMap((path) => exportedNames(path).flatMap((name) => findName(path, name) ?? []));

describe("what an author or a client sees", () => {
  const names = packages.flatMap(publicNames);
  const unique = [...new Map(names.map((each) => [`${each.path} ${each.name}`, each])).values()];

  it("is documented where it is declared", () => {
    const bare = unique.filter(({ isDocumented }) => !isDocumented).map(({ path, name }) => `${path}: ${name}`);
    expect(unique.length).toBeGreaterThan(400);
    expect(bare.length / unique.length <= 1 - least / 100 ? [] : bare).toEqual([]);
  });
});
