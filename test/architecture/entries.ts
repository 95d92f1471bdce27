/** The entries of packages and what files export, by their syntax trees. Runs nothing. */
import { dirname, join } from "node:path";
import { read } from "./sources.ts";
import { isNode, type Node, parse } from "./syntax.ts";

/** The source files that a package exports, generated ones left out. */
export const entryFiles = (room: string): readonly string[] => {
  const { exports = {} } = JSON.parse(read(`${room}/package.json`)) as {
    readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  return Object.values(exports).flatMap((target) => {
    const source = typeof target === "string" ? target : (target["@fairlead/source"] ?? "");
    return /\/src\/.*\.ts$/.test(source) && !source.includes("*") ? [join(room, source)] : [];
  });
};

/** The statements of a file. */
export const statementsIn = (path: string): readonly Node[] => {
  const tree = parse(path, read(path));
  return isNode(tree) && Array.isArray(tree.body) ? tree.body.filter(isNode) : [];
};

export const nameIn = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : "");

/** Names that a declaration makes; several for `const a = 1, b = 2`. */
export const declares = (declaration: Node): readonly string[] =>
  Array.isArray(declaration.declarations)
    ? declaration.declarations.map((each: unknown) => nameIn(isNode(each) ? each.id : undefined))
    : [nameIn(declaration.id)];

/** The file of ours that a statement imports from. */
export const importedFile = (path: string, { source }: Node): string | undefined => {
  const target = nameIn(source);
  return target.startsWith(".") && !target.includes("/gen/") ? join(dirname(path), target) : undefined;
};

/** The names that a file exports, its re-exports included. */
export const exportedNames = (path: string): readonly string[] =>
  statementsIn(path).flatMap((statement) => {
    if (statement.type === "ExportAllDeclaration") {
      const from = importedFile(path, statement);
      return from === undefined ? [] : exportedNames(from);
    }
    if (statement.type !== "ExportNamedDeclaration") return [];
    if (isNode(statement.declaration)) return declares(statement.declaration);
    const specifiers = Array.isArray(statement.specifiers) ? statement.specifiers.filter(isNode) : [];
    return specifiers.map(({ exported }) => nameIn(exported));
  });
