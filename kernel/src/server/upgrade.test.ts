/** A handshake that fails in the kernel's own code ends its connection, and no more than that. */
import { once } from "node:events";
import { connect } from "node:net";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { makeServer } from "./server.ts";

it.each(["known", "identified"])(
  "ends the connection of a %s caller when the mount throws, and logs it",
  async (caller) => {
    const lines: unknown[][] = [];
    let isKnown = caller === "known";
    const identify = async (): Promise<undefined> => {
      isKnown = true;
    };
    const server = makeServer({
      mounts: [
        {
          prefix: "/x",
          handle: async () => undefined,
          upgrade: () => {
            throw new Error("no upgrade");
          },
          close: async () => undefined,
        },
      ],
      rules: {
        hosts: [],
        origins: [],
        authenticate: () => (isKnown ? localPrincipal : undefined),
        identity: {
          identify: () => (isKnown ? undefined : identify()),
          challenge: () => "Bearer",
          isPublic: () => false,
        },
      },
      log: (...line) => void lines.push(line),
    });
    const { port } = await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" }));
    const client = connect(port, "127.0.0.1");
    const closed = once(client, "close");
    client
      .resume()
      .write(`GET /x/y HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    await closed;
    expect(lines).toEqual([["error", "a transport failed", { where: "GET /x/y", cause: new Error("no upgrade") }]]);
    await Effect.runPromise(server.close);
  },
);
