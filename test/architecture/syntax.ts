/**
 * Syntax trees of sources, and what the architecture tests read off them: the types and functions that a file declares. Runs nothing.
 */
import { parseAst } from "vitest/node";

export type Node = Readonly<Record<string, unknown>>;

/** Throws for what is neither TypeScript nor JavaScript. */
export const parse = (path: string, text: string): unknown =>
  parseAst(text, { lang: path.endsWith(".tsx") ? "tsx" : path.endsWith(".ts") ? "ts" : "js" });

export const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** All objects in a tree. */
export function* nodes(root: unknown): Generator<Node> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!Array.isArray(node) && isNode(node)) yield node;
    if (typeof node === "object" && node !== null) pending.push(...Object.values(node));
  }
}

export interface Declaration {
  readonly kind: "type" | "function";
  readonly name: string;
}

const types = new Set(["TSTypeAliasDeclaration", "TSInterfaceDeclaration", "TSEnumDeclaration", "ClassDeclaration"]);
const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** The types and functions that a source declares, methods and function-valued constants included. */
export const declarationsIn = (tree: unknown): readonly Declaration[] =>
  [...nodes(tree)].flatMap((node): readonly Declaration[] => {
    const type = String(node.type);
    if (types.has(type)) return named("type", node.id);
    if (type === "FunctionDeclaration") return named("function", node.id);
    if (type === "MethodDefinition" || type === "TSMethodSignature") return named("function", node.key);
    const value = type === "VariableDeclarator" ? node.init : node.value;
    const holds = isNode(value) && functions.has(String(value.type));
    if (!holds) return [];
    if (type === "VariableDeclarator") return named("function", node.id);
    return type === "PropertyDefinition" || type === "Property" ? named("function", node.key) : [];
  });

const named = (kind: Declaration["kind"], id: unknown): readonly Declaration[] =>
  isNode(id) && typeof id.name === "string" ? [{ kind, name: id.name }] : [];

/** The comments of a source, with their marks. A line's comment is one that follows a space or begins the line. */
export const commentsIn = (text: string): readonly string[] => text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];

/** The titles of tests and groups of them. */
export const titlesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![.\w])(?:it|test|describe)(?:\.\w+(?:\([^"]*?\))?)*\(\s*"([^"]*)"/g)].map(
    ([, title = ""]) => title,
  );

/** The literals of a source that are texts: those with a space in them. */
export const textsIn = (tree: unknown): readonly string[] =>
  [...nodes(tree)].flatMap((node) => {
    const text = node.type === "TemplateElement" && isNode(node.value) ? node.value.cooked : node.value;
    const isLiteral = node.type === "Literal" || node.type === "TemplateElement";
    return isLiteral && typeof text === "string" && text.includes(" ") ? [text] : [];
  });
