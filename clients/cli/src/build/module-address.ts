/**
 * `import.meta.url` in what is built: a bundler moves modules into files of other places, and their own address would move with them. Each keeps the
 * one that it had, from the folder of the build: `services/todo/service.js` for a module of the project, `packages/<name>/…` for one of a package.
 * What lies beside it there is found as before: assets, and the entries of threads.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import type { Plugin } from "rolldown";
import { parseSync } from "rolldown/utils";
import { parseJson } from "../text/json-text.ts";
import { isRecord } from "../text/record.ts";

/** What follows `import.meta`. */
const member = /^\.(url|dirname|filename)\b/;
/** How a module finds a file; a mention in a comment, or a `require` of its own, is none. */
const besideIt = /\bnew URL\([^()]*\bimport\.meta\.url\)|\bimport\.meta\.(?:dirname|filename)\b/;
const mark = /__fairlead_(url|dirname|filename)_([0-9a-f]*)__/g;

interface AddressOptions {
  readonly root: string;
  /** The configuration: it says where state is, and that is never in the folder of the build. */
  readonly config: string;
  /** Takes the folders of packages whose modules look for something by their address. */
  readonly addressed: Set<string>;
}

/** The path of a module in the build, with slashes and as JavaScript. */
export const builtPath = (file: string, root: string): string => {
  const from = relative(root, file).split(sep);
  const isOwn = from[0] !== ".." && !from.includes("node_modules");
  const path = isOwn ? from.join("/") : packagePath(file);
  return path.replace(/\.([cm]?)tsx?$/, ".$1js");
};

/** The same for a file of a package. */
export const packagePath = (file: string, folder = packageFolder(file)): string => {
  return posix.join("packages", packageName(folder), relative(folder, file).split(sep).join("/"));
};

/** The folder of the package that a file belongs to. */
export const packageFolder = (file: string): string => {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && packageName(folder) !== "") return folder;
    if (dirname(folder) === folder) return dirname(file);
  }
};

const packageName = (folder: string): string => String(readPackage(folder).name ?? "");

/** `package.json` of a folder; nothing where it cannot be read. */
export const readPackage = (folder: string): Readonly<Record<string, unknown>> => {
  const path = join(folder, "package.json");
  const parsed = existsSync(path) ? parseJson(readFileSync(path, "utf8")) : undefined;
  return parsed?.ok === true && isRecord(parsed.value) ? parsed.value : {};
};

export const keepAddresses = ({ root, config, addressed }: AddressOptions): Plugin => ({
  name: "fairlead-addresses",
  transform(code, id) {
    if (!code.includes("import.meta.") || id.startsWith("\0")) return null;
    const path = id === config ? `../${relative(root, id)}` : builtPath(id, root);
    if (path.startsWith("packages/") && besideIt.test(code)) addressed.add(packageFolder(id));
    const hex = Buffer.from(path).toString("hex");
    return { code: replaceMembers(code, id, (name) => `__fairlead_${name}_${hex}__`), map: null };
  },
  renderChunk(code, { fileName }) {
    if (!code.includes("__fairlead_")) return null;
    const here = posix.dirname(fileName);
    return code.replace(mark, (_, name: string, hex: string) => {
      const to = posix.relative(here, Buffer.from(hex, "hex").toString());
      const address = `new URL(${JSON.stringify(to)}, import.meta.url)`;
      const file = `process.getBuiltinModule("node:url").fileURLToPath(${address})`;
      if (name === "url") return `${address}.href`;
      return name === "filename" ? file : `process.getBuiltinModule("node:path").dirname(${file})`;
    });
  },
});

/** Only what is code: a text or a comment may say `import.meta.url`, too. */
const replaceMembers = (code: string, id: string, replacement: (name: string) => string): string =>
  parseSync(id.split("?")[0] ?? id, code).module.importMetas.reduceRight((text, { start, end }) => {
    const [access, name] = member.exec(text.slice(end)) ?? [];
    if (access === undefined || name === undefined) return text;
    return text.slice(0, start) + replacement(name) + text.slice(end + access.length);
  }, code);
