/** Answers of a real socket: in pieces of any size, over the bounds, broken off. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { readMessages } from "./message-reader.ts";

let close = (): void => undefined;
afterEach(() => close());

/** Reads what a server of that behaviour answers. */
const reading = async (type: string, answer: (response: ServerResponse) => void) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": type }).flushHeaders();
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => server.close().closeAllConnections();
  const { port } = server.address() as AddressInfo;
  const come = await new Promise<IncomingMessage>((resolve, reject) =>
    request({ port }, resolve).once("error", reject).end(),
  );
  const messages: unknown[] = [];
  const end = await readMessages(come, (message) => messages.push(message));
  return { messages, end };
};

/** One byte a write, so that lines and characters are cut everywhere. */
const byBytes = (text: string) => async (response: ServerResponse) => {
  response.socket?.setNoDelay(true);
  for (const byte of Buffer.from(text)) {
    await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
  }
  response.end();
};

it("puts together a stream that comes byte by byte", async () => {
  const text =
    '\uFEFFretry: 20\r\nid: a\r\ndata:\r\n\r\n: alive\nevent: other\ndata: {"no":1}\n\nid: b\ndata: {"é":\ndata: "☃"}\n\ndata: no json\n\n';
  const { messages, end } = await reading("text/event-stream; charset=utf-8", byBytes(text));
  expect(messages).toEqual([{ é: "☃" }]);
  expect(end).toEqual({ lastId: "b", retryMs: 20 });
});

it("puts together a document that comes byte by byte, and takes a list for its messages", async () => {
  const { messages, end } = await reading("application/json", byBytes('\uFEFF[{"a":"☃"},{"b":2}]'));
  expect(messages).toEqual([{ a: "☃" }, { b: 2 }]);
  expect(end).toEqual({});
});

it.each([
  ["text/event-stream", "data: "],
  ["application/json", '"'],
])("lets go of %s that never ends", async (type, begin) => {
  const piece = "x".repeat(1_048_576);
  const { messages, end } = await reading(type, (response) => {
    response.write(begin);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  });
  expect(messages).toEqual([]);
  expect(end.broken).toMatchObject({ code: "ETOOLONG", sent: true });
});

it.each(["text/event-stream", "application/json"])(
  "distinguishes %s that broke off from one that ended",
  async (type) => {
    const { messages, end } = await reading(type, (response) => {
      response.write('data: {"a":1}\n\ndata: {"b"', () => response.destroy());
    });
    expect(messages).toEqual(type === "application/json" ? [] : [{ a: 1 }]);
    expect(end.broken).toMatchObject({ code: "ECONNRESET", sent: true });
  },
);
