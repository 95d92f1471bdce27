/**
 * Following a resource: something is sent each time it may have changed, as its contract says how that is known. A subscription of the service is read, and
 * opened again when it ends; or the resource is read again and again, and compared.
 *
 * Not here: who is sent what (the transports). It ends with its signal, and costs a service nothing before it begins and after that.
 */
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { FoundResource } from "./address.ts";
import { fillInput } from "./choices.ts";
import { type ResourceSource, readFound, readInput } from "./resources.ts";

type FollowSource = Pick<ResourceSource, "dispatch" | "terms">;

interface FollowTerms {
  readonly signal: AbortSignal;
  readonly changed: () => void;
  /** Called once, when what changes from now on will be seen, or the first try to see it has failed. */
  readonly begun?: (() => void) | undefined;
  /** Only for tests: how it waits. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Milliseconds before a subscription that has ended is opened again; one that is refused waits twice as long each time. */
const againMs = 5_000;
const longestAgainMs = 60_000;

/** Resolves when the signal fires. Never rejects. */
export const followResource = async (
  source: FollowSource,
  found: FoundResource,
  { signal, changed, begun = () => {}, pause = waitFor }: FollowTerms,
): Promise<void> => {
  const { changes } = found.resource;
  const own = { ...source, terms: { ...source.terms, signal } };
  if (changes === undefined) return begun();
  if ("everyMs" in changes)
    return followByReading(own, found, { signal, changed, begun, pause, everyMs: changes.everyMs });
  const input = changes.input === undefined ? readInput(found) : fillInput(changes.input, found.values);
  const procedure = `${found.service}.${changes.subscription}`;
  let againIn = againMs;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    // Between two streams it may have changed without a word; what was seen of none is no change.
    const isOpen = await followStream(own, { procedure, input }, { opened: isFirst ? begun : changed, changed });
    if (isFirst && !isOpen) begun();
    againIn = isOpen || isFirst ? againMs : Math.min(2 * againIn, longestAgainMs);
    await pause(againIn, signal);
  }
};

/** False where it was refused. A stream that fails has ended. */
const followStream = async (
  { dispatch, terms }: FollowSource,
  { procedure, input }: { readonly procedure: string; readonly input: unknown },
  { opened, changed }: { readonly opened: () => void; readonly changed: () => void },
): Promise<boolean> => {
  const { timeoutMs: _, ...lasting } = terms;
  const stream = await dispatch.subscribe({ ...lasting, procedure, input });
  if (!stream.ok) return false;
  opened();
  try {
    for await (const _item of stream.items) changed();
  } catch {
    // What it would have said is found by the next one.
  }
  return true;
};

const followByReading = async (
  source: FollowSource,
  found: FoundResource,
  { signal, changed, begun, pause, everyMs }: Required<FollowTerms> & { readonly everyMs: number },
): Promise<void> => {
  let before = await state(source, found);
  begun?.();
  while (!signal.aborted) {
    await pause(everyMs, signal);
    if (signal.aborted) return;
    const now = await state(source, found);
    if (now !== before && !signal.aborted) changed();
    before = now;
  }
};

/** A text that is another one when the resource is. */
const state = async (source: FollowSource, found: FoundResource): Promise<string> => {
  const reply = await readFound(source, found);
  return reply.ok ? createHash("sha256").update(reply.value.text).digest("base64") : `refused: ${reply.error.code}`;
};

const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
