/**
 * Pages that packages of services bring for the console. A package says so in its `package.json`, by the id of the service:
 *
 *     "fairlead": { "console": { "notes": { "title": "Notes", "module": "./dist/console/page.js" } } }
 *
 * Only the packages of the manifest are asked, so whoever is trusted to run in the kernel is trusted to show a page, and no other is. Not here:
 * who may have the files, and their headers (`transport/console/`).
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanText } from "@fairlead/contracts";
import { isRecord } from "../call/record.ts";
import type { Manifest } from "./manifest.ts";
import { resolveModule } from "./module.ts";

export interface ConsolePage {
  readonly service: string;
  readonly title: string;
  /** Folder of the built page: all files in it are served. */
  readonly folder: string;
  /** The ES module in it, whose default export is the page. */
  readonly file: string;
}

/** The page of one service; `undefined` where its package brings none, or has not built it. */
export const findConsolePage = (
  { services, url }: Pick<Manifest, "services" | "url">,
  service: string,
): ConsolePage | undefined => {
  const entry = services.find(({ id }) => id === service);
  const root = entry === undefined ? undefined : packageFolder(entry.module, url);
  if (root === undefined) return undefined;
  const declared = declaredPage(root, service);
  if (declared === undefined) return undefined;
  const module = resolve(root, declared.module);
  const inside = relative(root, module).split(sep);
  // A folder of its own: whatever lies beside the module is served.
  if (inside.length < 2 || inside[0] === ".." || inside.includes("node_modules")) return undefined;
  if (!module.endsWith(".js") || !existsSync(module)) return undefined;
  return { service, title: cleanText(declared.title, 40), folder: dirname(module), file: basename(module) };
};

interface DeclaredPage {
  readonly title: string;
  readonly module: string;
}

const declaredPage = (root: string, service: string): DeclaredPage | undefined => {
  const { fairlead } = readPackage(root);
  const pages = isRecord(fairlead) && isRecord(fairlead.console) ? fairlead.console : {};
  const page = Object.hasOwn(pages, service) ? pages[service] : undefined;
  if (!isRecord(page) || typeof page.title !== "string" || typeof page.module !== "string") return undefined;
  return { title: page.title, module: page.module };
};

const readPackage = (root: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

/** The nearest folder with a `package.json` above a service's module; `undefined` where that module is not there. */
const packageFolder = (module: string, from: string): string | undefined => {
  try {
    let folder = dirname(fileURLToPath(resolveModule(module, from)));
    while (!existsSync(join(folder, "package.json"))) {
      if (dirname(folder) === folder) return undefined;
      folder = dirname(folder);
    }
    return folder;
  } catch {
    return undefined;
  }
};
