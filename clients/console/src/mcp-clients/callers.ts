/** Who calls, by name and way, counted over calls that a page has seen. Pure. */
import type { LiveEvent } from "../api/live.ts";

interface CallerCount {
  readonly key: string;
  readonly principal: string;
  readonly transport: string;
  readonly calls: number;
  readonly failures: number;
  /** UTC, of the latest call. */
  readonly latest: string;
}

/** The busiest first. Principals come from tokens and identity providers: whatever they hold, it is text. */
export const countCallers = (calls: readonly LiveEvent[]): readonly CallerCount[] => {
  const found = new Map<string, CallerCount>();
  for (const { at, data } of calls) {
    const [principal, transport] = [String(data.principal ?? ""), String(data.transport ?? "")];
    const key = JSON.stringify([principal, transport]);
    const before = found.get(key);
    found.set(key, {
      key,
      principal,
      transport,
      calls: (before?.calls ?? 0) + 1,
      failures: (before?.failures ?? 0) + (data.outcome === "ok" ? 0 : 1),
      latest: at,
    });
  }
  return [...found.values()].toSorted((a, b) => b.calls - a.calls || (a.key < b.key ? -1 : 1));
};
