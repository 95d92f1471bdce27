/**
 * A preload that lets an inspector find the ES modules of a program, which nothing in Node lists: `node --import
 * @fairlead/service-inspector/attach app.mjs`. Each module gets one line at its end that puts its own namespace in a table. Modules of packages are left
 * as they are, CommonJS needs none of it. Nothing listens and nothing of the inspector is loaded until one attaches.
 */
import { type LoadFnOutput, type LoadHookContext, registerHooks } from "node:module";
import { modulesName } from "./attach/modules-key.ts";

const key = Symbol.for(modulesName);
if (Reflect.get(globalThis, key) === undefined)
  Object.defineProperty(globalThis, key, { value: new Map<string, object>(), configurable: true });

const formats: ReadonlySet<unknown> = new Set(["module", "module-typescript"]);

/** A module of the program itself. */
const isOwn = (url: string, { format, source }: LoadFnOutput): boolean =>
  url.startsWith("file:") && !url.includes("/node_modules/") && formats.has(format) && source != null;

/** Runs when the module has run to its end. It imports itself, which loads nothing again. */
const entry = (url: string): string =>
  `\nimport * as fairlead$module from ${JSON.stringify(url)}; globalThis[Symbol.for(${JSON.stringify(modulesName)})]?.set(${JSON.stringify(url)}, fairlead$module);\n`;

const readSource = (source: NonNullable<LoadFnOutput["source"]>): string =>
  typeof source === "string" ? source : new TextDecoder().decode(source);

registerHooks({
  load(url: string, context: LoadHookContext, nextLoad: (url: string, context?: LoadHookContext) => LoadFnOutput) {
    const loaded = nextLoad(url, context);
    if (!isOwn(url, loaded) || loaded.source == null) return loaded;
    return { ...loaded, source: readSource(loaded.source) + entry(url) };
  },
});
