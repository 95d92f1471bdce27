import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagedService, resolveContract } from "./service-package.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-package-")));
  for (const condition of ["import", "default"]) {
    const folder = join(root, "node_modules", `for-${condition}`);
    mkdirSync(folder, { recursive: true });
    const exports = { "./contract": { [condition]: "./contract.js" }, "./service": { [condition]: "./service.js" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: `for-${condition}`, type: "module", exports }));
    for (const name of ["contract.js", "service.js"]) writeFileSync(join(folder, name), "export default {};\n");
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each(["for-default", "for-import"])("a package %s", (name) => {
  it("is found by its contract and its service", () => {
    expect(resolveContract(root, name)).toBe(join(root, "node_modules", name, "contract.js"));
    expect(packagedService(root, name)).toBe(`${name}/service`);
  });

  it("has no more than it exports", () => {
    expect(resolveContract(root, `${name}/other`)).toBeUndefined();
    expect(resolveContract(root, "for-nobody")).toBeUndefined();
  });
});
