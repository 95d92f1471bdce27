import { expect, test } from "vitest";
import { runOnFailingDisk } from "./failing-disk.ts";

test("a thousand sessions on a disk that fails lose no acknowledged answer", { timeout: 3_600_000 }, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const figures = await runOnFailingDisk(1_000, seed);
  console.log(JSON.stringify({ seed, ...figures }));
  expect(figures.wrong).toEqual([]);
});
