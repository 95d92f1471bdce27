/** Where the kernel leaves Effect: the constructs that only named files may hold, who runs Effects, and what starting it may import. */
import { expect, it } from "vitest";
import { borders, runners } from "./borders.ts";
import { isForTests } from "./folders.ts";
import { packages, read, type Source, sources, target } from "./sources.ts";
import { isNode, type Node, nodes, parse } from "./syntax.ts";

const code = (room: string): readonly Source[] => sources(room).filter(({ path }) => !isForTests(path));

/** What a node does that Effect has a part for. */
const construct = ({ type, callee, async }: Node): string | undefined => {
  const called = isNode(callee) ? callee.name : undefined;
  if (type === "NewExpression" && (called === "Promise" || called === "AbortController")) return `new ${called}`;
  if (type === "CallExpression" && called === "setTimeout") return "setTimeout";
  const method = isNode(callee) && isNode(callee.property) ? callee.property.name : undefined;
  if (type === "CallExpression" && method === "withResolvers") return "Promise.withResolvers";
  return async === true ? "async function" : undefined;
};

const constructsIn = (text: string): readonly string[] =>
  [...new Set([...nodes(parse("x.ts", text))].flatMap((node) => construct(node) ?? []))].toSorted();

/** Calls that leave Effect or go around its bookkeeping. */
const runner =
  /\b(?:Effect\.run[A-Z]\w*|(?:\w+\.run(?:Promise|Sync|Fork|Callback)(?:Exit|With)?|\w+\.\w+Unsafe)\b(?=\())/g;

it("sees each construct", () => {
  const text =
    "new Promise(f); setTimeout(f, 1); new AbortController(); const f = async () => 1; class A { async m() {} }";
  expect(constructsIn(text)).toEqual(["async function", "new AbortController", "new Promise", "setTimeout"]);
  expect(constructsIn("Promise.withResolvers();")).toEqual(["Promise.withResolvers"]);
  expect(constructsIn("AbortSignal.timeout(1); const f = () => Promise.resolve(1);")).toEqual([]);
});

it("the kernel makes promises, timers and signals by hand, and has async functions, only at its borders", () => {
  const wrong = code("kernel").flatMap(({ path, text }) => {
    const found = path in borders ? [] : constructsIn(text);
    return found.length === 0 ? [] : [`${path}: ${found.join(", ")}`];
  });
  expect(wrong).toEqual([]);
});

it("the list of border files names no file that needs no place in it", () => {
  const texts = new Map(code("kernel").map(({ path, text }) => [path, text]));
  expect(Object.keys(borders).filter((path) => constructsIn(texts.get(path) ?? "").length === 0)).toEqual([]);
});

it.each(packages)("in %s only named files run Effects", (room) => {
  const wrong = code(room)
    .filter(({ path, text }) => !(path in runners) && /from "effect/.test(text))
    .flatMap(({ path, text }) => [...text.matchAll(runner)].map(([call]) => `${path}: ${call}`));
  expect(wrong).toEqual([]);
});

it("the list of runners names no file that runs none", () => {
  const texts = new Map(packages.flatMap(code).map(({ path, text }) => [path, text]));
  expect(Object.keys(runners).filter((path) => (texts.get(path) ?? "").search(runner) < 0)).toEqual([]);
});

const barrel = /^(?:import|export)\s+(?!type\s)[^;]*?from\s+"(effect|effect\/(?:persistence|cluster)(?:\/\w+)?)";/gm;

it.each(packages)("%s imports no barrel of Effect, nor what is slow to import, when it starts", (room) => {
  const wrong = code(room).flatMap(({ path, text }) =>
    [...text.matchAll(barrel)].map(([, name]) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

const imported = /^(?:import|export)\s+(?!type\s)[^;]*?from\s+"([^"]+)";/gm;

/** Specifiers of packages that a file imports, itself or by files of ours. */
const findPackages = (entry: string): readonly string[] => {
  const paths = new Set([entry]);
  const names = new Set<string>();
  for (const path of paths)
    for (const [, name = ""] of read(path).matchAll(imported))
      if (name.startsWith(".")) paths.add(target(path, name));
      else if (!name.startsWith("node:")) names.add(name);
  return [...names];
};

// Each kernel that serves starts one: with the contract language, and Zod below it, that took three times as long.
it("the thread that writes a kernel's state imports its database and no other library", () => {
  expect(findPackages("kernel/src/state/writer-thread.ts")).toEqual(["better-sqlite3"]);
});
