/**
 * The last step of building the kernel and the client, run in the folder of one of them: what they publish is generated from the kernel's contract
 * alone, where this repository's own `gen/` folders have its five services as well, which are packages of their own (`service.ts`).
 *
 * Not here: the generator, which runs as in any project (`codegen/src`).
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { generate } from "../src/index.ts";

const dist = join(process.cwd(), "dist/gen");
const isKernel = basename(process.cwd()) === "kernel";

const root = mkdtempSync(join(tmpdir(), "fairlead-platform-"));
try {
  // Nothing is proved here: `fairlead gen` has proved the same contract.
  const { ok, diagnostics } = await generate({ root, config: genConfigSchema.parse({ proof: 0 }) });
  if (!ok) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const made = join(root, "gen");
  const text = (name: string): string => readFileSync(join(made, name), "utf8");
  const names = readdirSync(made);
  if (isKernel) {
    publishKernel(names, text);
    publishManifest();
  }
  // Types alone. The kernel's client is as it was compiled; those of the services are left out by `files` of the package, which they are copied from.
  else writeFileSync(join(dist, "app-router.d.ts"), `${text("app-router.ts").replaceAll('.ts"', '.js"')}export {};\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** What the compiled code reads of its package: the whole of it, with its exports, would be taken for a package of its own. */
function publishManifest(): void {
  const { name, version, type } = JSON.parse(readFileSync("package.json", "utf8"));
  writeFileSync("dist/package.json", `${JSON.stringify({ name, version, private: true, type })}\n`);
}

/** The manifest and what it names. The types are those that were compiled: none says which services there are. */
function publishKernel(names: readonly string[], text: (name: string) => string): void {
  for (const name of ["manifest", "router", "tools"]) {
    const code = stripTypeScriptTypes(text(`${name}.ts`)).replaceAll('.ts"', '.js"');
    writeFileSync(join(dist, `${name}.js`), code);
  }
  for (const name of names.filter((each) => extname(each) === ".json")) writeFileSync(join(dist, name), text(name));
}
