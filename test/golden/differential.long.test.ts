/** Some 2,000 values: in memory, by the TypeScript and the Python client, and by a client that an independent generator made from the OpenAPI document. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { echoCases, echoes, findDifferences, startEchoes } from "./differential.ts";
import { openForeignClient } from "./openapi-echoes.ts";

test("all clients get what the contract says", async () => {
  const seed = fc.readConfigureGlobal().seed ?? 1;
  await using project = await startEchoes();
  await using foreign = await openForeignClient(project);
  const cases = echoCases(seed, Math.ceil(2_600 / echoes.length));
  expect(cases.length).toBeGreaterThan(2_000);
  const found = await findDifferences(cases, {
    memory: project.memory,
    client: project.client,
    values: project.values,
    foreign: foreign.call,
    ...project.python,
  });
  expect({ seed, found }).toEqual({ seed, found: [] });
});
