/**
 * Pace: runs something at once when asked, but at most once in a span; whatever is asked for meanwhile is one run at its end.
 */

interface Throttle {
  /** Asks for a run. */
  now(): void;
  /** Forgets a run that is waiting. */
  stop(): void;
}

export const throttle = (spanMs: number, run: () => void): Throttle => {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const go = (): void => {
    again = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) go();
    }, spanMs).unref();
    run();
  };
  return {
    now: () => {
      if (timer === undefined) go();
      else again = true;
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      again = false;
    },
  };
};
