import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { generate } from "../generate.ts";
import { contractFile, temporaryProject } from "../testing/fixture.ts";

test("a second run loads what has changed since, and nothing else", async () => {
  const loud = (word: string): string => contractFile("sums", { body: `console.log("${word}");` });
  using project = temporaryProject({ "contracts/sums.contract.ts": loud("first") });
  const run = async (): Promise<string> => {
    let printed = "";
    const onOutput = (text: string): void => {
      printed += text;
    };
    const { ok } = await generate({
      root: project.root,
      config: genConfigSchema.parse({ loadTimeoutMs: 240_000 }),
      onOutput,
    });
    expect(ok).toBe(true);
    return printed;
  };
  expect(await run()).toBe("first\n");
  // What was written just before a run is loaded once more at the next.
  await run();
  expect(await run()).toBe("");
  writeFileSync(join(project.root, "contracts/sums.contract.ts"), loud("second"));
  expect(await run()).toBe("second\n");
});

test("a file that could not be loaded is loaded again", async () => {
  using project = temporaryProject({
    "contracts/sums.contract.ts": contractFile("sums", {
      body: "if (globalThis.failed) throw 1; globalThis.failed = true; process.exit();",
    }),
  });
  const run = () => generate({ root: project.root, config: genConfigSchema.parse({ loadTimeoutMs: 240_000 }) });
  const words = async () => (await run()).diagnostics.map(({ message }) => message).join();
  expect(await words()).toContain("ends the process");
  expect(await words()).toContain("ends the process");
});
