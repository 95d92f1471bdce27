/** Where a refusal says that an input is wrong: by its path, or as a whole. */
import { defaultLimits } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { refusal } from "./breach.ts";

test.each([
  ["string", "", "shorten the input"],
  ["string", "name", "shorten `name`"],
  ["items", "", "give the input fewer items, or split it over several calls"],
  ["items", "list[0]", "give `list[0]` fewer items, or split it over several calls"],
] as const)("%s at %j: %s", (kind, path, fix) => {
  expect(refusal({ kind, path }, defaultLimits).issues).toMatchObject([{ path, fix }]);
});
