/** How a body leaves: in as few writes as it can. */
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Writable } from "node:stream";
import { expect, it, vi } from "vitest";
import { headTimeoutMs } from "./stream.ts";
import { writeWebResponse } from "./web-response.ts";

/** A response, and what its socket was given: one entry for each time the system would have been called. */
const exchange = () => {
  const writes: string[] = [];
  const socket = new Writable({
    write: (chunk, _, done) => {
      writes.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(""));
      done();
    },
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(socket as Socket);
  response.writeHead(200, { "content-type": "text/event-stream" });
  return { response, writes };
};

const body = () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    readable,
    say: (text: string) => void writer.write(Buffer.from(text)),
    end: () => void writer.close(),
  };
};

it("sends a stream whose first part comes soon, head and all, at once", async () => {
  const { response, writes } = exchange();
  const { readable, say, end } = body();
  const over = writeWebResponse(new Response(readable), response);
  say("data: 1\n\n");
  end();
  await over;
  await new Promise((resolve) => response.once("finish", resolve));
  expect(writes).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n(?:.|\r|\n)*\r\n\r\ndata: 1\n\n$/)]);
});

it("sends the head alone when nothing comes for a while", async () => {
  vi.useFakeTimers();
  try {
    const { response, writes } = exchange();
    const { readable, say, end } = body();
    const over = writeWebResponse(new Response(readable), response);
    await vi.advanceTimersByTimeAsync(headTimeoutMs - 1);
    expect(writes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(writes).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n/)]);
    say("data: 1\n\n");
    end();
    await over;
    expect(writes.join("")).toContain("data: 1");
  } finally {
    vi.useRealTimers();
  }
});
