import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import type { Principal } from "../call/call.ts";
import { type Link, type LinkServer, makeLink } from "./link.ts";
import { relayConnect, type ThreadState } from "./thread-parts.ts";

const server: LinkServer = {
  note: () => undefined,
  noteFailed: () => undefined,
  request: (_, body) => Effect.succeed(body),
  stream: () =>
    Effect.succeed(
      (async function* () {
        yield* [1, 2, 3];
      })(),
    ),
};

/** Runs a use of a link whose other side is that server. */
const withLink = <A>(serving: Partial<LinkServer>, use: (link: Link) => Effect.Effect<A, unknown>): Promise<A> => {
  const ends: Link[] = [];
  const run = Effect.gen(function* () {
    for (const other of [1, 0]) ends.push(yield* makeLink((message) => ends[other]?.receive(structuredClone(message))));
    const [near, far] = ends;
    if (near === undefined || far === undefined) return expect.fail("no link");
    yield* Effect.forkScoped(far.serve({ ...server, ...serving }));
    return yield* use(near);
  });
  return Effect.runPromise(Effect.scoped(run));
};

it("goes on after a note that throws, and reports it", async () => {
  const failed: unknown[] = [];
  const note = (): void => {
    throw new Error("no note");
  };
  const answer = await withLink({ note, noteFailed: (...report) => failed.push(report) }, (link) => {
    link.note("odd", 1);
    return link.request("echo", 2);
  });
  expect(answer).toBe(2);
  expect(failed).toEqual([["odd", new Error("no note")]]);
});

it("takes a note before the loss that comes right after it", async () => {
  const seen: unknown[] = [];
  await withLink({ note: (kind) => void seen.push(kind) }, (link) =>
    Effect.gen(function* () {
      yield* link.request("echo", 1);
      link.note("begun", 1);
      seen.push("lost");
    }),
  );
  expect(seen).toEqual(["begun", "lost"]);
});

it("answers a request that throws before it is an Effect, and goes on", async () => {
  const request = (kind: string): Effect.Effect<unknown> => {
    if (kind === "odd") throw new Error("no request");
    return Effect.succeed(2);
  };
  const answers = await withLink({ request }, (link) =>
    Effect.all([Effect.exit(link.request("odd", 1)), link.request("echo", 2)]),
  );
  expect(answers).toMatchObject([{ _tag: "Failure" }, 2]);
});

it("forgets who wants to know how far a peer's stream is once that ends, or when its reader leaves", async () => {
  const state: ThreadState = { progress: new Map(), seq: 0, run: Effect.runPromise };
  const principal: Principal = { id: "local", access: ["read"] };
  const read = async (link: Link, most: number): Promise<readonly unknown[]> => {
    const opened = await relayConnect(
      link,
      state,
    )(principal).subscribe("other.numbers", {}, { onProgress: () => undefined });
    const seen: unknown[] = [];
    if (opened.ok) for await (const item of opened.items) if (seen.push([item, state.progress.size]) === most) break;
    return seen;
  };
  const all = [1, 2, 3].map((item) => [item, 1]);
  expect(await withLink({}, (link) => Effect.promise(() => read(link, 9)))).toEqual(all);
  expect(state.progress.size).toBe(0);
  expect(await withLink({}, (link) => Effect.promise(() => read(link, 2)))).toEqual(all.slice(0, 2));
  expect(state.progress.size).toBe(0);
});
