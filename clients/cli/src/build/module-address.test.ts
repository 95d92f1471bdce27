import { join } from "node:path";
import { expect, test } from "vitest";
import { builtPath, packageFolder } from "./module-address.ts";

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
