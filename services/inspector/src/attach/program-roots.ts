/**
 * The roots of a program that names none: what its modules export. CommonJS modules are in Node's own table; ES modules in that of the preload
 * (`preload.ts`), if the program was started with it. Each root is an expression there that reads one entry of a table; nothing is run.
 */
import { modulesName } from "./modules-key.ts";

/** A module with the expression of its exports. */
interface FoundModule {
  /** Its path or `file:` address. */
  readonly place: string;
  readonly expression: string;
}

/** Modules beyond which no root is made. */
const mostModules = 200;

/** An expression for a list of `FoundModule`, or `null` where the program called `inspect`. Modules of packages are left out, and those that export nothing. */
export const findingModules = (registration: string): string => `(() => {
  if (globalThis[Symbol.for(${JSON.stringify(registration)})] !== undefined) return null;
  const loaded = globalThis[Symbol.for(${JSON.stringify(modulesName)})];
  const { _cache: cache } = process.getBuiltinModule("node:module");
  const { pathToFileURL } = process.getBuiltinModule("node:url");
  const found = [];
  for (const place of loaded instanceof Map ? loaded.keys() : [])
    found.push({ place, expression: "globalThis[Symbol.for(" + ${JSON.stringify(JSON.stringify(modulesName))} + ")].get(" + JSON.stringify(place) + ")" });
  for (const place of Object.keys(cache)) {
    const { value: exported } = Object.getOwnPropertyDescriptor(cache[place], "exports") ?? {};
    if (typeof exported !== "object" || exported === null || Object.keys(exported).length === 0) continue;
    if (/[\\\\/]node_modules[\\\\/]/.test(place) || loaded?.has(pathToFileURL(place).href)) continue;
    found.push({ place, expression: 'process.getBuiltinModule("node:module")._cache[' + JSON.stringify(place) + "]?.exports" });
  }
  return found.slice(0, ${mostModules});
})()`;

/** The named boundary: what the program answers is only taken where it has the shape. */
export const parseModules = (answer: unknown): readonly FoundModule[] =>
  (Array.isArray(answer) ? answer : []).filter(
    (each): each is FoundModule => typeof each?.place === "string" && typeof each?.expression === "string",
  );

/** Roots by name: modules by their file's, in their order, then all that is global. No name is `taken` already. */
export const nameRoots = (
  modules: readonly FoundModule[],
  taken: ReadonlySet<string>,
): Readonly<Record<string, string>> => {
  const roots = new Map<string, string>();
  const add = (wanted: string, expression: string): void => {
    let name = wanted;
    for (let number = 2; roots.has(name) || taken.has(name.toLowerCase()); number++) name = `${wanted}_${number}`;
    roots.set(name, expression);
  };
  for (const { place, expression } of modules) add(moduleName(place), expression);
  add("Global", "globalThis");
  return Object.fromEntries(roots);
};

/** `/app/src/order-book.ts` is `orderBook`, `/app/src/orders/index.js` is `orders`. */
export const moduleName = (place: string): string => {
  const parts = (place.split(/[?#]/, 1)[0] ?? "").split(/[\\/]/);
  const file = (parts.at(-1) ?? "").replace(/\.[^.]*$/, "");
  const words = (file === "index" ? (parts.at(-2) ?? "") : file).match(/[A-Za-z0-9_]+/g) ?? [];
  const name = words.map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join("");
  return /^[A-Za-z_]/.test(name) ? name : `module${name}`;
};
