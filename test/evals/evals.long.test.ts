/** The eval from end to end: the scripted model does every task, with all tools and with a search for them, and models that err are found out. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeBrains, rightModel } from "./brains.ts";
import type { ModelAddress } from "./model.ts";
import { type Evaluated, evaluate, type Offer } from "./run.ts";
import { type Summary, summarize } from "./score.ts";
import { type StandIn, serveModel } from "./stand-in.ts";
import { allTasks, possibleTasks } from "./tasks.ts";
import { openWorld } from "./world.ts";

const tasks = possibleTasks();
let standIn: StandIn;

beforeAll(async () => {
  standIn = await serveModel(makeBrains(allTasks));
});

afterAll(() => standIn.close());

const at = (model: string): ModelAddress => ({ url: standIn.url, key: "none", model });

const notDone = (results: readonly Evaluated[]): readonly unknown[] =>
  results.filter(({ score }) => !score.done).map(({ task, run, score }) => ({ task: task.id, run: run.calls, score }));

const play = (offer: Offer): Promise<readonly Evaluated[]> => evaluate(tasks, { offer, model: at(rightModel) });

test("every task can be done with all 500 tools", async () => {
  const results = await play("all tools");
  expect(notDone(results)).toEqual([]);
  const { definitions, tokensPerDone } = summarize(results.map(({ score }) => score));
  expect(results[0]?.run.tools.length).toBeGreaterThanOrEqual(500);
  expect(tokensPerDone).toBeGreaterThan(definitions);
});

test("where tools are searched, nine searches in ten find the tool among the first five, at a twentieth of the tokens", async () => {
  const summary = summarize((await play("search")).map(({ score }) => score));
  expect(summary.recall).toBeGreaterThanOrEqual(0.9);
  expect(summary.done / summary.tasks).toBeGreaterThanOrEqual(0.85);
  expect(summary.tokensPerDone).toBeLessThan(1_500);
});

test("a model that errs loses what it erred in", async () => {
  const chosen = new Set(["two-dice", "chance-to-hit", "life", "kinds", "one-link", "sneak"]);
  const sample = tasks.filter(({ id }) => chosen.has(id));
  const world = await openWorld();
  const expectScore = async (model: string, wanted: Partial<Summary>): Promise<void> => {
    const results = await evaluate(sample, { offer: "all tools", model: at(`replay-${model}`), world });
    const summary = summarize(results.map(({ score }) => score));
    expect(
      summary,
      JSON.stringify(results.map(({ run: { calls, said }, score }) => ({ score, calls, said }))),
    ).toMatchObject(wanted);
  };
  try {
    await expectScore("right", { done: sample.length, called: 1, kept: 1, answered: 1 });
    await expectScore("silent", { done: 0, called: 0, kept: 1, answered: 0 });
    await expectScore("astray", { done: 0, called: 0, kept: 1, answered: 0 });
    await expectScore("careless", { done: 0, called: 1, kept: 0, answered: 1 });
    await expectScore("mute", { done: 0, called: 1, kept: 1, answered: 0 });
    await expectScore("sloppy", { done: 0, called: 0, kept: 1, answered: 0 });
    await expectScore("endless", { done: 0, called: 0, answered: 0, callsPerTask: 16 });
  } finally {
    await world.close();
  }
});
