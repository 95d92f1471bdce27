/**
 * The stream of an admitted subscription: every event checked against the contract, failures turned into the one error model,
 * the handler ended when either side is done.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { StreamItem } from "./call.ts";
import type { Admitted } from "./dispatch.ts";
import { type AnyHandler, itemsOf } from "./handler.ts";
import { isTracked } from "./service.ts";

export interface StreamParts {
  readonly handler: AnyHandler;
  readonly toWire: (cause: unknown) => WireError;
  /** Called once, however it ends. */
  readonly finish: (error: WireError | undefined) => void;
}

/** The events of a subscription. Ending the iteration ends the handler; a failure is thrown as a `FairleadError`. */
export const streamOf = (admitted: Admitted, { handler, toWire, finish }: StreamParts): AsyncIterable<StreamItem> => {
  const { prepared, input, life, call, leave } = admitted;
  let over = false;
  const end = (error: WireError | undefined): void => {
    if (over) return;
    over = true;
    leave();
    finish(error);
  };
  life.onEnd(() => end(undefined));
  const next = async (events: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> => life.race(events.next());

  return (async function* stream(): AsyncGenerator<StreamItem> {
    let events: AsyncIterator<unknown> | undefined;
    let error: WireError | undefined;
    try {
      events = (await itemsOf(handler(input, call as never)))[Symbol.asyncIterator]();
      for (let item = await next(events); item.done !== true; item = await next(events)) {
        const value = isTracked(item.value) ? item.value.value : item.value;
        const checked = prepared.check(value);
        if (!checked.ok)
          throw new Error(`${prepared.entry.name} sent an event that its contract does not allow`, {
            cause: checked.issues,
          });
        yield isTracked(item.value) ? { id: item.value.id, value: checked.value } : { value: checked.value };
      }
    } catch (cause) {
      error = toWire(cause);
      if (error.code !== "canceled") throw new FairleadError(error);
    } finally {
      end(error);
      // Not awaited: a handler that ignores its signal would hold the stream open.
      events?.return?.()?.then(undefined, () => {});
    }
  })();
};
