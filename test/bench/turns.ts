/** Measures calls of several contenders in turns, so that what else the machine does is shared by all of them. */
import { median } from "./upstreams.ts";

export interface Contender {
  readonly name: string;
  readonly once: () => Promise<void>;
  /** Milliseconds of CPU so far, of whoever is measured. */
  readonly cpu: () => number;
}

export interface Figures {
  readonly name: string;
  /** Median of all calls, milliseconds. */
  readonly p50: number;
  /** Microseconds a call, the median of the turns. */
  readonly cpu: number;
}

const turns = 9;
const calls = 400;

/** The first turn pays for what is compiled, and does not count. */
export const inTurns = async (contenders: readonly Contender[]): Promise<readonly Figures[]> => {
  const rows = contenders.map((contender) => ({ ...contender, times: [] as number[], costs: [] as number[] }));
  for (let turn = 0; turn <= turns; turn += 1) {
    for (const { once, cpu, times, costs } of rows) {
      const before = cpu();
      for (let at = 0; at < calls; at += 1) {
        const began = performance.now();
        await once();
        if (turn > 0) times.push(performance.now() - began);
      }
      if (turn > 0) costs.push(((cpu() - before) / calls) * 1_000);
    }
  }
  return rows.map(({ name, times, costs }) => ({ name, p50: median(times), cpu: median(costs) }));
};
