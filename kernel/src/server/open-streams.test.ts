/** Streams are counted for as long as they are open, and no longer. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { OpenStreams } from "./open-streams.ts";

const server = createServer();

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test("one whose reader has gone before it is opened is not counted for ever", async () => {
  const streams = new OpenStreams({ most: 1 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const arrive = async (): Promise<{ response: ServerResponse; leave: () => void }> => {
    const arrived = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
    const sent = request({ port, host: "127.0.0.1" }).on("error", () => undefined);
    sent.end();
    const [, response] = await arrived;
    return { response, leave: () => sent.destroy() };
  };

  const gone = await arrive();
  const closed = once(gone.response, "close");
  gone.leave();
  await closed;
  expect(streams.claim(localPrincipal, gone.response)).toBeUndefined();

  const first = await arrive();
  expect(streams.claim(localPrincipal, first.response)).toBeUndefined();
  const second = await arrive();
  expect(streams.claim(localPrincipal, second.response)).toMatchObject({ code: "resource_exhausted" });
  first.response.end();
  await once(first.response, "close");
  expect(streams.claim(localPrincipal, second.response)).toBeUndefined();
});
