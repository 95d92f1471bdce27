/** A change of a version that is not the newest one, in words. Pure. */

interface StaleRefusal {
  readonly reason?: string;
  readonly data?: unknown;
}

/** `undefined` for any other refusal. */
export const staleText = ({ reason, data }: StaleRefusal): string | undefined => {
  if (reason !== "stale_version") return undefined;
  const { sent, current } = (data ?? {}) as { readonly sent?: unknown; readonly current?: unknown };
  return `Somebody has acted since: you saw version ${String(sent)}, and it is ${String(current)} now. Nothing of yours was done. The newest is shown: look, and decide again.`;
};
