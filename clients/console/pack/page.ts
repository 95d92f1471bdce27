/**
 * Builds the page that a service's package brings for the console, run in the package's folder: `console/page.tsx` becomes `dist/console/page.js`, one ES module
 * with all that it imports but React and the kit, which the console has already. Depends on the sources alone, so that a package has the same
 * bytes anywhere.
 *
 * Not here: the console itself (`vite.config.ts`).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const kit: Readonly<Record<string, string>> = {
  "@fairlead/console/kit": "/console/kit/1/kit.js",
  react: "/console/kit/1/react.js",
  "react/jsx-runtime": "/console/kit/1/jsx-runtime.js",
};

const folder = process.cwd();
const entry = join(folder, "console/page.tsx");
if (!existsSync(entry)) throw new Error(`${entry} is missing: it is the page's module`);
const out = join(folder, "dist/console");

const bundle = await rolldown({
  cwd: folder,
  input: { page: entry },
  external: Object.keys(kit),
  platform: "browser",
  transform: { jsx: { runtime: "automatic", development: false }, define: { "process.env.NODE_ENV": '"production"' } },
});
const { output } = await bundle.write({
  dir: out,
  format: "esm",
  paths: { ...kit },
  minify: true,
  entryFileNames: "[name].js",
  chunkFileNames: "assets/[name]-[hash].js",
});
await bundle.close();
writeNotices(output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : [])));
for (const file of output) {
  if (file.type !== "chunk") continue;
  const path = join(out, file.fileName);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(file.code, { params }));
  writeFileSync(`${path}.gz`, gzipSync(file.code, { level: 9 }));
}

/** What is bundled asks for its notice to come along. */
function writeNotices(modules: readonly string[]): void {
  const folders = new Set(modules.flatMap((id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/@]+)\//.exec(id)?.[1] ?? []));
  const notices = [...folders].toSorted().flatMap((each) => {
    const { name, version, license } = JSON.parse(readFileSync(join(each, "package.json"), "utf8"));
    if (String(name).startsWith("@fairlead/")) return [];
    const file = readdirSync(each).find((entry) => /^licen[cs]e(?:\.md|\.txt)?$/i.test(entry));
    const text = file === undefined ? "" : readFileSync(join(each, file), "utf8").trim();
    return [`${name} ${version} (${license})\n\n${text}`];
  });
  if (notices.length > 0) writeFileSync(join(out, "licences.txt"), `${notices.join("\n\n---\n\n")}\n`);
}
