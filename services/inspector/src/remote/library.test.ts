/** The library that travels is the one that its sources make. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { artefact, artefactText } from "../../bundle/artefact.ts";

test("gen/remote-library.ts is current: `npm run bundle` writes it", async () => {
  expect((await readFile(artefact, "utf8")) === (await artefactText())).toBe(true);
});
