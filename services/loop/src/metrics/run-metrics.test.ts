/** What several runs come to together. */
import { expect, it } from "vitest";
import { begin, call, closing, opening, ownTreeKernel, plan, report, useOwnTree } from "../testing/own-tree.ts";
import { sampleProposal } from "../testing/sample.ts";

useOwnTree();

it("is nothing where there is no run, and else the sum of each run, by formula, with the commands that the server ran", async () => {
  expect(await call("runMetrics")).toMatchObject({ total: { runs: 0, cost_usd: 0 }, formulas: [], commands: [] });
  await begin({ qa: "server" });
  await plan(closing);
  ownTreeKernel().repository.write(closing, "closed\n");
  const usage = { cost_usd: 0.5, input_tokens: 100, output_tokens: 20 };
  await report("TICKET_RESULT", { status: "done", changed_files: [closing], usage });
  await report("QA_PASSED", {});
  await plan(opening);
  await report("TICKET_RESULT", { status: "failed", reason: "stuck" });
  const { run_id } = await call("endSession");
  const wall = sampleProposal("Paint the wall", { category: "refactor", verification_commands: ["make"] });
  await ownTreeKernel().scout([wall], { own_tree: true, formula: "cleanup", qa: "server" });
  await plan("src/paint-the-wall.ts");
  await report("TICKET_RESULT", { status: "failed", reason: "stuck" });
  await call("endSession");

  const { total, formulas, commands } = await call("runMetrics");
  expect(total).toMatchObject({ runs: 2, tickets_done: 1, tickets_verified: 1, cost_usd: 0.5, tokens: 120 });
  expect(total.duration_ms).toBeGreaterThan(0);
  expect(
    formulas.map(({ formula, runs, tickets_done }: Record<string, unknown>) => [formula, runs, tickets_done]),
  ).toEqual([
    ["cleanup", 1, 0],
    [null, 1, 1],
  ]);
  expect(formulas[1]).toMatchObject({ tickets_failed: 1 });
  expect(commands).toMatchObject([{ command: "make" }]);
  expect((await call("runMetrics", { last: 1 })).total).toMatchObject({ runs: 1, tickets_done: 0 });
  expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
});
