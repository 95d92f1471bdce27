/**
 * Requests, streams and notes over a message port, the same on both of its sides: Effects that can be interrupted, streams that are read
 * item by item. What is interrupted ends once the other side's work has.
 *
 * Not here: what is sent (`thread-protocol.ts`), and threads.
 */
import { FairleadError, type WireError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import * as Queue from "effect/Queue";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";

/** How a request failed: with an error for the caller, or with a defect of the code that served it. */
type LinkFault = { readonly wire: WireError } | { readonly defect: unknown };

type LinkRequest =
  | { readonly type: "note"; readonly kind: string; readonly body: unknown }
  | { readonly type: "request" | "open"; readonly id: number; readonly kind: string; readonly body: unknown }
  | { readonly type: "pull" | "cancel"; readonly id: number };

type LinkReply =
  | { readonly type: "done" | "item"; readonly id: number; readonly value: unknown }
  | { readonly type: "end"; readonly id: number }
  | { readonly type: "failed"; readonly id: number; readonly failure: LinkFault };

/** What goes over the port. */
export type LinkMessage = LinkRequest | LinkReply;

/** Nothing comes from the other side any more. */
export class LinkLost {
  readonly _tag = "LinkLost";
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** What one side does for the other. `kind` says what is meant; the types of bodies are the protocol's. */
export interface LinkServer {
  readonly note: (kind: string, body: unknown) => void;
  /** `note` has thrown: a note has no answer that could say so. */
  readonly noteFailed: (kind: string, cause: unknown) => void;
  readonly request: (kind: string, body: unknown) => Effect.Effect<unknown, FairleadError>;
  /** Its iterator returns when the reader leaves; then the scope closes. */
  readonly stream: (kind: string, body: unknown) => Effect.Effect<AsyncIterable<unknown>, FairleadError, Scope.Scope>;
}

type LinkError = FairleadError | LinkLost;

/** Sends a message to the other side. Calls `sent` once the end of this side cannot lose it any more. */
export type Post = (message: LinkMessage, sent?: () => void) => void;

/** One side of a link, which sends with `post`; what comes from the other side goes to `receive`. */
export const makeLink = (post: Post): Effect.Effect<Link> =>
  Effect.map(Queue.unbounded<LinkRequest>(), (inbox) => new Link(post, inbox));

export class Link {
  readonly #post: Post;
  readonly #waiting = new Map<number, (answer: LinkReply | LinkLost) => void>();
  readonly #inbox: Queue.Queue<LinkRequest>;
  #server: LinkServer | undefined;
  #nextId = 1;
  #lost: LinkLost | undefined;

  constructor(post: Post, inbox: Queue.Queue<LinkRequest>) {
    this.#post = post;
    this.#inbox = inbox;
  }

  /** Takes a message from the other side. Notes at once: what is known of a request when it is lost decides what its caller may do. */
  receive(message: LinkMessage): void {
    if (!isAnswer(message)) {
      if (message.type === "note" && this.#server !== undefined) takeNote(this.#server, message);
      else Queue.offerUnsafe(this.#inbox, message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    waiting?.(message);
  }

  /** Fails all that waits, and all that is sent from now on. */
  lose(why: string): void {
    this.#lost ??= new LinkLost(why);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const take of waiting) take(this.#lost);
  }

  /** Needs no answer. What cannot be sent is not. */
  note(kind: string, body: unknown): void {
    this.#send({ type: "note", kind, body });
  }

  /** Completes once the other side will get the note, whatever becomes of this one. */
  noteSafely(kind: string, body: unknown): Effect.Effect<void> {
    return Effect.callback((resume) => this.#post({ type: "note", kind, body }, () => resume(Effect.void)));
  }

  request(kind: string, body: unknown): Effect.Effect<unknown, LinkError> {
    return Effect.suspend(() => {
      const id = this.#nextId++;
      return Effect.flatMap(this.#exchange({ type: "request", id, kind, body }, this.#cancel(id)), toResult);
    });
  }

  stream(kind: string, body: unknown): Stream.Stream<unknown, LinkError> {
    const opened = Effect.gen({ self: this }, function* () {
      const id = this.#nextId++;
      let isOpen = true;
      const opening = Effect.sync(() => this.#send({ type: "open", id, kind, body }));
      const unsent = yield* Effect.acquireRelease(opening, () =>
        Effect.suspend(() => (isOpen ? this.#cancel(id) : Effect.void)),
      );
      if (unsent !== undefined) {
        isOpen = false;
        return Effect.die(unsent);
      }
      const pull = this.#exchange({ type: "pull", id }, Effect.void);
      return Effect.flatMap(pull, (answer) => {
        if (answer.type === "item") return Effect.succeed([answer.value] as const);
        isOpen = false;
        return answer.type === "end" ? Cause.done() : toResult(answer).pipe(Effect.andThen(Cause.done()));
      });
    });
    return Stream.scoped(Stream.fromPull(opened));
  }

  /** Does what the other side asks for, as long as the scope is open. */
  serve(server: LinkServer): Effect.Effect<never, never, Scope.Scope> {
    const fibers = new Map<number, Fiber.Fiber<LinkReply>>();
    const pulls = new Map<number, Queue.Queue<void>>();
    const begin = (id: number, work: Effect.Effect<LinkReply>): Effect.Effect<void, never, Scope.Scope> =>
      Effect.map(Effect.forkScoped(work, { startImmediately: true }), (fiber) => {
        fibers.set(id, fiber);
        fiber.addObserver((exit) => {
          fibers.delete(id);
          pulls.delete(id);
          this.#reply(Exit.isSuccess(exit) ? exit.value : { type: "end", id });
        });
      });
    const take = (request: LinkRequest): Effect.Effect<void, never, Scope.Scope> => {
      switch (request.type) {
        case "note":
          return Effect.sync(() => takeNote(server, request));
        case "request": {
          const work = Effect.suspend(() => server.request(request.kind, request.body));
          return begin(request.id, answerOnce(request.id, work));
        }
        case "open":
          return Effect.flatMap(Queue.unbounded<void>(), (asked) => {
            pulls.set(request.id, asked);
            const opened = Effect.suspend(() => server.stream(request.kind, request.body));
            return begin(request.id, this.#answerEach(request.id, opened, asked));
          });
        case "pull":
          return Effect.sync(() => {
            const asked = pulls.get(request.id);
            if (asked === undefined) this.#reply({ type: "end", id: request.id });
            else Queue.offerUnsafe(asked, undefined);
          });
        case "cancel":
          return Effect.sync(() => {
            const fiber = fibers.get(request.id);
            if (fiber === undefined) this.#reply({ type: "end", id: request.id });
            else fiber.interruptUnsafe();
          });
      }
    };
    const begun = Effect.sync(() => {
      this.#server = server;
    });
    const ended = Effect.sync(() => {
      this.#server = undefined;
    });
    return Effect.andThen(
      Effect.acquireRelease(begun, () => ended),
      Effect.forever(Effect.flatMap(Queue.take(this.#inbox), take)),
    );
  }

  /** Sends a message and waits for what answers it. */
  #exchange(
    message: Exclude<LinkRequest, { type: "note" }>,
    interrupted: Effect.Effect<void>,
  ): Effect.Effect<LinkReply, LinkLost> {
    return Effect.callback<LinkReply, LinkLost>((resume) => {
      if (this.#lost !== undefined) {
        resume(Effect.fail(this.#lost));
        return Effect.void;
      }
      this.#waiting.set(message.id, (answer) =>
        resume(answer instanceof LinkLost ? Effect.fail(answer) : Effect.succeed(answer)),
      );
      const unsent = this.#send(message);
      if (unsent === undefined) return interrupted;
      this.#waiting.delete(message.id);
      resume(Effect.die(unsent));
      return Effect.void;
    });
  }

  /** Ends what the other side does under this number, and waits until it has. */
  #cancel(id: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#lost !== undefined) return Effect.void;
      return Effect.callback<void>((resume) => {
        // An item that was on its way is not an end.
        const take = (answer: LinkReply | LinkLost): void => {
          if (answer instanceof LinkLost || answer.type !== "item") resume(Effect.void);
          else this.#waiting.set(id, take);
        };
        this.#waiting.set(id, take);
        this.#send({ type: "cancel", id });
      });
    });
  }

  #answerEach(
    id: number,
    opened: Effect.Effect<AsyncIterable<unknown>, FairleadError, Scope.Scope>,
    asked: Queue.Queue<void>,
  ): Effect.Effect<LinkReply> {
    const reply = (message: LinkReply): void => this.#reply(message);
    const items = Effect.gen(function* () {
      yield* Queue.take(asked);
      const iterable = yield* opened;
      const open = Effect.sync(() => iterable[Symbol.asyncIterator]());
      // Not waited for: an iterator that is being read returns only after that. Whoever opened it knows when its work is over.
      const leave = (read: AsyncIterator<unknown>): void => void read.return?.().catch(() => undefined);
      const iterator = yield* Effect.acquireRelease(open, (read) => Effect.sync(() => leave(read)));
      for (;;) {
        const item = yield* Effect.tryPromise({ try: () => iterator.next(), catch: (cause) => cause });
        if (item.done === true) return { type: "end", id } as const;
        reply({ type: "item", id, value: item.value });
        yield* Queue.take(asked);
      }
    });
    return toAnswer(id, Effect.scoped(items));
  }

  /** What an answer holds may be of a kind that cannot be sent: then the request has failed for that. */
  #reply(answer: LinkReply): void {
    const unsent = this.#send(answer);
    if (unsent !== undefined) this.#send({ type: "failed", id: answer.id, failure: { defect: unsent } });
  }

  #send(message: LinkMessage): Error | undefined {
    try {
      this.#post(message);
      return undefined;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return new Error(`it cannot be sent to another thread: ${why}`);
    }
  }
}

/** A note that fails ends neither the side that takes it nor what comes after it. */
const takeNote = (server: LinkServer, { kind, body }: Extract<LinkRequest, { type: "note" }>): void => {
  try {
    server.note(kind, body);
  } catch (cause) {
    server.noteFailed(kind, cause);
  }
};

const isAnswer = (message: LinkMessage): message is LinkReply =>
  message.type === "done" || message.type === "item" || message.type === "end" || message.type === "failed";

const toResult = (answer: LinkReply): Effect.Effect<unknown, FairleadError> => {
  if (answer.type === "end") return Effect.interrupt;
  if (answer.type !== "failed") return Effect.succeed(answer.value);
  const { failure } = answer;
  return "wire" in failure ? Effect.fail(new FairleadError(failure.wire)) : Effect.die(failure.defect);
};

const answerOnce = (id: number, work: Effect.Effect<unknown, FairleadError>): Effect.Effect<LinkReply> =>
  toAnswer(
    id,
    Effect.map(work, (value): LinkReply => ({ type: "done", id, value })),
  );

const toAnswer = (id: number, work: Effect.Effect<LinkReply, unknown>): Effect.Effect<LinkReply> =>
  Effect.catchCause(work, (cause): Effect.Effect<LinkReply> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.succeed({ type: "end", id });
    const error = Cause.squash(cause);
    const failure: LinkFault = error instanceof FairleadError ? { wire: error.toJSON() } : { defect: error };
    return Effect.succeed({ type: "failed", id, failure });
  });
