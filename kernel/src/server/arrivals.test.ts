import { connect, type Socket } from "node:net";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { localPrincipal } from "../call/call.ts";
import type { Mount } from "./mount.ts";
import { makeServer } from "./server.ts";

it("lets waiting connections in before it begins the next request: Node accepts one in each turn of the loop", async () => {
  const served: string[] = [];
  const clients: Socket[] = [];
  const hold = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  let port = 0;
  const send = (name: string): void => {
    const client = connect(port, "127.0.0.1");
    client.on("error", () => undefined);
    client.write(`GET /x/${name} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
    clients.push(client);
  };
  const firstOfBurst = Promise.withResolvers<string>();
  const handle: Mount["handle"] = async ({ path }, response) => {
    served.push(path);
    // The loop is late twice: from then on requests wait for their turn.
    if (path === "/one") send("two");
    else if (path === "/two") for (let at = 1; at <= 20; at += 1) send(`burst/${at}`);
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
  // The latest goes first, of those that are in.
  expect(await firstOfBurst.promise).toBe("/burst/20");
  expect(served.slice(0, 2)).toEqual(["/one", "/two"]);
  for (const client of clients) client.destroy();
  await Effect.runPromise(server.close);
});
