/** The forms of import and export that can be sent, and that others are refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { bundled } from "./bundle.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** What `start.js` exports when it runs without its files. */
const sent = (files: Readonly<Record<string, string>>): unknown => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-bundle-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const source = bundled(pathToFileURL(join(folder, "start.js")), "start");
  return new Function(`${source}\nreturn start;`)();
};

test("imports by name, by another name, of all; exports of every kind; once each", () => {
  const files = {
    "start.js": `import { one, two as zwei } from "./numbers.js";
import * as numbers from "./numbers.js";
import {
  basename,
} from "node:path";
export * from "./numbers.js";
export { one as uno } from "./numbers.js";
export const sum = one + zwei + numbers.three() + basename("/a/4").length;
export class Kept {}
const hidden = 1;
export { hidden as shown };`,
    "numbers.js": `globalThis.fairleadRuns = (globalThis.fairleadRuns ?? 0) + 1;
export const one = 1;
export const two = 2;
export function three() { return globalThis.fairleadRuns * 3; }`,
  };
  expect(sent(files)).toEqual({
    one: 1,
    two: 2,
    three: expect.any(Function),
    uno: 1,
    sum: 7,
    Kept: expect.any(Function),
    shown: 1,
  });
  Reflect.deleteProperty(globalThis, "fairleadRuns");
});

test.each([
  ["a default export", { "start.js": "export default 1;" }, /export default/],
  ["a default import", { "start.js": 'import x from "node:fs";' }, /import x/],
  [
    "a circle",
    {
      "start.js": 'import { a } from "./other.js";\nexport const b = 1;',
      "other.js": 'import { b } from "./start.js";\nexport const a = 1;',
    },
    /circle/,
  ],
])("%s is refused", (_, files, why) => {
  expect(() => sent(files)).toThrow(why);
});
