/** A person beside the agent: a session is paused, resumed, answered, followed; and money and tokens as budgets. */
import { describe, expect, it } from "vitest";
import { nextChange } from "../session/next-change.ts";
import { openProject } from "../testing/agent/drive.ts";
import { call, ownTreeKernel, proposals, report, useOwnTree } from "../testing/own-tree.ts";
import { randomIds } from "../value/random-id.ts";
import { followSession } from "./follow-session.ts";
import { waitFor } from "./pause-session.ts";

const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

describe("a paused session", () => {
  it("hands out no prompt and uses no step until it is resumed, also after a restart", async () => {
    const { run_id } = await ownTreeKernel().scout(proposals);
    await call("pauseSession", { reason: "a look at it" });
    const before = await call("sessionStatus");
    expect(before.paused).toEqual({ by: "person", text: "a look at it" });
    expect(await call("advance")).toMatchObject({
      next_action: "WAIT",
      prompt: null,
      reason: expect.stringContaining("fairlead session resume"),
    });
    await ownTreeKernel().restart({}, randomIds);
    expect(await call("advance")).toMatchObject({ next_action: "WAIT", digest: { step: before.stepCount } });
    expect(await call("resumeSession")).toMatchObject({ message: "the session goes on" });
    expect(await call("advance")).toMatchObject({ next_action: "PROMPT", phase: "PLAN" });
    await expect(call("resumeSession")).rejects.toMatchObject({ reason: "not_paused" });
    expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
  });

  if (inLongTier) {
    it("takes what is reported meanwhile, and is the same for a repeat", async () => {
      await ownTreeKernel().scout(proposals);
      await call("advance");
      const event_id = "evt_00000000aaaa";
      const paused = await call("pauseSession", { event_id });
      expect(await report("PLAN_SUBMITTED", { files: ["src/open-the-door.ts"], risk_level: "low" })).toMatchObject({
        processed: true,
      });
      expect(await call("pauseSession", { event_id })).toEqual(paused);
      await call("resumeSession", { event_id: "evt_00000000aaab" });
      expect(await call("resumeSession", { event_id: "evt_00000000aaab" })).toMatchObject({
        message: "the session goes on",
      });
    });

    it("is ended by a person as any other", async () => {
      await ownTreeKernel().scout(proposals);
      await call("pauseSession");
      expect(await report("USER_OVERRIDE", { cancel: true })).toMatchObject({ new_phase: "DONE" });
      expect(await call("advance")).toMatchObject({ next_action: "STOP" });
    });
  }
});

it("an answer is in the prompts that follow its question", async () => {
  const project = openProject(ownTreeKernel().repository.path);
  await ownTreeKernel().scout(proposals);
  await call("endSession");
  project.close();
  await ownTreeKernel().scout([{ ...proposals[0], title: "Rename the window" }]);
  await call("pauseSession", { reason: "x" });
  await call("resumeSession", { answer: "keep the old name as an alias" });
  expect((await call("advance")).prompt).toContain("keep the old name as an alias");
});

it("a follower gets each line once, in order, until the session has ended", async () => {
  const own = ownTreeKernel().repository.path;
  await ownTreeKernel().scout(proposals);
  await ownTreeKernel().restart();
  const project = openProject(own);
  const signal = new AbortController().signal;
  const seen: [number, string][] = [];
  const following = (async () => {
    for await (const { seq, type } of followSession(project, { after: 0 }, signal)) seen.push([seq, type]);
  })();
  await waitFor(project, { by: "agent", text: "which name?" });
  await nextChangeAfter(project, () => project.send({ type: "SESSION_RESUMED", payload: { answer: "a" } }, () => null));
  await project.send({ type: "SESSION_END", payload: {} }, () => null);
  await following;
  expect(seen.map(([seq]) => seq)).toEqual(seen.map((_, index) => index + 1));
  expect(seen.map(([, type]) => type)).toEqual(
    expect.arrayContaining(["SESSION_START", "SESSION_PAUSED", "SESSION_RESUMED", "SESSION_END"]),
  );
  project.close();
});

const nextChangeAfter = async (project: Parameters<typeof nextChange>[0], act: () => Promise<unknown>) => {
  const changed = nextChange(project, new AbortController().signal);
  await act();
  await changed;
};

describe("a budget of money and tokens", () => {
  const used = (cost_usd: number, tokens: number) =>
    report("USER_OVERRIDE", { hint: "look", usage: { cost_usd, input_tokens: tokens, output_tokens: 0 } });

  it.each([
    ["max_cost_usd", { max_cost_usd: 2 }, [1.6, 0.4]],
    ["max_tokens", { max_tokens: 2_000 }, [1.6, 0.4]],
  ])("%s stops the session once it is used up, and warns before", async (name, settings, [first = 0, second = 0]) => {
    await ownTreeKernel().scout(proposals, settings);
    await used(first, first * 1_000);
    expect((await call("sessionStatus")).budget_warnings).toEqual([expect.stringContaining(name)]);
    expect(await call("advance")).toMatchObject({ next_action: "PROMPT" });
    await used(second, second * 1_000);
    expect(await call("advance")).toMatchObject({
      next_action: "STOP",
      phase: "FAILED_BUDGET",
      reason: expect.stringContaining(name),
    });
  });

  if (inLongTier) {
    it("is forecast from the tickets that are closed", async () => {
      const { run_id } = await ownTreeKernel().scout(proposals);
      expect((await call("sessionStatus")).forecast).toBeNull();
      const { ticketId } = await call("nextTicket");
      await used(3, 900);
      await call("failTicket", { ticketId, runId: run_id, reason: "too large" });
      expect((await call("sessionStatus")).forecast).toEqual({
        cost_per_ticket_usd: 3,
        tokens_per_ticket: 900,
        tickets_left: 1,
        total_cost_usd: 6,
        total_tokens: 1_800,
      });
    });
  }
});
