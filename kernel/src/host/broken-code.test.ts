/** What is said of code that cannot be run: the place, and what was meant. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenCode, mismatched } from "./broken-code.ts";
import { HandlerMismatch } from "./service-instance.ts";

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-broken-"));
  file = join(folder, "service.ts");
  writeFileSync(
    file,
    'import { a } from "left-pad";\nimport { b } from "./thre.ts";\nexport default { handlers: {\n  gret: () => 1,\n} };\n',
  );
  writeFileSync(join(folder, "three.ts"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

const notFound = (message: string): Error => Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" });
const broken = (message: string) => brokenCode("the service left", notFound(message), "otherwise");

test("a relative import that finds nothing: the line that has it, and the file that was meant", () => {
  const { hint, stack } = broken(`Cannot find module '${join(folder, "thre.ts")}' imported from ${file}`);
  expect(hint).toBe(`correct the import in ${file}:2: did you mean three.ts?`);
  expect(stack).toBeUndefined();
  expect(broken(`Cannot find module '${join(folder, "other.ts")}' imported from ${file}`).hint).toBe(
    `correct the import in ${file}`,
  );
});

test("a package that is not installed: its name, and the line that imports it", () => {
  const { hint } = broken(`Cannot find package 'left-pad' imported from ${file}`);
  expect(hint).toContain("`npm install left-pad`");
  expect(hint).toContain(`${file}:1`);
});

test("anything else keeps its own place and its stack", () => {
  const thrown = Object.assign(new Error("no"), { stack: `Error: no\n    at ${pathToFileURL(file).href}:3:7` });
  const { hint, stack } = brokenCode("the service left", thrown, "otherwise");
  expect(hint).toContain(`fix ${file}:3`);
  expect(stack).toContain("FairleadError");
});

test("a handler with the wrong name: its line, and the procedure that was meant", () => {
  const of = (missing: readonly string[], excess: readonly string[]) =>
    mismatched(new HandlerMismatch("left", { missing, excess }), `${pathToFileURL(file).href}?generation=3`);
  const { hint, message, stack } = of(["greet", "wave"], ["gret"]);
  expect(message).toBe(
    "the service left has no handler for greet, wave and has handlers its contract does not know: gret",
  );
  expect(hint).toBe(`rename \`gret\` to \`greet\` in ${file}:4`);
  expect(stack).toBeUndefined();
  expect(of(["wave"], []).hint).toBe(`add the handler to ${file}, or take the procedure out of the contract`);
  expect(of([], ["gret"]).hint).toBe(`take \`gret\` out of ${file}:4, or add it to the contract`);
});
