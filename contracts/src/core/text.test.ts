import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { faultPlace } from "./text.ts";

const failing = (stack: string): Error => Object.assign(new Error("x"), { stack });

test.each([
  ["/a/b.ts:2\nexport default {\n x y\n   ^\n}\n\nSyntaxError [E]: x\n    at parse (node:internal/x:1:2)", "/a/b.ts:2"],
  [
    "file:///a/b.ts:1\nimport {q} from 'node:fs'\n        ^\nSyntaxError: x\n    at async M.run (node:x:5:5)",
    "/a/b.ts:1",
  ],
  ["Error: boo\n    at Object.<anonymous> (file:///a%20c/b.ts:3:7)\n    at M._compile (node:x:1:1)", "/a c/b.ts:3"],
  ["Error: x\n    at f (file:///a/node_modules/z/y.js:1:1)\n    at file:///a/b.ts:9:82", "/a/b.ts:9"],
  ["SyntaxError: x\n    at compile (node:internal/modules/esm/utils:319:16)", undefined],
])("reads %j", (stack, place) => {
  expect(faultPlace(failing(stack))).toBe(place);
});

test("a module that is not there has no line", () => {
  const missing = failing("Error: x\n    at resolve (file:///a/b.ts:3:7)");
  expect(faultPlace(Object.assign(missing, { code: "ERR_MODULE_NOT_FOUND" }))).toBeUndefined();
});

test("takes whatever was thrown", () => {
  fc.assert(fc.property(fc.anything(), (thrown) => void expect(faultPlace(thrown)).toBeUndefined()));
});

test("finds the line of a real syntax error", () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-fault-"));
  try {
    const file = join(folder, "broken.ts");
    writeFileSync(file, "export default {\n  x y\n};\n");
    const script = `try { await import(${JSON.stringify(file)}) } catch (error) { console.log(error.stack) }`;
    const stack = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(faultPlace(failing(stack))).toBe(`${file}:2`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
