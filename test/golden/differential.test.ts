/** One value of each construct in memory and by the TypeScript client, with the wire form and with values; `differential.long.test.ts` tries more of both. */
import { expect, test } from "vitest";
import { echoCases, findDifferences, startEchoes } from "./differential.ts";

test("the TypeScript client gets what the contract says", async () => {
  await using project = await startEchoes();
  const { memory, client, values } = project;
  expect(await findDifferences(echoCases(1, 2), { memory, client, values })).toEqual([]);
}, 60_000);
