/** The processes of scripted agents whose script lies beside a file of calls. Linux only: elsewhere none is found. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export const findAgents = (calls: string): readonly number[] => {
  if (!existsSync("/proc")) return [];
  const script = `${dirname(calls)}/script.json`;
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      // The driver has the agent's command line as one word of its own.
      return words.includes(script) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
};
