/** What each type of a construct costs a caller's compiler by itself, in instantiations beyond those of a text: `expected/type-costs.txt`. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { evaluate, tryField } from "./construct-check.ts";
import { constructs } from "./constructs.ts";
import { TemporaryProject } from "./project.ts";
import { clientCost } from "./type-cost.ts";

test("no construct explodes", async () => {
  using project = new TemporaryProject();
  const types = new Map<string, string[]>();
  for (const source of Object.values(constructs).flat()) {
    const { refused, lowered, type } = tryField(evaluate(source), "input");
    if (refused !== undefined || lowered.json.$defs !== undefined) continue;
    types.set(type, [...(types.get(type) ?? []), source]);
  }
  const simple = await clientCost(project, ["{ it: string }"]);
  const costs: { readonly cost: number; readonly sources: readonly string[] }[] = [];
  for (const [type, sources] of types) costs.push({ cost: (await clientCost(project, [type])) - simple, sources });
  const lines = costs.flatMap(({ cost, sources }) => sources.map((source) => `${String(cost).padStart(6)} ${source}`));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(import.meta.dirname, "expected/type-costs.txt"));
  expect(costs.filter(({ cost }) => cost > 50)).toEqual([]);
});
