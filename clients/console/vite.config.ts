/**
 * How the console is built: into `dist`, below `/console/`, each file once more in each compressed form, with the licences of what is in them.
 *
 * The pages reach nothing outside: no fonts, no scripts and no pictures of others.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** Files below this are sent as they are: they would not become smaller. */
const leastBytes = 1_024;

/** From here on the highest quality takes many seconds, for a twentieth less. */
const slowBytes = 1_000_000;

/** Reads what was written: Vite changes the code of chunks until then. */
const compress = (): Plugin => ({
  name: "compress",
  apply: "build",
  writeBundle({ dir = "dist" }, bundle) {
    for (const name of Object.keys(bundle)) {
      const path = join(dir, name);
      const source = readFileSync(path);
      if (source.byteLength < leastBytes || !/\.(?:js|css|svg)$/.test(name)) continue;
      const quality = source.byteLength < slowBytes ? constants.BROTLI_MAX_QUALITY : 9;
      const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
      writeFileSync(`${path}.br`, brotliCompressSync(source, { params }));
      writeFileSync(`${path}.gz`, gzipSync(source, { level: 9 }));
    }
  },
});

/** What is bundled asks for its notice to come along. */
const licences = (): Plugin => ({
  name: "licences",
  apply: "build",
  generateBundle() {
    const folders = new Set(
      [...this.getModuleIds()].flatMap((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/@?]+)\//.exec(id)?.[1] ?? []),
    );
    const notices = [...folders].toSorted().flatMap((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (String(name).startsWith("@fairlead/")) return [];
      return [`${name} ${version} (${license})\n\n${noticeIn(folder)}`];
    });
    this.emitFile({
      type: "asset",
      fileName: "licences.txt",
      source: `${[...new Set(notices)].join("\n\n---\n\n")}\n`,
    });
  },
});

const noticeIn = (folder: string): string => {
  for (const name of ["LICENSE", "LICENSE.md", "license", "LICENCE"]) {
    try {
      return readFileSync(join(folder, name), "utf8").trim();
    } catch {
      // Another spelling, or none: then its package.json has said it.
    }
  }
  return "";
};

/** What pages of services import, below an address that names the version of it. */
const kit = {
  "kit/1/kit": "src/kit/kit.ts",
  "kit/1/react": "src/kit/react.ts",
  "kit/1/jsx-runtime": "src/kit/jsx-runtime.ts",
};

export default defineConfig({
  base: "/console/",
  plugins: [tailwindcss(), licences(), compress()],
  resolve: { conditions: ["@fairlead/source", "browser", "import", "module", "default"] },
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The viewer of the reference, which is one file by its makers.
    chunkSizeWarningLimit: 3_000,
    rolldownOptions: {
      input: { index: "index.html", docs: "docs.html", ...kit },
      // What pages of services import keeps its exports and its names.
      preserveEntrySignatures: "exports-only",
      output: { entryFileNames: ({ name }) => (name in kit ? "[name].js" : "assets/[name]-[hash].js") },
      // Directives of server components mean nothing here.
      onLog: (level, log, report) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
      },
    },
  },
});
