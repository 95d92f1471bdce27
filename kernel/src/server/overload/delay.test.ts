import { connect, type Socket } from "node:net";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { localPrincipal } from "../../call/call.ts";
import type { Mount } from "../mount.ts";
import { makeServer } from "../server.ts";
import { Arrivals } from "./delay.ts";

/** Turns of a loop, each of which brings so many connections before the immediates run. */
const play = (arrivals: readonly number[]): readonly number[] => {
  let work: (() => void)[] = [];
  const backlogs: number[] = [];
  let at = 0;
  const counted = new Arrivals({ immediate: (next) => void work.push(next), onBacklog: () => void backlogs.push(at) });
  for (at = 0; at < arrivals.length; at += 1) {
    for (let each = 0; each < (arrivals[at] ?? 0); each += 1) counted.add();
    const due = work;
    work = [];
    for (const next of due) next();
  }
  return backlogs;
};

it("sees that connections wait outside once five turns in a row brought one", () => {
  expect(play([1, 1, 1, 1, 1])).toEqual([4]);
  expect(play([1, 1, 1, 1, 0, 1, 1, 0, 1])).toEqual([]);
  expect(play([1, 0, 0, 1, 1, 1, 1, 1, 0])).toEqual([7]);
});

it("lets waiting connections in before it begins the next request: Node accepts one in each turn of the loop", async () => {
  const served: string[] = [];
  const clients: Socket[] = [];
  const hold = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  let port = 0;
  const send = (name: string, bytes = 0): void => {
    const client = connect(port, "127.0.0.1");
    client.on("error", () => undefined);
    client.write(`POST /x/${name} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: ${bytes}\r\n\r\n`);
    clients.push(client);
  };
  const firstOfBurst = Promise.withResolvers<string>();
  const handle: Mount["handle"] = async ({ path }, response) => {
    served.push(path);
    // The loop is late twice: from then on requests wait for their turn.
    if (path === "/one") send("two");
    else if (path === "/two") for (let at = 1; at <= 20; at += 1) send(`burst/${at}`, at < 20 ? 100_000 : 0);
    else firstOfBurst.resolve(path);
    if (!path.startsWith("/burst")) hold();
    response.end();
  };
  const server = makeServer({
    mounts: [{ prefix: "/x", handle, close: async () => undefined }],
    rules: { hosts: [], origins: [], authenticate: () => localPrincipal },
    log: () => undefined,
    times: { lag: 1 },
  });
  ({ port } = await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" })));
  send("one");
  // Small before large, of those that are in.
  expect(await firstOfBurst.promise).toBe("/burst/20");
  expect(served.slice(0, 2)).toEqual(["/one", "/two"]);
  for (const client of clients) client.destroy();
  await Effect.runPromise(server.close);
});
