/**
 * The placement port: where the code of a service runs. Dispatch uses it after the gate, in the place of the handler: the call is decoded,
 * authorised and admitted, its deadline runs, and what comes back is checked against the contract as any handler's output is.
 *
 * `local` is not an implementation of it: dispatch calls the handler itself, so that the default costs nothing. `thread` is
 * (`thread.ts`), and so are workers, the processes of this machine (`workers.ts`); one that goes over a network is another. Not here: who is placed where (`place.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import type * as Effect from "effect/Effect";
import type * as Stream from "effect/Stream";
import type { CallRequest, StreamItem } from "../call/call.ts";
import type { Condition, SelfCheck } from "../service/started-service.ts";
import type { ChildStatus } from "../supervision/child-state.ts";

/** An admitted call on its way to where its service runs. All but `onProgress`, `onLog`, `ask` and `onBlocked` is plain data. */
export interface PlacedCall extends Pick<CallRequest, "onProgress" | "onLog" | "ask" | "run"> {
  /** Name within the contract. */
  readonly procedure: string;
  /** The wire side of the input where the contract has codecs for it; else as it was decoded, which is the same and has its defaults. */
  readonly input: unknown;
  readonly principal: CallRequest["principal"];
  /** Milliseconds that are left to it; `Infinity` for subscriptions. */
  readonly leftMs: number;
  /** How often each call that is made for it may be tried; as often as contracts say when left out. */
  readonly attempts?: number;
  /** Milliseconds that the contract allows from now on, whatever its caller does; `Infinity` for subscriptions. */
  readonly deadlineMs: number;
  /** W3C `traceparent` of its span. */
  readonly traceparent: string;
  readonly idempotencyKey: string | undefined;
  /** Calls with the same key go to the same place; `undefined` where any place will do. */
  readonly key?: string;
  readonly lastEventId: string | undefined;
  /** Its handler has held up its thread until that was ended. */
  readonly onBlocked: () => void;
}

/** The place was lost while a call was with it. */
export interface LostPlace {
  readonly _tag: "LostPlace";
  /** What happened to the place, in words. */
  readonly why: string;
  /** False when the handler has certainly not begun: the call may be sent again, whatever its procedure does. */
  readonly sent: boolean;
}

/** The service as it says of itself that it is, last time it was heard of: what the kernel reads without waiting. */
export interface PlacedDetails {
  readonly condition: Condition;
  /** Procedures that are switched off, with the reason. */
  readonly off: Readonly<Record<string, string>>;
  readonly info: Readonly<Record<string, unknown>>;
  readonly children: readonly ChildStatus[];
}

/**
 * One run of a service in its place, for as long as the scope that it was opened in. To cancel a call is to interrupt its Effect or its
 * Stream, which ends once the handler has.
 */
export interface Placement {
  /** The output's wire side. Fails with the handler's error as it goes on the wire, or because the place is lost. */
  call(call: PlacedCall): Effect.Effect<unknown, FairleadError | LostPlace>;
  /** The events' wire side, each read when it is asked for: the handler is no further than its reader. */
  subscribe(call: PlacedCall): Stream.Stream<StreamItem, FairleadError | LostPlace>;
  /** Stops the service: its `stop` has run when this completes. Nothing is called after it. */
  readonly drain: Effect.Effect<void>;
  /** Without waiting. */
  health(): PlacedDetails;
  /** What the service finds of this machine when it is asked. */
  readonly checks: Effect.Effect<readonly SelfCheck[], FairleadError | LostPlace>;
}
