/** Some 2,000 values: in memory, by the TypeScript client, and by a client that an independent generator made from the OpenAPI document. */
import { expect, test } from "vitest";
import { echoCases, echoes, findDifferences, startEchoes } from "./differential.ts";
import { openForeignClient } from "./openapi-echoes.ts";

test("three clients get what the contract says", async () => {
  const seed = Date.now() % 1_000_000;
  await using project = await startEchoes();
  await using foreign = await openForeignClient(project);
  const cases = echoCases(seed, Math.ceil(2_600 / echoes.length));
  expect(cases.length).toBeGreaterThan(2_000);
  const found = await findDifferences(cases, {
    memory: project.memory,
    client: project.client,
    values: project.values,
    foreign: foreign.call,
  });
  expect({ seed, found }).toEqual({ seed, found: [] });
}, 600_000);
