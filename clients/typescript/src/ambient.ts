/**
 * The call of a Fairlead service that the running code serves, when there is one: its deadline, cancellation and trace go on to what it
 * calls. The kernel keeps it where this can read it without importing the kernel; in browsers and plain programs there is none.
 */

/** What is read of the call. */
interface AmbientCall {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; `Infinity` for none. */
  readonly deadline: number;
  /** W3C trace context. */
  readonly traceparent: string;
  /** How often each call that is made for it may be tried; `Infinity` for as often as one likes. */
  readonly innerAttempts: number;
}

const key = Symbol.for("fairlead.call");

type GlobalStore = typeof globalThis & { readonly [key]?: { getStore(): AmbientCall | undefined } };

/** What a call inherits. */
interface InheritedOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds that the served call has left. */
  readonly leftMs?: number;
  readonly traceparent?: string;
  /** How often the call may be tried. */
  readonly mostAttempts?: number;
}

/** What to send with a call of this code; nothing outside of a service's handler, and for a call that is detached. */
export const inherited = (options: {
  readonly signal?: AbortSignal;
  readonly detached?: boolean;
}): InheritedOptions => {
  const given = options.signal === undefined ? {} : { signal: options.signal };
  const call = options.detached === true ? undefined : (globalThis as GlobalStore)[key]?.getStore();
  if (call === undefined) return given;
  const { signal, deadline, traceparent, innerAttempts } = call;
  return {
    signal:
      options.signal === undefined || options.signal === signal ? signal : AbortSignal.any([options.signal, signal]),
    traceparent,
    ...(Number.isFinite(innerAttempts) && { mostAttempts: innerAttempts }),
    ...(Number.isFinite(deadline) && { leftMs: Math.max(0, deadline - Date.now()) }),
  };
};
