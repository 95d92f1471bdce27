/** `--watch` of a verb, and one that always watches: follows its subscription, as a live view on a terminal and as lines elsewhere. */
import { createClient } from "@fairlead/client";
import type { VerbWatch } from "@fairlead/contracts";
import { fillInput } from "@fairlead/contracts/view";
import { showLive } from "../terminal/live-view.ts";
import type { VerbRun } from "./steps.ts";
import { renderView } from "./view.ts";

interface AnyStream {
  readonly run: {
    readonly kind: "subscription";
    readonly input: unknown;
    readonly output: unknown;
    readonly errors: Record<never, never>;
  };
}

interface WatchOptions {
  readonly watch: VerbWatch;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The verb's result as it is now, for a live view; without it there are only lines. */
  readonly draw?: () => Promise<string>;
}

/**
 * Resolves once it is subscribed, so that no event is missed while the result is printed. The function it gives shows the events until it
 * is interrupted or the kernel ends.
 */
export const startWatch = async (
  { context, kernel, verb }: VerbRun,
  { watch, variables, draw }: WatchOptions,
): Promise<() => Promise<void>> => {
  const { io, json } = context;
  const { signal } = io;
  const descriptor = { ...(await kernel.procedure(`${verb.service}.${watch.call}`)), kind: "subscription" } as const;
  const client = createClient<AnyStream>({ id: verb.service, procedures: { run: descriptor } }, kernel.transport);
  const input = fillInput({ variables, value: undefined }, watch.input ?? {});
  const events = client.run(input, { signal })[Symbol.asyncIterator]();
  for (let skipped = 0; skipped < (watch.skip ?? 0); skipped += 1) await events.next();
  const lines = async function* (): AsyncGenerator<string> {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      const line = json ? JSON.stringify(next.value) : renderView({ variables, value: next.value }, watch.show);
      if (line !== undefined) yield line;
    }
  };
  return async () => {
    try {
      if (draw !== undefined && io.tty.out && !json) await showLive(io, { draw, events: lines() });
      else for await (const line of lines()) io.out(line);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
};
