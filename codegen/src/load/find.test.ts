import { resolve } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { findContracts } from "./find.ts";

const repository = resolve(import.meta.dirname, "../../..");

test.each([
  ["the repository that has it proves it", "contracts/src", undefined],
  ["any other project takes it as proved", "codegen", true],
])("of the kernel's contract: %s", async (_, folder, isProved) => {
  const { files } = await findContracts(repository, genConfigSchema.parse({ contracts: [folder] }));
  expect(files.filter(({ builtIn }) => builtIn)).toMatchObject([{ source: "@fairlead/contracts/kernel" }]);
  expect(files[0]?.isProved).toBe(isProved);
});
