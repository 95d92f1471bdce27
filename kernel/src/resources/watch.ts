/** A resource that is followed, as a stream of times: when that begins, and when it may have changed. Not here: how that is known (`follow.ts`). */
import { throttle } from "../call/throttle.ts";
import type { FoundResource } from "./address.ts";
import { followResource } from "./follow.ts";
import type { ResourceSource } from "./resources.ts";

/** Milliseconds between two of them. */
const apartMs = 250;

/** Ends with the signal, and when its reader leaves. Changes that come before the reader asks for the next are one. */
export async function* watchResource(
  source: Pick<ResourceSource, "dispatch" | "terms">,
  found: FoundResource,
  signal: AbortSignal,
): AsyncGenerator<Date> {
  const left = new AbortController();
  const end = AbortSignal.any([signal, left.signal]);
  let latest: Date | undefined;
  let wake = Promise.withResolvers<void>();
  end.addEventListener("abort", () => wake.resolve(), { once: true });
  const notices = throttle(apartMs, () => {
    latest = new Date();
    wake.resolve();
  });
  void followResource(source, found, { signal: end, changed: notices.now, begun: notices.now });
  try {
    while (!end.aborted) {
      if (latest === undefined) await wake.promise;
      wake = Promise.withResolvers();
      if (end.aborted) return;
      const at = latest;
      latest = undefined;
      if (at !== undefined) yield at;
    }
  } finally {
    left.abort();
    notices.stop();
  }
}
