/** One value of each construct in memory and by the TypeScript client; `differential.long.test.ts` tries more of both. */
import { expect, test } from "vitest";
import { echoCases, findDifferences, startEchoes } from "./differential.ts";

test("the TypeScript client gets what the contract says", async () => {
  await using project = await startEchoes();
  const { memory, client } = project;
  expect(await findDifferences(echoCases(1, 2), { memory, client })).toEqual([]);
}, 60_000);
