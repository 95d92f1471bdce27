/** How following a run ends: with it, by a signal, by Ctrl-C at the prompt, or with the kernel; and which answers it goes on from. */
import { ClientError } from "@fairlead/client";
import { expect, test } from "vitest";
import type { Context } from "../command/context.ts";
import { followRun } from "./follow-run.ts";
import type { RunView } from "./run-text.ts";

type RunClient = Parameters<typeof followRun>[1];

const run: RunView = {
  id: "1",
  procedure: "attic.clear",
  principal: "local",
  key: null,
  state: "running",
  attempt: 1,
  progress: null,
  log: [],
  question: null,
  output: null,
  error: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const question = { id: "sure-1", name: "sure", kind: "confirm", message: "Sure?", schema: {} } as const;
const waiting: RunView = { ...run, state: "waiting", question };
const done: RunView = { ...run, state: "done", output: 7 };

interface Following {
  readonly watch: () => AsyncIterable<RunView>;
  readonly prompt?: () => Promise<string>;
  /** What each answer is refused with; nothing is accepted. */
  readonly refusals?: (ClientError | undefined)[];
  readonly signal?: AbortSignal;
}

/** Follows with what a kernel and a terminal would do. */
const follow = async ({ watch, prompt, refusals = [], signal = new AbortController().signal }: Following) => {
  const said: string[] = [];
  const out: string[] = [];
  const client = {
    watchRun: watch,
    answerRun: async () => {
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
    },
  } as unknown as RunClient;
  const io = { signal, out: (text: string) => out.push(text), tty: { out: false }, prompt };
  const context = { io, json: false, say: (text: string) => said.push(text) } as unknown as Context;
  return { code: await followRun(context, client, "1"), said, out };
};

const refusal = (code: "already_exists" | "invalid_argument", reason?: string): ClientError =>
  new ClientError(
    { code, message: `${code}!`, retryable: false, ...(reason !== undefined && { reason }) },
    "kernel.answerRun",
  );

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("a signal, %s, ends it with %i", async (name, code) => {
  const controller = new AbortController();
  const watch = async function* () {
    yield run;
    controller.abort(name);
  };
  expect(await follow({ watch, signal: controller.signal })).toMatchObject({ code });
});

test("Ctrl-C at the prompt ends it with 130", async () => {
  const watch = async function* () {
    yield waiting;
  };
  const prompt = () => Promise.reject(Object.assign(new Error("Aborted with Ctrl+C"), { name: "AbortError" }));
  expect(await follow({ watch, prompt })).toMatchObject({ code: 130 });
});

test("a stream that ends before the run is an error", async () => {
  const watch = async function* () {
    yield run;
  };
  await expect(follow({ watch })).rejects.toThrow("the kernel ended before the run 1 did");
});

test("each line of the log is shown once, also lines of one moment and after the first ones have gone", async () => {
  const line = (text: string, at = "2026-01-01T00:00:00.000Z") => ({ at, text });
  const [a, b, c, d] = [line("a"), line("b"), line("b"), line("d", "2025-12-31T00:00:00.000Z")];
  const watch = async function* () {
    yield { ...run, log: [a, b] };
    yield { ...run, log: [a, b, c] };
    yield { ...run, log: [c, d] };
    yield { ...done, log: [c, d] };
  };
  const { said } = await follow({ watch });
  expect(said.filter((text) => /^[abcd]$/.test(text))).toEqual(["a", "b", "b", "d"]);
});

test("progress of a total of nothing is not a share", async () => {
  const watch = async function* () {
    yield { ...run, progress: { progress: 0, total: 0 } };
    yield done;
  };
  expect((await follow({ watch })).said).toContain("running, 0");
});

test("an answer after somebody else's is reported, and one that does not fit is asked for again", async () => {
  const watch = async function* () {
    yield waiting;
    yield done;
  };
  let prompts = 0;
  const prompt = async () => {
    prompts += 1;
    return "y";
  };
  const late = await follow({ watch, prompt, refusals: [refusal("already_exists", "answered")] });
  expect(late).toMatchObject({ code: 0, out: ["7"], said: expect.arrayContaining(["already_exists!"]) });
  expect(prompts).toBe(1);
  const unfit = await follow({ watch, prompt, refusals: [refusal("invalid_argument"), undefined] });
  expect(unfit).toMatchObject({ code: 0, said: expect.arrayContaining(["invalid_argument!"]) });
  expect(prompts).toBe(3);
});
