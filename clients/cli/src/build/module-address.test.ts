import { join } from "node:path";
import { expect, test } from "vitest";
import { builtPath, keepAddresses, packageFolder } from "./module-address.ts";

const folder = packageFolder(import.meta.filename);

test.each([
  ["services/todo/service.ts", "services/todo/service.js"],
  ["contracts/todo.contract.mts", "contracts/todo.contract.mjs"],
  ["services/todo/plain.js", "services/todo/plain.js"],
])("%s of a project keeps its place", (path, built) => {
  expect(builtPath(join("/project", path), "/project")).toBe(built);
});

test("a module of a package has a place below the name of its package", () => {
  expect(builtPath(import.meta.filename, "/project")).toBe("packages/fairlead/src/build/module-address.test.js");
  expect(builtPath(import.meta.filename, folder)).toBe("src/build/module-address.test.js");
});

test("only code gets the address of its module, not a text or a comment", () => {
  const plugin = keepAddresses({ root: "/project", config: "/project/fairlead.config.ts", addressed: new Set() });
  const { transform } = plugin;
  if (typeof transform !== "function") throw new TypeError("a function");
  const text = "\"write new URL('./ä𝒳', import.meta.url)\"";
  const code = `const help: string = ${text}; const here = import.meta.url; // import.meta.dirname`;
  expect(Reflect.apply(transform, {}, [code, "/project/services/a/service.ts", {}])).toMatchObject({
    code: expect.stringMatching(
      /import\.meta\.url\)"; const here = __fairlead_url_[0-9a-f]+__; \/\/ import\.meta\.dirname$/,
    ),
  });
});
