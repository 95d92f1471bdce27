/**
 * A project as one folder of JavaScript that `node` runs: its configuration, its services, the kernel and all packages that they import, bundled. Entries
 * keep their places (`gen/manifest.js`, `services/todo/service.js`), so that what names a file in a text finds it; what they share is in `chunks/`.
 *
 * Not here: what runs in the built folder (`../built-main.ts`), the addresses of modules (`module-address.ts`), native code (`native-packages.ts`).
 */
import { randomUUID } from "node:crypto";
import { cpSync, globSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, posix, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { loadManifest, resolveModule } from "@fairlead/kernel/manifest";
import { version } from "@fairlead/kernel/owner";
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from "rolldown";
import { parseSync } from "rolldown/utils";
import { CommandError } from "../command/failure.ts";
import { builtPath, keepAddresses, packagePath, readPackage } from "./module-address.ts";
import { copyPackages, keepNativePackages, type NativePackages } from "./native-packages.ts";

interface BuildOptions {
  /** Folder of the project. */
  readonly root: string;
  /** Absolute path of its configuration file. */
  readonly config: string;
  /** Absolute path of its manifest. */
  readonly manifest: string;
  /** Folder of the generated documents, from the root. */
  readonly documents: string;
  /** Folder of the services, from the root. */
  readonly services: string;
  /** Absolute path of the folder to make. What an earlier build left there is replaced. */
  readonly out: string;
}

interface BuiltFiles {
  /** Files of JavaScript, from the folder. */
  readonly files: readonly string[];
  /** Bytes of JavaScript. */
  readonly bytes: number;
  /** Packages that are beside them as they are, for their native code: versions by name. */
  readonly copied: Readonly<Record<string, string>>;
}

const inSource = import.meta.url.endsWith(".ts");
const own = inSource ? "ts" : "js";
const mainEntry = "\0fairlead-main";

/** Builds beside the folder, and puts the result in its place at the end. */
export const buildProject = async (options: BuildOptions): Promise<BuiltFiles> => {
  const { root, config, manifest, out } = options;
  const modules = await serviceModules(manifest);
  const entry = (file: string): readonly [string, string] => [builtPath(file, root).replace(/\.[cm]?js$/, ""), file];
  const isJson = extname(config) === ".json";
  const input = Object.fromEntries([
    ["main", mainEntry],
    ...(isJson ? [] : [entry(config)]),
    entry(manifest),
    ...[...modules.values()].map(entry),
    ...kernelThreads().map(entry),
  ]);
  const native: NativePackages = new Map();
  const addressed = new Set<string>();
  const bundle = await rolldown({
    input,
    platform: "node",
    resolve: { conditionNames: [...(inSource ? ["@fairlead/source"] : []), "import", "node", "default"] },
    plugins: [
      main(options, isJson ? basename(config) : `${entry(config)[0]}.js`),
      serviceAddresses(manifest, { root, modules }),
      keepNativePackages(native),
      keepAddresses({ root, config, addressed }),
    ],
    // What it warns of is in packages, which are as they are.
    logLevel: "silent",
  });
  mkdirSync(dirname(out), { recursive: true });
  // Beside the folder that it becomes, and as deep: its source maps name sources by relative paths.
  const making = `${out}.building-${randomUUID()}`;
  try {
    const { output } = await bundle
      .write({
        dir: making,
        format: "esm",
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        // For `node --enable-source-maps dist/`. The sources are not in them: what is deployed need not show them.
        sourcemap: true,
        sourcemapExcludeSources: true,
        // Names of classes are in errors and in what is logged.
        keepNames: true,
      })
      .catch(rethrowInWords);
    refuseBroken(output);
    if (isJson) cpSync(config, join(making, basename(config)));
    copyAssets(options, making, [out, making]);
    for (const folder of addressed) copyPackageAssets(folder, making);
    const copied = Object.fromEntries(copyPackages(native, making));
    writeFileSync(join(making, "index.js"), index);
    writePackage(root, making, copied);
    rmSync(out, { recursive: true, force: true });
    renameSync(making, out);
    const names = output.map(({ fileName }) => fileName).filter((name) => !name.endsWith(".map"));
    const files = ["index.js", ...names].toSorted();
    const bytes = output.reduce((sum, file) => sum + (file.type === "chunk" ? Buffer.byteLength(file.code) : 0), 0);
    return { files, bytes, copied };
  } finally {
    await bundle.close();
    rmSync(making, { recursive: true, force: true });
  }
};

/** A build that cannot be read is not a build. */
const refuseBroken = (output: readonly (OutputChunk | OutputAsset)[]): void => {
  for (const file of output) {
    if (file.type !== "chunk") continue;
    const [error] = parseSync(file.fileName, file.code).errors;
    if (error === undefined) continue;
    const text = {
      message: `${file.fileName} is not JavaScript: ${error.message}`,
      hint: "this is a defect of `fairlead build`",
    };
    throw new CommandError({ code: "build_failed", exit: 2 }, text);
  }
};

/** The bundler's errors are pictures of the code for a terminal; the first line of each says it. */
const rethrowInWords = (cause: unknown): never => {
  const { errors } = Object(cause);
  if (!Array.isArray(errors) || errors.length === 0) throw cause;
  const lines = errors.map((error) => stripVTControlCharacters(String(error.message)).split("\n")[0] ?? "");
  const message = [...new Set(lines.map((line) => line.replace(/^\[\w+\] /, "")))].slice(0, 20).join("; ");
  const text = { message, hint: "correct it; everything that the project imports has to be installed" };
  throw new CommandError({ code: "build_failed", exit: 2 }, text, { cause });
};

/** Files of the services, by how the manifest names them. */
const serviceModules = async (manifest: string): Promise<ReadonlyMap<string, string>> => {
  const { services } = await loadManifest(manifest, pathToFileURL(manifest).href);
  const from = pathToFileURL(manifest).href;
  return new Map(services.map(({ module }) => [module, fileURLToPath(resolveModule(module, from))]));
};

/** The kernel starts these by their address. */
const kernelThreads = (): readonly string[] => {
  const kernel = dirname(fileURLToPath(import.meta.resolve("@fairlead/kernel")));
  return ["state/writer-thread", "placement/thread-entry", "placement/process-entry"].map((name) =>
    join(kernel, `${name}.${own}`),
  );
};

/** The entry: it starts what was built with where everything is. */
const main = ({ root, config, manifest }: BuildOptions, builtConfig: string): Plugin => ({
  name: "fairlead-main",
  resolveId: (source) => (source === mainEntry ? source : null),
  load: (id) => {
    if (id !== mainEntry) return null;
    const start = fileURLToPath(new URL(`../built-main.${own}`, import.meta.url));
    const project = {
      config: { source: relative(root, config), built: builtConfig },
      manifest: builtPath(manifest, root),
    };
    return `import { startBuilt } from ${JSON.stringify(start)};
await startBuilt({ folder: import.meta.dirname, ...${JSON.stringify(project)} });
`;
  },
});

/** What `node dist/` reads first: an older Node reads this, and may not read the rest. */
const index = `const needed = 24;
if (Number(process.versions.node.split(".")[0]) >= needed) await import("./main.js");
else {
  console.error(\`error: this build needs Node \${needed} or newer, and this is Node \${process.versions.node}\`);
  process.exitCode = 2;
}
`;

interface ServiceFiles {
  readonly root: string;
  readonly modules: ReadonlyMap<string, string>;
}

/** The manifest names services by the files that they are now, or by packages. */
const serviceAddresses = (manifest: string, { root, modules }: ServiceFiles): Plugin => ({
  name: "fairlead-manifest",
  transform: (code, id) => {
    if (id !== manifest) return null;
    const folder = posix.dirname(builtPath(manifest, root));
    const built = [...modules].reduce((text, [module, file]) => {
      const to = posix.relative(folder, builtPath(file, root));
      return text.replaceAll(JSON.stringify(module), JSON.stringify(to.startsWith(".") ? to : `./${to}`));
    }, code);
    return { code: built, map: null };
  },
});

const isCode = /\.(?:[cm]?[jt]sx?|map)$/;

/** What services and the manifest read from beside themselves. */
const copyAssets = ({ root, documents, services }: BuildOptions, folder: string, without: readonly string[]): void => {
  for (const place of [documents, services]) {
    const files = globSync(`${place.split(sep).join("/")}/**/*`, { cwd: root, withFileTypes: true });
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      if (!file.isFile() || isCode.test(path) || path.includes(`${sep}node_modules${sep}`) || isBelow(path, without))
        continue;
      const to = join(folder, relative(root, path));
      mkdirSync(dirname(to), { recursive: true });
      cpSync(path, to);
    }
  }
};

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}${sep}`));

/** What a package reads from beside its code, such as texts. What it publishes for people stays behind. */
const copyPackageAssets = (from: string, folder: string): void => {
  for (const file of globSync("**/*", { cwd: from, withFileTypes: true, exclude: ["**/node_modules"] })) {
    const path = join(file.parentPath, file.name);
    if (!file.isFile() || isCode.test(path) || file.parentPath === from) continue;
    const to = join(folder, packagePath(path, from));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to);
  }
};

const writePackage = (root: string, folder: string, dependencies: Readonly<Record<string, string>>): void => {
  const { name = "app", version: ofProject = "0.0.0" } = readPackage(root);
  const manifest = {
    name,
    version: ofProject,
    private: true,
    type: "module",
    main: "index.js",
    engines: { node: ">=24" },
    dependencies,
    builtWith: `fairlead ${version}`,
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
};

/** Whether the folder may be replaced: it is empty, not there, or an earlier build. A file or a link is none. */
export const isReplaceable = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  return found.isDirectory() && (readdirSync(folder).length === 0 || "builtWith" in readPackage(folder));
};
