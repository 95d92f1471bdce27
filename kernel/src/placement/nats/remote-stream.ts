/**
 * The reading end of a stream over NATS: parts in their order, at most so many under way as its reader has room for.
 */
import { FairleadError } from "@fairlead/contracts";
import type { StreamItem } from "../../call/call.ts";
import type { LostPlace } from "../placement.ts";
import { type ReplyMessage, replyError } from "./envelope.ts";

interface StreamSender {
  /** So many events more may be sent. */
  more(control: string, count: number): void;
  /** Its reader has left. */
  cancel(): void;
}

type End = { readonly error?: FairleadError | LostPlace };

export class RemoteStream implements AsyncIterable<StreamItem>, AsyncIterator<StreamItem> {
  readonly #credit: number;
  readonly #sender: StreamSender;
  readonly #items: StreamItem[] = [];
  #control: string | undefined;
  /** Taken by the reader since it last asked for more. */
  #taken = 0;
  #next = 0;
  #end: End | undefined;
  #wake: (() => void) | undefined;

  constructor(credit: number, sender: StreamSender) {
    this.#credit = credit;
    this.#sender = sender;
  }

  take(reply: ReplyMessage): void {
    // One that was missed while the connection was down cannot be had again: whoever reads resumes by its event's id.
    const isWhole = reply.at === this.#next;
    if (reply.kind === "open") this.#control = reply.control;
    else if (reply.kind === "error") this.fail(replyError(reply));
    else if (reply.kind === "end") this.#finish(isWhole ? {} : { error: missed });
    else if (reply.kind !== "item") return;
    else if (isWhole) this.#add(reply);
    else this.fail(missed);
  }

  #add({ value, eventId }: ReplyMessage): void {
    this.#next += 1;
    this.#items.push({ value, ...(eventId !== undefined && { id: eventId }) });
    this.#wake?.();
  }

  fail(error: FairleadError | LostPlace): void {
    this.#finish({ error });
  }

  cancel(): void {
    this.#finish({});
    this.#sender.cancel();
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<StreamItem>> {
    for (;;) {
      const value = this.#items.shift();
      if (value !== undefined) {
        this.#ask();
        return { done: false, value };
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  return(): Promise<IteratorResult<StreamItem>> {
    this.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }

  #ask(): void {
    this.#taken += 1;
    if (this.#control === undefined || this.#taken < this.#credit / 2 || this.#end !== undefined) return;
    this.#sender.more(this.#control, this.#taken);
    this.#taken = 0;
  }
}

const missed = new FairleadError({
  code: "unavailable",
  message: "events of this stream were lost on their way over NATS",
  hint: "subscribe again, after the last event that arrived",
});
