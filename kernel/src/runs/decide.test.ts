/** The state machine of a run against its laws, for any sequence of events. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, type RunEvent } from "./decide.ts";
import { findAnswer, isOver, mostLineLength, mostLines, newRun, type Run } from "./run.ts";

const error = { code: "unavailable", message: "gone", retryable: true } as const;
const start: Run = newRun({ id: "r", procedure: "notes.export", principal: { id: "ann", access: ["call"] }, now: 5 });

const questions = ["a-1", "a-2", "b-1"];
const event: fc.Arbitrary<RunEvent> = fc.oneof(
  fc.constant<RunEvent>({ type: "begin" }),
  fc.nat(100).map((progress): RunEvent => ({ type: "progress", progress: { progress } })),
  fc.string({ maxLength: 2_000 }).map((text): RunEvent => ({ type: "log", text })),
  fc.constantFrom(...questions).map(
    (id): RunEvent => ({
      type: "ask",
      question: { id, name: id.slice(0, 1), kind: "confirm", message: "sure?", schema: {} },
    }),
  ),
  fc
    .constantFrom(...questions)
    .map((question): RunEvent => ({ type: "answer", question, answer: { action: "accept" } })),
  fc.constant<RunEvent>({ type: "succeed", output: 1 }),
  fc
    .option(fc.nat(100), { nil: undefined })
    .map((due): RunEvent => ({ type: "fail", error, ...(due !== undefined && { due }) })),
  fc.constant<RunEvent>({ type: "cancel" }),
  fc.constantFrom<RunEvent>({ type: "interrupt" }, { type: "interrupt", error }),
  fc.constant<RunEvent>({ type: "resume" }),
);
const history = fc.array(fc.record({ event, at: fc.nat(1_000) }), { maxLength: 60 });

/** Each run on the way, with the event that was tried on it and its result. */
const steps = (events: readonly { readonly event: RunEvent; readonly at: number }[]) => {
  let run = start;
  return events.map(({ event, at }) => {
    const before = run;
    const result = decide(before, event, at);
    if (typeof result !== "string") run = result;
    return { before, event, result };
  });
};

const holds = (law: (step: ReturnType<typeof steps>[number]) => void): void =>
  fc.assert(fc.property(history, (events) => steps(events).forEach(law)));

const at = (...events: readonly RunEvent[]): Run =>
  events.reduce((run, event) => {
    const next = decide(run, event, 10);
    if (typeof next === "string") throw new Error(`${event.type} in ${run.state.tag}: ${next}`);
    return next;
  }, start);

const ask = {
  type: "ask",
  question: { id: "a-1", name: "a", kind: "confirm", message: "sure?", schema: {} },
} as const satisfies RunEvent;

describe("any sequence of events", () => {
  it("leaves a run that has ended as it is, but for its resumption", () => {
    holds(({ before, event, result }) => {
      if (!isOver(before)) return;
      const isResumed = event.type === "resume" && before.state.tag !== "done";
      expect(typeof result === "string").toBe(!isResumed);
    });
  });

  it("counts each change and never turns back the time or the attempts", () => {
    holds(({ before, event, result }) => {
      if (typeof result === "string") return;
      expect(result.version).toBe(before.version + 1);
      expect(result.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
      expect(result.attempt).toBe(before.attempt + (event.type === "begin" ? 1 : 0));
      if (event.type === "resume") expect(result.attemptsBefore).toBe(before.attempt);
    });
  });

  it("takes one answer to each question, and keeps it", () => {
    holds(({ before, event, result }) => {
      if (typeof result === "string") return;
      expect(result.answers).toMatchObject(before.answers);
      if (event.type === "answer") expect(before.answers).not.toHaveProperty(event.question);
      else expect(result.answers).toEqual(before.answers);
    });
  });

  it("keeps the log bounded", () => {
    holds(({ result }) => {
      if (typeof result === "string") return;
      expect(result.log.length).toBeLessThanOrEqual(mostLines);
      expect(result.log.every(({ text }) => text.length <= mostLineLength)).toBe(true);
    });
  });

  it("lets only an attempt that is at work report anything", () => {
    holds(({ before: { state }, event, result }) => {
      if (!["progress", "log", "succeed", "fail"].includes(event.type)) return;
      const isActive = state.tag === "running" || (state.tag === "waiting" && state.attached);
      expect(typeof result !== "string").toBe(isActive);
    });
  });
});

describe("one run", () => {
  it("goes on with its attempt once it is answered", () => {
    const answered = at({ type: "begin" }, ask, { type: "answer", question: "a-1", answer: { action: "decline" } });
    expect(answered).toMatchObject({ state: { tag: "running" }, answers: { "a-1": { action: "decline" } } });
    expect(decide(answered, { type: "answer", question: "a-1", answer: { action: "accept" } }, 1)).toBe("answered");
    expect(decide(answered, { type: "answer", question: "b-1", answer: { action: "accept" } }, 1)).toBe("not_asked");
  });

  it("keeps no answer for a question in other words", () => {
    const answered = at({ type: "begin" }, ask, { type: "answer", question: "a-1", answer: { action: "accept" } });
    expect(findAnswer(answered.answers, ask.question)).toEqual({ action: "accept" });
    const other = { ...ask.question, message: "Delete 3,000?" };
    expect(findAnswer(answered.answers, other)).toBeUndefined();
    const again = decide(answered, { ...ask, question: other }, 1);
    expect(again).toMatchObject({ state: { tag: "waiting" }, answers: {} });
  });

  it("asks a declined form again when it is resumed, and keeps a no", () => {
    const form = { ...ask, question: { ...ask.question, id: "f-1", kind: "form" } } as const;
    const no = { type: "answer", question: "a-1", answer: { action: "decline" } } as const;
    const declined = { ...no, question: "f-1" } as const;
    const resumed = at({ type: "begin" }, ask, no, form, declined, { type: "fail", error }, { type: "resume" });
    expect(findAnswer(resumed.answers, ask.question)).toEqual({ action: "decline" });
    expect(findAnswer(resumed.answers, form.question)).toBeUndefined();
  });

  it("waits through a restart, and is queued by the answer", () => {
    const waiting = at({ type: "begin" }, ask, { type: "interrupt" });
    expect(waiting.state).toMatchObject({ tag: "waiting", attached: false });
    const answered = decide(waiting, { type: "answer", question: "a-1", answer: { action: "accept" } }, 1);
    expect(answered).toMatchObject({ state: { tag: "queued", due: 0 } });
  });

  it("is queued again by a restart where it may be resumed, and fails where it may not", () => {
    expect(at({ type: "begin" }, { type: "interrupt" }).state).toEqual({ tag: "queued", due: 0 });
    expect(at({ type: "begin" }, { type: "interrupt", error }).state).toEqual({ tag: "failed", error });
    expect(decide(start, { type: "interrupt", error }, 1)).toBe("not_running");
  });

  it("says why it cannot be resumed", () => {
    expect(decide(start, { type: "resume" }, 1)).toBe("not_over");
    expect(decide(at({ type: "begin" }, { type: "succeed", output: 1 }), { type: "resume" }, 1)).toBe("not_over");
  });
});
