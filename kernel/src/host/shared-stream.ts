/** What a transport says of a connection that carries several calls and subscriptions, to the router that feeds it. */
import type { WireError } from "@fairlead/contracts";

/** A connection that carries several calls and subscriptions. */
export interface SharedStream {
  /** Fires when the connection has ended: so do its calls. */
  readonly closed: AbortSignal;
  /** Counts one until `release`, or says why there may be no more of them. */
  claim(): WireError | undefined;
  release(): void;
  /** The same for a call, until `finish`. */
  begin(): WireError | undefined;
  finish(): void;
  /** Resolves when there is room for another event; at once, where that is now. */
  ready(): Promise<void> | undefined;
}
