/**
 * The stream of an admitted subscription: every event checked against the contract, failures turned into the one error model,
 * the handler ended when either side is done.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import { ambientCall } from "../call/ambient.ts";
import type { StreamItem } from "../call/call.ts";
import type { AnyHandler } from "../service/handler.ts";
import { isTracked } from "../service/handler.ts";
import type { ActiveCall } from "./active-call.ts";
import { openEvents } from "./run.ts";

/**
 * The events of a subscription. Ending the iteration, or the call's scope, ends the handler. A failure is thrown as a
 * `FairleadError`. `finish` is called once, however it ends.
 */
export const openStream = (
  call: ActiveCall,
  handler: AnyHandler,
  finish: (error: WireError | undefined) => void,
): AsyncIterable<StreamItem> => {
  const { target, scope, input } = call;
  let over = false;
  const end = (error: WireError | undefined): void => {
    if (over) return;
    over = true;
    finish(error);
  };
  let isStarted = false;
  let isReading = false;
  let events: AsyncIterator<unknown> | undefined;
  const handlerEnded = Promise.withResolvers<void>();
  /** Ends the handler. Not waited for: one that ignores its signal would hold the stream open. */
  const close = (): void => {
    const ending = events?.return?.() ?? Promise.resolve();
    events = undefined;
    const ended = (): void => handlerEnded.resolve();
    ending.then(ended, ended);
  };
  // Its work goes on until the handler is done, also after its reader has gone.
  scope.run(handlerEnded.promise).catch(() => {});
  scope.onEnd((why) => {
    // No reader waits for an event, so nothing else would end the handler.
    if (!isReading) close();
    // That its reader leaves is how a stream ends.
    end(why.code === "canceled" ? undefined : call.wireError(why));
  });

  async function* stream(): AsyncGenerator<StreamItem> {
    isStarted = true;
    isReading = true;
    let error: WireError | undefined;
    try {
      const opened = ambientCall.run(call, () => openEvents(handler(input, call as never), call));
      const read = (await opened)[Symbol.asyncIterator]();
      events = read;
      // Whoever reads has a call of its own, or none: the handler goes on in this one.
      const next = () => scope.wait(ambientCall.run(call, () => read.next()));
      for (let item = await next(); item.done !== true; item = await next()) {
        call.resumed = performance.now();
        isReading = false;
        yield checked(item.value);
        isReading = true;
      }
    } catch (cause) {
      error = call.wireError(cause);
      if (error.code !== "canceled") throw new FairleadError(error);
    } finally {
      close();
      end(error);
    }
  }

  const checked = (item: unknown): StreamItem => {
    const event = isTracked(item) ? item : { value: item };
    return { ...event, value: target.checked(event.value) };
  };

  const items = stream();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => items.next(),
      // Also when nothing was ever read: then the generator's own end does not run.
      return: () => {
        if (!isStarted) handlerEnded.resolve();
        end(undefined);
        return items.return(undefined);
      },
    }),
  };
};
