/** The table of faults over a process, in both eras: state, event and error are what the row says, and it is back by itself. */
import { describe, it, type TestContext, vi } from "vitest";
import { calmTimes, watchfulTimes } from "./board.ts";
import { peerProgram } from "./peers/program.ts";
import { peerState, peerTools } from "./peers/tools.ts";
import { freshMark, marked, programOf } from "./processes.ts";
import { boardOf, deadlineOf, hearEvent, judgeCall } from "./stage.ts";
import { type CallFault, type ProgramFault, processCalling, processOpening } from "./table.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const badProgram = (fault: ProgramFault) =>
  fault === "missing" ? { command: "surely-not-there" } : peerProgram("bad", fault);

/** A program takes its time to start on a busy machine; one that never answers need not have much. */
const timesFor = ({ reason }: Outcome) => ({
  ...(reason === "silent" ? watchfulTimes : calmTimes),
  connectMs: reason === "timeout" ? 2_000 : 60_000,
  firstConnectMs: reason === "timeout" ? 2_000 : 60_000,
});

// They wait more than they work.
vi.setConfig({ maxConcurrency: 6 });

interface Outcome {
  readonly reason: string;
}

const eras = [
  { era: "legacy", peer: "v1" },
  { era: "modern", peer: "v2" },
] as const;

describe.concurrent.each(inLongTier ? eras : eras.slice(1))("over a process, $era", ({ era, peer }) => {
  const isTried = (_: unknown, at: number): boolean => inLongTier || at % 3 === 0;

  const connected = async (context: TestContext, outcome: Outcome = { reason: "" }) => {
    const mark = freshMark();
    const upstreams = { up: peerProgram(peer, "stdio", { MARK: mark }) };
    const board = await boardOf(context, { times: timesFor(outcome), upstreams });
    await board.becomes("up", "connected");
    return { board, mark };
  };

  it.for(processOpening.filter(isTried))("$fault while connecting: $state, $event, $reason", async (row, context) => {
    const { expect } = context;
    const upstreams = { up: { ...badProgram(row.fault), era } };
    const board = await boardOf(context, { times: timesFor(row), upstreams });
    await board.becomes("up", row.state);
    const { state, reason } = row;
    expect(await board.status("up")).toMatchObject({ state, tools: 0, lastError: { reason } });
    await hearEvent(context, row, { board, after: 0 });
    if (row.fault === "exit") expect((await board.status("up")).error).toContain("cannot find my configuration");
  });

  /** Begins a call and lets its program come to harm. */
  const harm: Readonly<Record<CallFault, string>> = {
    SIGKILL: "hang",
    SIGSTOP: "hang",
    die: "die",
    cut: "cut",
    drip: "drip",
  };

  it.for(processCalling.filter(isTried))(
    "$fault under a call: $state, $event, $reason; then another is there",
    async (row, context) => {
      const { expect } = context;
      const { board, mark } = await connected(context, row);
      expect(await board.status("up")).toMatchObject({ era, tools: peerTools(peerState()).length });
      const before = programOf(mark);
      const after = board.happened.length;
      const calling = board.call(`up__${harm[row.fault]}`, {}, deadlineOf(row));
      if (row.fault.startsWith("SIG")) {
        expect((await board.call("up__echo", { message: "it is there" })).ok).toBe(true);
        process.kill(before, row.fault);
      }
      judgeCall(context, row, { call: await calling, isHarmless: false });
      await hearEvent(context, row, { board, after });
      await board.becomes("up", "connected");
      expect(await board.call("up__echo", { message: "again" })).toMatchObject({ ok: true, text: "again" });
      await expect.poll(() => marked(mark)).not.toContain(before);
    },
  );

  it("tools that change: still connected, Quarantined and ToolsRefreshed, and a call is refused", async (context) => {
    const { expect } = context;
    const { board } = await connected(context);
    expect(await board.call("up__rewrite")).toMatchObject({ ok: true });
    await expect.poll(async () => (await board.status("up")).quarantined).toEqual(["echo"]);
    expect(await board.status("up")).toMatchObject({ state: "connected" });
    expect(board.happened).toContainEqual(expect.objectContaining({ type: "Quarantined", tools: ["echo"] }));
    await expect.poll(() => board.happened).toContainEqual(expect.objectContaining({ type: "ToolsRefreshed" }));
    const refused = { code: "failed_precondition", reason: "quarantined", retryable: false };
    expect(await board.call("up__echo")).toMatchObject({ ok: false, error: refused });
  });
});
