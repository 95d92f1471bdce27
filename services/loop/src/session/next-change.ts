/** Resolves with the session's next change that this process makes, or once the signal fires. Ask for it before looking at the state. */
import type { Project } from "./project.ts";

export const nextChange = (project: Project, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const stop = project.onChange(done);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
