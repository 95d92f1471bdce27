/**
 * One call at the node that owns its key: its replies, until it ends or another node owns the key. A node that is paused answers nothing, and its socket stays open: that its
 * lease has ended is what ends the call.
 *
 * Not here: which node (`place.ts`), sockets (`peer-client.ts`).
 */
import { FairleadError, isWireError } from "@fairlead/contracts";
import { LostCall } from "../../call/error.ts";
import type { LostPlace } from "../placement.ts";
import type { NodeCall, NodeReply } from "./message.ts";
import type { ClusterNode, Owner } from "./node.ts";
import { type PeerClient, PeerLost } from "./peer-client.ts";

interface NodeExchange {
  readonly node: ClusterNode;
  readonly client: PeerClient;
  readonly owner: Extract<Owner, { readonly tag: "there" }>;
  readonly call: NodeCall;
}

/** The call was not begun by that node; whose it is has to be looked up. */
export interface MovedCall {
  readonly _tag: "Moved";
  readonly why: string;
}

/** Milliseconds that the answer of a node which has given the key away may be on its way. */
const lateMs = 500;

/** Its replies but for the first, `taken`. Rejects with a `MovedCall`, a `LostPlace` or the call's own error. */
export const openExchange = async (
  parts: NodeExchange,
  signal: AbortSignal,
): Promise<AsyncGenerator<NodeReply, void>> => {
  const replies = converse(parts, signal);
  await replies.next();
  return replies;
};

/** Gives `taken` first. */
async function* converse(
  { node, client, owner, call }: NodeExchange,
  signal: AbortSignal,
): AsyncGenerator<NodeReply, void> {
  const control = new AbortController();
  let { epoch } = owner;
  let patience: NodeJS.Timeout | undefined;
  const judge = (): void => {
    const now = node.ownership(call.shard);
    const isAnothers = now.epoch > epoch || (now.owner !== undefined && now.owner !== owner.node.id);
    if (isAnothers) patience ??= setTimeout(() => control.abort("another node has taken it since"), lateMs);
  };
  const stopJudging = node.onSeen(judge);
  const leave = (): void => control.abort("its caller has left");
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    for await (const reply of client.call(owner.node, call, control.signal)) {
      if (reply.kind === "taken") epoch = Number(reply.value);
      if (reply.kind === "moved") throw moved(`the node ${owner.node.name} does not own its key`);
      if (reply.kind === "error") throw toError(reply.value);
      yield reply;
    }
  } catch (cause) {
    if (!(cause instanceof PeerLost)) throw cause;
    throw cause.isSent ? lost(cause.message) : moved(cause.message);
  } finally {
    clearTimeout(patience);
    signal.removeEventListener("abort", leave);
    stopJudging();
  }
}

const moved = (why: string): MovedCall => ({ _tag: "Moved", why });
const lost = (why: string): LostPlace => ({ _tag: "LostPlace", why, sent: true });

/** What that node answered. Of a call that was lost there nothing may run it again by its key, here as there. */
const toError = (value: unknown): FairleadError => {
  if (!isWireError(value))
    return new FairleadError({ code: "unknown", message: "a node answered with an error that cannot be read" });
  return value.code === "unavailable" && !value.retryable ? new LostCall(value) : new FairleadError(value);
};
