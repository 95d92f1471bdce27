/**
 * What authors and clients see of the packages: every name that an entry of a package exports. Its declaration begins with a comment.
 * Not here: what generated code says of procedures, which is the contracts' own words.
 */
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { packages, read } from "./sources.ts";
import { isNode, type Node, parse } from "./syntax.ts";

/** Of a hundred names, at least so many; the vocabulary of the query language is the rest. */
const least = 85;

interface PublicName {
  readonly name: string;
  readonly path: string;
  readonly isDocumented: boolean;
}

/** The source files that a package exports, generated ones left out. */
const entries = (room: string): readonly string[] => {
  const { exports = {} } = JSON.parse(read(`${room}/package.json`)) as {
    readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  return Object.values(exports).flatMap((target) => {
    const source = typeof target === "string" ? target : (target["@fairlead/source"] ?? "");
    return /\/src\/.*\.ts$/.test(source) && !source.includes("*") ? [join(room, source)] : [];
  });
};

const body = (path: string): readonly Node[] => {
  const tree = parse(path, read(path));
  return isNode(tree) && Array.isArray(tree.body) ? tree.body.filter(isNode) : [];
};

const nameIn = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : "");

/** Names that a declaration makes; several for `const a = 1, b = 2`. */
const declares = (declaration: Node): readonly string[] =>
  Array.isArray(declaration.declarations)
    ? declaration.declarations.map((each: unknown) => nameIn(isNode(each) ? each.id : undefined))
    : [nameIn(declaration.id)];

/** Where a name is declared, through re-exports and imports of files of ours. */
const findName = (path: string, name: string): PublicName | undefined => {
  for (const statement of body(path)) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    if (declares(declaration).includes(name)) {
      const before = read(path).slice(0, Number(statement.start)).trimEnd();
      return { name, path, isDocumented: before.endsWith("*/") };
    }
    const from = sourceOf(path, statement);
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

/** The file of ours that a statement imports from. */
const sourceOf = (path: string, { source }: Node): string | undefined => {
  const target = nameIn(source);
  return target.startsWith(".") && !target.includes("/gen/") ? join(dirname(path), target) : undefined;
};

const exportedNames = (path: string): readonly string[] =>
  body(path).flatMap((statement) => {
    if (statement.type === "ExportAllDeclaration") {
      const from = sourceOf(path, statement);
      return from === undefined ? [] : exportedNames(from);
    }
    if (statement.type !== "ExportNamedDeclaration") return [];
    if (isNode(statement.declaration)) return declares(statement.declaration);
    const specifiers = Array.isArray(statement.specifiers) ? statement.specifiers.filter(isNode) : [];
    return specifiers.map(({ exported }) => nameIn(exported));
  });

const publicNames = (room: string): readonly PublicName[] =>
  entries(room).flatMap((path) => exportedNames(path).flatMap((name) => findName(path, name) ?? []));

describe("what an author or a client sees", () => {
  const names = packages.flatMap(publicNames);
  const unique = [...new Map(names.map((each) => [`${each.path} ${each.name}`, each])).values()];

  it("is documented where it is declared", () => {
    const bare = unique.filter(({ isDocumented }) => !isDocumented).map(({ path, name }) => `${path}: ${name}`);
    expect(unique.length).toBeGreaterThan(400);
    expect(bare.length / unique.length <= 1 - least / 100 ? [] : bare).toEqual([]);
  });
});
