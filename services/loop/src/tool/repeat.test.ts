/**
 * Calls that are sent again because their answer was lost: the server is stopped after the commit, another one is started, and the
 * same call comes with the same id. It must be answered the same, and the log must not grow.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryRepository } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";
import { LoopTestKernel, type ToolReply } from "../testing/test-kernel.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let testKernel: LoopTestKernel;
const call: LoopTestKernel["call"] = (name, input) => testKernel.call(name, input);

beforeEach(() => {
  testKernel = new LoopTestKernel();
});
afterEach(() => testKernel.close());

const event_id = "evt_0123456789ab";
/** Ids of a later server; the first one's would come again. */
const laterIds = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return `z${count.toString(36).padStart(11, "0")}`;
  };
};

const events = async (): Promise<number> => {
  const { runs } = await call("listRuns");
  return runs.reduce((sum: number, run: ToolReply) => sum + run.events, 0);
};

const file = "src/close-the-file.ts";

const toExecute = async (): Promise<ToolReply> => {
  const proposals = [sampleProposal("Close the file", { verification_commands: ["make", "make all"] })];
  const { run_id } = await testKernel.scout(proposals);
  const { ticketId } = await call("nextTicket");
  const payload = { ticket_id: ticketId, files: [file], risk_level: "low" };
  await call("ingestEvent", { type: "PLAN_SUBMITTED", payload });
  testKernel.repository.write(file, "closed\n");
  return { ticketId, runId: run_id };
};

type Send = () => Promise<ToolReply>;

/** Brings the session to where the call makes sense, and gives the call. */
const calls: Readonly<Record<string, () => Promise<Send>>> = {
  startSession: async () => () => call("startSession", { event_id, step_budget: 7 }),
  advance: async () => {
    await call("startSession");
    return () => call("advance", { event_id });
  },
  ingestEvent: async () => {
    await call("startSession");
    const payload = { proposals: [sampleProposal("Close the file")] };
    return () => call("ingestEvent", { type: "SCOUT_OUTPUT", payload, event_id });
  },
  nudge: async () => {
    await call("startSession");
    return () => call("nudge", { hint: "the parser", event_id });
  },
  "completeTicket, passed": async () => {
    const ids = await toExecute();
    return () => call("completeTicket", { ...ids, event_id });
  },
  "completeTicket, failed": async () => {
    const ids = await toExecute();
    testKernel.repository.write("broken", "");
    testKernel.repository.git("add", "broken");
    testKernel.repository.git("rm", "--quiet", "--cached", "broken");
    testKernel.repository.write(".git/info/exclude", "broken\n");
    return () => call("completeTicket", { ...ids, event_id });
  },
  "completeTicket, refused": async () => {
    const ids = await toExecute();
    testKernel.repository.write("src/sneaky.ts", "");
    return () => call("completeTicket", { ...ids, event_id });
  },
  failTicket: async () => {
    const ids = await toExecute();
    return () => call("failTicket", { ...ids, reason: "too hard", event_id });
  },
  endSession: async () => {
    await call("startSession");
    return () => call("endSession", { event_id });
  },
  "nextTicket, which needs no id": async () => {
    await testKernel.scout([sampleProposal("Close the file"), sampleProposal("Open the door")]);
    return () => call("nextTicket");
  },
};

const withoutTime = (answer: ToolReply): ToolReply => ({ ...answer, digest: null });

describe("a call that is sent again after a crash", () => {
  it.each(Object.entries(calls).filter((_, at) => inLongTier || at % 4 === 0))(
    "is applied once and answered the same: %s",
    async (_name, prepare) => {
      const send = await prepare();
      const first = await send();
      const before = await events();
      await testKernel.restart({}, laterIds());
      expect(withoutTime(await send())).toEqual(withoutTime(first));
      expect(withoutTime(await send())).toEqual(withoutTime(first));
      expect(await events()).toBe(before);
      const [{ run_id }] = (await call("listRuns")).runs;
      expect(await call("replayRun", { run_id })).toMatchObject({ equal: true });
    },
  );

  if (inLongTier) {
    it("sets a branch up once", async () => {
      await testKernel.scout([sampleProposal("Close the file")], { direct: false });
      const { ticketId } = await call("nextTicket");
      const { branchName } = await call("gitSetup", { ticketId });
      await testKernel.restart({}, laterIds());
      expect(await call("gitSetup", { ticketId })).toMatchObject({ branchName });
      expect(testKernel.repository.git("branch", "--list", "promptwheel/*").trim().split("\n")).toHaveLength(1);
    });
  }

  it("is known as the last session's when another one has begun since", async () => {
    await call("startSession");
    const first = await call("endSession", { event_id });
    await call("startSession");
    expect(await call("endSession", { event_id })).toEqual(first);
    expect((await call("sessionStatus")).phase).toBe("SCOUT");
  });

  if (inLongTier) {
    it("says what became of the ticket when it had no id", async () => {
      const ids = await toExecute();
      await call("completeTicket", ids);
      const refusal = { message: expect.stringContaining("it is done") };
      await expect(call("completeTicket", ids)).rejects.toMatchObject(refusal);
      await expect(call("failTicket", { ...ids, reason: "x" })).rejects.toMatchObject(refusal);
    });
  }
});

describe("an id that was used for something else", () => {
  const refusal = { code: "invalid_argument", issues: [{ path: "event_id" }] };

  it("is refused, whatever tool it comes to", async () => {
    const { ticketId, runId } = await toExecute();
    await call("nudge", { hint: "the parser", event_id });
    for (const [name, input] of [
      ["startSession", {}],
      ["advance", {}],
      ["nudge", { hint: "the lexer" }],
      ["ingestEvent", { type: "QA_PASSED", payload: {} }],
      ["completeTicket", { ticketId, runId }],
      ["failTicket", { ticketId, runId, reason: "x" }],
      ["endSession", {}],
    ] as const)
      await expect(call(name, { ...input, event_id }), name).rejects.toMatchObject(refusal);
    expect((await call("sessionStatus")).pending_hints).toEqual(["the parser"]);
  });

  if (inLongTier) {
    it("is one project's own", async () => {
      const other = temporaryRepository();
      await testKernel.restart({ projects: { one: testKernel.repository.path, two: other.path } });
      await call("startSession", { event_id });
      await call("startSession", { project: "two", event_id });
      expect((await call("sessionStatus", { project: "two" })).phase).toBe("SCOUT");
      other.remove();
    });
  }
});
