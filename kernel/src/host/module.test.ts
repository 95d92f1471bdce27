import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { importModule, resolveModule } from "./module.ts";

it("finds a package that exports its service to `import` alone, from the importer's own folder", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-module-")));
  try {
    const folder = join(root, "node_modules/import-alone");
    mkdirSync(folder, { recursive: true });
    const manifest = { name: "import-alone", type: "module", exports: { "./service": { import: "./service.js" } } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "service.js"), 'export default { id: "alone" };\n');
    const from = pathToFileURL(join(root, "gen/manifest.ts")).href;
    expect(resolveModule("import-alone/service", from)).toBe(pathToFileURL(join(folder, "service.js")).href);
    expect(await importModule("import-alone/service", from)).toMatchObject({ default: { id: "alone" } });
    expect(() => resolveModule("import-alone/other", from)).toThrow(/not exported|not defined/);
    expect(() => resolveModule("import-alone/service", import.meta.url)).toThrow(/Cannot find package/);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
