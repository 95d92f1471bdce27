/** Calls that ask: who may come back to them, what is answered, and when they are given up. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Question, Reply } from "../../call/call.ts";
import { type Round, type RoundCall, type RoundClient, Rounds } from "./rounds.ts";

const question = (name: string): Question => ({ method: "elicitation/create", params: { message: name } });
const client = (more: Partial<RoundClient> = {}): RoundClient => ({
  owner: "me tool",
  signals: [new AbortController().signal],
  ...more,
});
const answered = (value: unknown): Reply => ({ ok: true, value });

const asks = (round: Round | undefined): Extract<Round, { kind: "asks" }> => {
  if (round?.kind !== "asks") throw new Error(`not a question: ${JSON.stringify(round)}`);
  return round;
};

afterEach(() => {
  vi.useRealTimers();
});

describe("rounds", () => {
  it("a call that asks nothing replies at once", async () => {
    expect(await new Rounds().begin(async () => answered(1), client())).toEqual({ kind: "reply", reply: answered(1) });
  });

  it("questions of one turn go out together, later ones in the next round", async () => {
    const rounds = new Rounds();
    const run = async ({ ask }: RoundCall): Promise<Reply> => {
      const both = await Promise.all([ask(question("a")), ask(question("b"))]);
      return answered([...both, await ask(question("c"))]);
    };
    const first = asks(await rounds.begin(run, client()));
    expect(Object.values(first.questions)).toEqual([question("a"), question("b")]);
    const [a = "", b = ""] = Object.keys(first.questions);
    const half = asks(await rounds.resume(first.state, { [a]: 1, other: 9 }, client()));
    expect(Object.keys(half.questions)).toEqual([b]);
    const second = asks(await rounds.resume(half.state, { [b]: 2 }, client()));
    const [c = ""] = Object.keys(second.questions);
    expect(await rounds.resume(second.state, { [c]: 3 }, client())).toEqual({
      kind: "reply",
      reply: answered([1, 2, 3]),
    });
  });

  it("no other caller comes back to it, and none twice", async () => {
    const rounds = new Rounds();
    const run = async ({ ask }: RoundCall): Promise<Reply> => answered(await ask(question("a")));
    const { state, questions } = asks(await rounds.begin(run, client()));
    const [key = ""] = Object.keys(questions);
    expect(rounds.resume(state, { [key]: 1 }, client({ owner: "somebody tool" }))).toBeUndefined();
    expect(rounds.resume("made-up", { [key]: 1 }, client())).toBeUndefined();
    expect(await rounds.resume(state, { [key]: 1 }, client())).toEqual({ kind: "reply", reply: answered(1) });
    expect(rounds.resume(state, { [key]: 1 }, client())).toBeUndefined();
  });

  it("a client that gives up in a round cancels the call", async () => {
    const stop = new AbortController();
    const run = ({ signal }: RoundCall): Promise<Reply> =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(answered(signal.reason)));
        stop.abort("enough");
      });
    const round = new Rounds().begin(run, client({ signals: [new AbortController().signal, stop.signal] }));
    expect(await round).toEqual({ kind: "reply", reply: answered("enough") });
  });

  it.each([
    ["that no caller comes back to", (_: Rounds) => vi.advanceTimersByTimeAsync(11 * 60_000)],
    ["when the server closes", async (rounds: Rounds) => rounds.close()],
  ])("a call %s is given up", async (_, end) => {
    vi.useFakeTimers();
    const rounds = new Rounds();
    const ended = vi.fn();
    const run = async ({ ask }: RoundCall): Promise<Reply> => {
      await ask(question("a")).catch(ended);
      return answered(1);
    };
    const { state } = asks(await rounds.begin(run, client()));
    await end(rounds);
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: "canceled" }));
    expect(rounds.resume(state, {}, client())).toBeUndefined();
  });
});
