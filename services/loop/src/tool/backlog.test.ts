/** What a session had not done, in the one after it. */
import { expect, it } from "vitest";
import { begin, call, git, place, plan, proposals, report, useOwnTree } from "../testing/own-tree.ts";
import { sampleProposal } from "../testing/sample.ts";

useOwnTree();

const titles = async (): Promise<readonly string[]> => {
  const { runs } = await call("listRuns", { limit: 1 });
  const { tickets } = await call("viewRun", { run_id: runs[0].run_id });
  return tickets.map(({ title, status }: { title: string; status: string }) => `${title}: ${status}`);
};

it("begins with it, without a scout, where both say so; what has failed does not come back", async () => {
  const failed = sampleProposal("Paint the wall", { impact_score: 10, confidence: 99 });
  await begin({ backlog: "carry" });
  await call("endSession");
  await call("startSession", { backlog: "carry", own_tree: true });
  expect(await titles()).toEqual(["Open the door: ready", "Close the file: ready"]);
  await report("SCOUT_OUTPUT", { proposals: [failed] });
  const { ticketId, runId } = await call("nextTicket");
  await call("failTicket", { ticketId, runId, reason: "too high" });
  await plan("src/close-the-file.ts");
  await call("endSession");

  const started = await call("startSession", { backlog: "carry" });
  expect(started.message).toContain("with 2 tickets that an earlier one had not done");
  expect((await call("advance")).phase).toBe("PLAN");
  expect((await titles()).map((title) => title.split(":")[0]).toSorted()).toEqual(["Close the file", "Open the door"]);
  const { runs } = await call("listRuns", { limit: 1 });
  expect(await call("replayRun", { run_id: runs[0].run_id })).toMatchObject({ equal: true, differences: [] });
});

it("waits for a session with its scope, and does not come where nothing says so or a person has cancelled", async () => {
  await begin({ backlog: "carry" });
  await call("endSession");
  await call("startSession");
  expect(await titles()).toEqual([]);
  await call("endSession");
  const elsewhere = await call("startSession", { backlog: "carry", scope: "docs/**" });
  expect(elsewhere.message).not.toContain("earlier");
  await call("endSession");
  await call("startSession", { backlog: "carry" });
  expect(await titles()).toHaveLength(proposals.length);
  await report("USER_OVERRIDE", { cancel: true });
  await call("endSession");
  await call("startSession", { backlog: "carry" });
  expect(await titles()).toEqual([]);
  expect(git("status", "--porcelain", "--", place("src"))).toBe("");
});
