/**
 * `npm run evals`: runs the tasks and prints a table of scores. Without more, with the scripted models, which need no network: `replay-right` shows what
 * each way to list tools costs, the others that the score falls when a model errs. `--model <name>` asks a real model by `ANTHROPIC_API_KEY` (at
 * `ANTHROPIC_BASE_URL`, when it is set); `--tools all|search|own` is one way alone, `--task <id>` one task, which may be given again.
 */
import { parseArgs } from "node:util";
import { makeBrains, rightModel } from "./brains.ts";
import type { ModelAddress } from "./model.ts";
import { type Row, toTable } from "./report.ts";
import { type Evaluated, evaluate, type Offer } from "./run.ts";
import { summarize } from "./score.ts";
import { serveModel } from "./stand-in.ts";
import { possibleTasks } from "./tasks.ts";
import { openWorld } from "./world.ts";

const offersByWord: Readonly<Record<string, Offer>> = {
  all: "all tools",
  search: "search",
  own: "the task's own services",
};

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    tools: { type: "string" },
    task: { type: "string", multiple: true },
  },
});

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  return process.exit(2);
};

const chosenOffers = (): readonly Offer[] => {
  if (values.tools === undefined) return Object.values(offersByWord);
  const offer = offersByWord[values.tools] ?? fail(`--tools is one of ${Object.keys(offersByWord).join(", ")}`);
  return [offer];
};

const chosenTasks = () => {
  const tasks = possibleTasks();
  const unknown = values.task?.find((id) => tasks.every((task) => task.id !== id));
  if (unknown !== undefined) return fail(`there is no task ${unknown}`);
  return values.task === undefined ? tasks : tasks.filter(({ id }) => values.task?.includes(id));
};

const realModel = (model: string): ModelAddress => {
  const { ANTHROPIC_API_KEY: key = "", ANTHROPIC_BASE_URL: url = "https://api.anthropic.com" } = process.env;
  return key === "" ? fail(`set ANTHROPIC_API_KEY to ask ${model}`) : { url, key, model };
};

/** One line for each task that was not done, on stderr. */
const explain = (results: readonly Evaluated[]): void => {
  for (const { task, run, score } of results) {
    if (score.done) continue;
    const calls = run.calls.map(({ tool, failed }) => (failed ? `${tool} (failed)` : tool)).join(", ");
    process.stderr.write(`${task.id}: ${JSON.stringify({ ...score, tokens: undefined })}; calls: ${calls}\n`);
  }
};

const tasks = chosenTasks();
const rows: Row[] = [];

const add = (model: string, offer: string, results: readonly Evaluated[]): void => {
  rows.push({ model, offer, summary: summarize(results.map(({ score }) => score)) });
};

if (values.model !== undefined) {
  const model = realModel(values.model);
  for (const offer of chosenOffers()) {
    const results = await evaluate(tasks, { offer, model });
    explain(results);
    add(model.model, offer, results);
  }
} else {
  const brains = makeBrains(tasks);
  const standIn = await serveModel(brains);
  const at = (model: string): ModelAddress => ({ url: standIn.url, key: "none", model });
  for (const offer of chosenOffers()) {
    const results = await evaluate(tasks, { offer, model: at(rightModel) });
    explain(results);
    add(rightModel, offer, results);
  }
  // Of the tasks whose call wants an argument, so that one without is wrong.
  const telling = tasks.filter(({ script, expect: [first] }) => script.length === 1 && first?.where !== undefined);
  const sample = telling.filter((_, index) => index % 3 === 0);
  const world = await openWorld();
  for (const model of Object.keys(brains).filter((name) => name !== rightModel))
    add(
      model,
      `all tools, ${sample.length} tasks`,
      await evaluate(sample, { offer: "all tools", model: at(model), world }),
    );
  await world.close();
  await standIn.close();
}
process.stdout.write(`${toTable(rows)}\n`);
