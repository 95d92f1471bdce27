/**
 * A scenario in every order that its steps can come in: real code whose promises wait for the steps that the explorer chooses, played again from the
 * beginning for each order. For few actors: the orders grow as a factorial. Not here: what has to hold (the scenario's own judge).
 */

/** Resolves when the explorer comes to it. */
export type Step = () => Promise<void>;

/** Begins a play; what it gives is called when no step is left, and throws where something does not hold. */
type Play = (step: Step) => () => Promise<void> | void;

/** Resolves with the number of orders. */
export const inEveryOrder = async (begin: Play): Promise<number> => {
  const path: number[] = [];
  for (let orders = 1; ; orders += 1) {
    const open = await playOnce(begin, path);
    while (path.length > 0 && (path.at(-1) ?? 0) + 1 >= (open[path.length - 1] ?? 0)) path.pop();
    const last = path.pop();
    if (last === undefined) return orders;
    path.push(last + 1);
  }
};

/** Goes by the path, and by the first step of each choice beyond its end, which it adds; how many steps there were to choose from. */
const playOnce = async (begin: Play, path: number[]): Promise<readonly number[]> => {
  const waiting: (() => void)[] = [];
  const open: number[] = [];
  const judge = begin(() => new Promise((resolve) => waiting.push(resolve)));
  for (await settled(); waiting.length > 0; await settled()) {
    const at = open.push(waiting.length) - 1;
    path[at] ??= 0;
    for (const next of waiting.splice(path[at] ?? 0, 1)) next();
  }
  await judge();
  return open;
};

/** All that goes on without a step has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
