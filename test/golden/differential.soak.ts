/** Some 100,000 values in memory, by the TypeScript and the Python client, and by one that an independent generator made. Prints its seed. */
import { expect, test } from "vitest";
import { echoCases, echoes, findDifferences, startEchoes } from "./differential.ts";
import { openForeignClient } from "./openapi-echoes.ts";

const rounds = 20;

test("all clients get what the contract says", async () => {
  const seed = Date.now() % 1_000_000;
  console.log(`differential: seed ${seed}`);
  await using project = await startEchoes();
  await using foreign = await openForeignClient(project);
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    const cases = echoCases(seed + round * 1_000, Math.ceil(130_000 / rounds / echoes.length));
    count += cases.length;
    const found = await findDifferences(cases, {
      memory: project.memory,
      client: project.client,
      values: project.values,
      foreign: foreign.call,
      ...project.python,
    });
    expect({ seed, round, found }).toEqual({ seed, round, found: [] });
  }
  console.log(`differential: ${count} values, a call by each client`);
  expect(count).toBeGreaterThan(100_000);
}, 7_200_000);
