/**
 * What grows in a contract costs in proportion: four times as much of it runs at most about four times as many blocks of code, from the contract to
 * the text of the files. V8 counts them, in a process of their own, so that neither a slow or busy machine nor what ran before changes anything.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const script = fileURLToPath(new URL("testing/count-blocks.ts", import.meta.url));

const growing = ["names in an enum", "fields", "levels", "services"];

test.each(inLongTier ? growing : growing.slice(0, 1))("four times as many %s", async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@fairlead/source", script, name]);
  const { most, few, many } = JSON.parse(stdout);
  expect(few).toBeGreaterThan(most);
  // Sixteen would be a square.
  expect(many / few).toBeLessThan(4.2);
});
