/** All tasks of the eval, those that this machine can do. */
import { spawnSync } from "node:child_process";
import type { EvalTask } from "./task.ts";
import { inspectorTasks } from "./tasks/inspector.ts";
import { kernelTasks } from "./tasks/kernel.ts";
import { loopTasks } from "./tasks/loop.ts";
import { otherTasks } from "./tasks/other.ts";
import { pobTasks } from "./tasks/pob.ts";
import { rulesTasks } from "./tasks/rules.ts";

export const allTasks: readonly EvalTask[] = [
  ...rulesTasks,
  ...inspectorTasks,
  ...pobTasks,
  ...loopTasks,
  ...kernelTasks,
  ...otherTasks,
];

export const hasLuajit = (): boolean => spawnSync("luajit", ["-v"]).status === 0;

/** Without those that need a program that is not here. */
export const possibleTasks = (): readonly EvalTask[] => {
  const luajit = hasLuajit();
  return allTasks.filter(({ needs }) => needs === undefined || luajit);
};
