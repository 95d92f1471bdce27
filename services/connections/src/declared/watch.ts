/** Notices that a file which declares upstreams was written. Editors replace files, so that it is their folders which are watched. */
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import * as Effect from "effect/Effect";

/** Milliseconds of quiet after a change: an editor writes a file in several steps. */
const settledMs = 200;

/** Runs the work after each change of one of the files, one at a time, until the scope closes. What cannot be watched is left. */
export const watchFiles = Effect.fnUntraced(function* (paths: readonly string[], changed: () => Promise<void>) {
  let isChanged = false;
  let wake = (): void => undefined;
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const names = new Set(paths.filter((path) => dirname(path) === folder).map((path) => basename(path)));
    const note = (_: unknown, name: string | null): void => {
      if (name !== null && !names.has(name)) return;
      isChanged = true;
      wake();
    };
    const start = Effect.try({
      try: () => watch(folder, { persistent: false }, note).on("error", () => undefined),
      catch: (cause) => cause,
    });
    yield* Effect.ignore(Effect.acquireRelease(start, (watcher) => Effect.sync(() => watcher.close())));
  }
  const untilChanged = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void);
    if (isChanged) wake();
  });
  const look = Effect.promise(() => {
    isChanged = false;
    return changed();
  });
  yield* Effect.forkScoped(
    Effect.forever(untilChanged.pipe(Effect.andThen(Effect.sleep(settledMs)), Effect.andThen(look))),
  );
});
