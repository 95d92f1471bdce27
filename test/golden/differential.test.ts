/** A value of every eighteenth construct in memory and by the TypeScript client, with the wire form and with values, and by the Python client; `differential.long.test.ts` tries more of both. */
import { expect, test } from "vitest";
import { echoCases, findDifferences, startEchoes } from "./differential.ts";

test("the TypeScript and the Python client get what the contract says", async () => {
  const cases = echoCases(1, 2).filter((_, at) => at % 18 === 0);
  await using project = await startEchoes(cases);
  const { memory, client, values, python } = project;
  expect(await findDifferences(cases, { memory, client, values, ...python })).toEqual([]);
});
