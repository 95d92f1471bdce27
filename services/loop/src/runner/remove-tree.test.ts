import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";

const fixture = new URL("./remove-tree.ts", import.meta.url).href;
const top = mkdtempSync(join(tmpdir(), "fairlead-remove-"));
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Root may remove anything, so it is done as somebody else there. */
const remove = (folder: string): void => {
  const program = `const { removeTree } = await import(${JSON.stringify(fixture)}); await removeTree(${JSON.stringify(folder)});`;
  const words = [process.execPath, "--input-type=module", "-e", program];
  const [file = "", ...args] =
    process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-all", "--inh-caps=-all", ...words] : words;
  execFileSync(file, args, { stdio: ["ignore", "ignore", "pipe"] });
};

it("removes what was left read-only, and nothing that a link leads to", () => {
  const [folder, other] = [join(top, "folder"), join(top, "other")];
  mkdirSync(join(folder, "modules/deep"), { recursive: true });
  mkdirSync(other);
  writeFileSync(join(other, "mine"), "x");
  writeFileSync(join(folder, "modules/deep/file"), "x");
  symlinkSync(other, join(folder, "modules/link"));
  for (const path of ["modules/deep", "modules", ""]) chmodSync(join(folder, path), 0o500);
  chmodSync(other, 0o500);
  remove(folder);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(join(other, "mine"))).toBe(true);
  chmodSync(other, 0o700);
});
