/** Runs tasks with a model at the addresses of a kernel, one after the other, and scores them. */
// @boundaries-ignore the catalogue that the search is tested with
import { tools as ownTools } from "../../kernel/gen/tools.ts";
// @boundaries-ignore the catalogue that the search is tested with
import { otherTools } from "../../kernel/src/testing/tool-catalogue.ts";
import { type Run, runAgent } from "./agent.ts";
import type { ModelAddress } from "./model.ts";
import { type Reading, type Score, score } from "./score.ts";
import type { EvalTask, TaskGroup } from "./task.ts";
import { openWorld, relayedPrefix, type World } from "./world.ts";

/** A way to show tools, by the address of a task. */
export const offers = {
  "all tools": () => "/mcp",
  search: () => "/mcp?mode=search",
  "the task's own services": ({ group }: EvalTask) => `/mcp?services=${servicesOf[group]}`,
} as const;

export type Offer = keyof typeof offers;

const servicesOf: Readonly<Record<TaskGroup, string>> = {
  rules: "rules",
  inspector: "inspector",
  pob: "pob",
  loop: "loop",
  kernel: "connections,kernel",
  other: "connections",
};

interface Annotated {
  readonly name: string;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | undefined;
}

const isDestructive = ({ annotations: { readOnlyHint, destructiveHint } = {} }: Annotated): boolean =>
  readOnlyHint !== true && destructiveHint === true;

const catalogue: readonly Annotated[] = [...ownTools.map(({ tool }) => tool), ...otherTools];
const destructive = new Set(catalogue.filter(isDestructive).map(({ name }) => name));

export const reading: Reading = { prefix: relayedPrefix, isDestructive: (tool) => destructive.has(tool) };

export interface Evaluated {
  readonly task: EvalTask;
  readonly run: Run;
  readonly score: Score;
}

/** A fresh world for each: tasks change it. */
export const evaluate = async (
  tasks: readonly EvalTask[],
  { offer, model, world }: { readonly offer: Offer; readonly model: ModelAddress; readonly world?: World },
): Promise<readonly Evaluated[]> => {
  const own = world ?? (await openWorld());
  try {
    const results: Evaluated[] = [];
    for (const task of tasks) {
      const run = await runAgent({ at: new URL(offers[offer](task), own.origin), model }, task.ask);
      results.push({ task, run, score: score(task, run, reading) });
    }
    return results;
  } finally {
    if (world === undefined) await own.close();
  }
};
