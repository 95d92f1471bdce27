/** What is sent is what was asked for and what it needs; forms of import and export that can not be sent are refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { Library } from "./bundle.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const sourceOf = (files: Readonly<Record<string, string>>, names: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-bundle-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return new Library([pathToFileURL(join(folder, "start.js"))]).source(names);
};

/** What the names are when they run without their files. */
const sent = (files: Readonly<Record<string, string>>, names: readonly string[]): unknown =>
  new Function(`${sourceOf(files, names)}\nreturn { ${names.join(", ")} };`)();

const files = {
  "start.js": `import { one, two as zwei } from "./middle.js";
import * as numbers from "./numbers.js";
import {
  basename,
} from "node:path";
export const sum = one + zwei + numbers.three() + basename("/a/4").length;
const { length: size } = "four";
export class Kept {
  of(text = "unused") { return { unused: size, text }; }
}
export const unused = (() => { throw new Error("it ran"); })();`,
  "middle.js": `export * from "./numbers.js";
export { eins as one } from "./numbers.js";`,
  "numbers.js": `globalThis.fairleadRuns = (globalThis.fairleadRuns ?? 0) + 1;
export const eins = 1;
export const two = 2;
export function three() {
  return 3;
}`,
};

test("imports by name, by another name, of all, passed on; what nobody needs is left out", () => {
  expect(sent(files, ["sum"])).toEqual({ sum: 7 });
  const { Kept } = sent(files, ["Kept"]) as { readonly Kept: new () => { of(): unknown } };
  expect(new Kept().of()).toEqual({ unused: 4, text: "unused" });
  expect(sourceOf(files, ["Kept"])).not.toMatch(/sum|three|it ran/);
});

const twice = { "start.js": 'import { a } from "./other.js";\nexport const b = a;\nexport const c = 1;' };

test("of several declarations of a name the one with a recipe is meant; without one it is nobody's", () => {
  const plain = { ...twice, "other.js": "export const a = 1;\nconst c = 2;" };
  expect(() => sent(plain, ["c"])).toThrow(/more than one/);
  expect(() => sent(plain, ["d"])).toThrow(/No module/);
  const marked = {
    ...twice,
    "other.js": 'const named = (_, value) => value;\nexport const a = 1;\nconst c = named("c", 2);',
  };
  expect(sent(marked, ["c"])).toEqual({ c: 2 });
});

test.each([
  ["a default export", { "start.js": "export default 1;" }, /export default/],
  ["a default import", { "start.js": 'import x from "node:fs";' }, /import x/],
  [
    "a circle",
    {
      "start.js": 'import { a } from "./other.js";\nexport const b = () => a;',
      "other.js": 'import { b } from "./start.js";\nexport const a = () => b;',
    },
    /circle/,
  ],
])("%s is refused", (_, given, why) => {
  expect(() => sent(given, ["b"])).toThrow(why);
});
