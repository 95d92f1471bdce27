/** What clients may do to the memory and the places of a server, on the real one. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  eventually,
  type Fixture,
  type FixtureOptions,
  type Raw,
  raw,
  send,
  startFixture,
} from "../../testing/wire-fixture.ts";
import type { Mount } from "../mount.ts";
import { StreamWriter } from "../response/stream.ts";

let fixture: Fixture | undefined;
const sockets: Socket[] = [];
const start = async (options: FixtureOptions = {}): Promise<Fixture> => {
  fixture = await startFixture(options);
  return fixture;
};
const open = (port: number, text: string): Raw => {
  const connection = raw(port, text);
  sockets.push(connection.socket);
  return connection;
};
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await fixture?.close();
  fixture = undefined;
});

const get = (port: number, path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const isCut = async ({ socket }: Raw): Promise<boolean> => {
  if (!socket.closed) await once(socket, "close");
  return true;
};

/** Answers with that many bytes; counts the answers that were begun, and those whose reader was cut off. */
const large = (bytes: number) => {
  const seen = { begun: 0, cut: 0 };
  const text = "x".repeat(bytes);
  const mount: Mount = {
    prefix: "/large",
    handle: async (_, response) => {
      seen.begun += 1;
      response.once("close", () => {
        if (!response.writableFinished) seen.cut += 1;
      });
      response.end(text);
    },
    close: async () => undefined,
  };
  return { mount, seen };
};

/** Answers, and counts the connections that the server has closed since. */
const newcomers = () => {
  let count = 0;
  const mount: Mount = {
    prefix: "/newcomer",
    handle: async (_, response) => {
      response.req.socket.once("close", () => {
        count += 1;
      });
      response.end();
    },
    close: async () => undefined,
  };
  return { mount, gone: () => count };
};

describe("a reader that takes nothing", () => {
  test("has no more of its pipelined requests begun than its answers have room", async () => {
    const { mount, seen } = large(2_097_152);
    const { port } = await start({ mounts: [mount] });
    const deaf = open(port, get(port, "/large").repeat(1_000));
    deaf.socket.pause();
    await eventually(() => seen.begun > 0);
    for (let probe = 0; probe < 20; probe += 1) expect((await send(port, { path: "/livez" })).status).toBe(200);
    expect(seen.begun).toBeLessThan(16);
  });

  test("has eight requests answered at once, and is read no further", async () => {
    let begun = 0;
    const mount: Mount = {
      prefix: "/held",
      handle: async () => {
        begun += 1;
      },
      close: async () => undefined,
    };
    const { port } = await start({ mounts: [mount] });
    open(port, get(port, "/held").repeat(50));
    await eventually(() => begun === 8);
    for (let probe = 0; probe < 20; probe += 1) expect((await send(port, { path: "/livez" })).status).toBe(200);
    expect(begun).toBe(8);
  });

  test("gets all of its answers, in order, when it begins to read", async () => {
    const { port } = await start();
    const text = Array.from({ length: 500 }, (_, at) => get(port, `/api/wire/sum?a=${at}&b=0`)).join("");
    const deaf = open(port, text);
    deaf.socket.pause();
    expect((await send(port, { path: "/livez" })).status).toBe(200);
    deaf.socket.resume();
    const received = await deaf.until((all) => all.split("HTTP/1.1 200 ").length > 500);
    expect([...received.matchAll(/\r\n\r\n(\d+)/g)].map(([, sum]) => Number(sum))).toEqual(
      Array.from({ length: 500 }, (_, at) => at),
    );
  });

  test("is the first to be cut off when the budget of all is used up", async () => {
    const { mount, seen } = large(8_388_608);
    const { port } = await start({ mounts: [mount], limits: { bytes: { total: 20_000_000, reader: 16_777_216 } } });
    for (let at = 1; at <= 4; at += 1) {
      open(port, get(port, "/large")).socket.pause();
      await eventually(() => seen.begun === at);
    }
    await eventually(() => seen.cut > 0);
    expect(seen.cut).toBeLessThan(4);
  });
});

test("a reader that lets too much of a stream wait is cut off, though nothing else waits", async () => {
  const chunk = Buffer.alloc(1_048_576);
  let written = 0;
  const { promise: cut, resolve } = Promise.withResolvers<void>();
  const mount: Mount = {
    prefix: "/stream",
    handle: async (_, response) => {
      const writer = new StreamWriter(response);
      while (!writer.isGone && written < 100) {
        written += 1;
        // Whoever writes on does not wait for room.
        void writer.write(chunk);
        await new Promise(setImmediate);
      }
      resolve();
    },
    close: async () => undefined,
  };
  const { port } = await start({ mounts: [mount] });
  const deaf = open(port, get(port, "/stream"));
  deaf.socket.pause();
  await cut;
  // What the system itself takes for the reader comes on top.
  expect(written).toBeGreaterThan(16);
  expect(written).toBeLessThan(60);
});

test("a body that trickles in counts for the budget while it is read", async () => {
  const { port } = await start({ limits: { bytes: { total: 300_000, reader: 16_777_216 } } });
  const head = `POST /api/wire/list HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
  const modest = open(port, head);
  const greedy = open(port, head);
  modest.socket.write(" ".repeat(1_000));
  for (let part = 0; part < 40 && !greedy.socket.closed; part += 1) {
    greedy.socket.write(" ".repeat(10_000));
    await send(port, { path: "/livez" });
  }
  expect(await isCut(greedy)).toBe(true);
  expect(modest.socket.closed).toBe(false);
});

test("a reader that takes a byte now and then is cut off like one that takes none", async () => {
  const { mount, seen } = large(16_777_216);
  const { port } = await start({ mounts: [mount], times: { stall: 300, check: 20 } });
  const slow = open(port, get(port, "/large"));
  slow.socket.pause();
  const sips = setInterval(() => slow.socket.read(1), 20);
  await eventually(() => seen.cut === 1);
  clearInterval(sips);
});

describe("a full table of connections", () => {
  const limits = { most: 20, perAddress: 20, perPrincipal: 20 };

  test("ends the oldest that never sent a request, for a newcomer", async () => {
    const { mount, gone } = newcomers();
    const { port } = await start({ limits, mounts: [mount] });
    const slow = Array.from({ length: 20 }, () => open(port, "GET / HTTP/1.1\r\n"));
    await Promise.all(slow.map(({ socket }) => once(socket, "connect")));
    for (let newcomer = 1; newcomer <= 10; newcomer += 1) {
      expect((await send(port, { path: "/newcomer" })).status).toBe(200);
      // The next one takes its place.
      await eventually(() => gone() === newcomer);
    }
    await eventually(() => slow.filter(({ socket }) => socket.closed).length === 1);
    expect(slow[0]?.socket.closed).toBe(true);
  });

  test("ends those that rest before those that are at work, and refuses when all are", async () => {
    const { port } = await start({ limits });
    const resting = open(port, get(port, "/version"));
    await resting.until((text) => text.includes("version"));
    const working = Array.from({ length: 19 }, () => open(port, get(port, "/api/wire/endless")));
    await Promise.all(working.map(({ until }) => until((text) => text.includes("data: 1"))));
    const last = open(port, get(port, "/api/wire/endless"));
    await last.until((text) => text.includes("data: 1"));
    expect(await isCut(resting)).toBe(true);
    await expect(send(port, { path: "/livez" })).rejects.toThrow(/ECONNRESET|socket hang up/);
    expect(working.filter(({ socket }) => socket.closed)).toEqual([]);
  });

  test("gives requests less and less time to arrive", async () => {
    const times = { headers: 20_000, request: 20_000, check: 20 };
    const full = await start({ limits, times });
    // Without less time in the full table it is cut first.
    const calm = await start({ times: { headers: 15_000, request: 15_000, check: 20 } });
    const slow = Array.from({ length: 20 }, () => open(full.port, "GET / HTTP/1.1\r\n"));
    const alone = open(calm.port, "GET / HTTP/1.1\r\n");
    // Once the first are gone, those that were accepted late have more time again.
    const first = Promise.race(slow.map(isCut)).then(() => "in the full table");
    expect(await Promise.race([first, isCut(alone).then(() => "alone")])).toBe("in the full table");
  });
});

test("one principal has no more connections than its share, and keeps those that are at work", async () => {
  const principal = { id: "p", access: ["read" as const], rate: { perSecond: 1_000, concurrent: 1_000 } };
  const { port } = await start({
    limits: { most: 100, perAddress: 100, perPrincipal: 3 },
    rules: { authenticate: () => principal },
  });
  const streams = Array.from({ length: 3 }, () => open(port, get(port, "/api/wire/endless")));
  await Promise.all(streams.map(({ until }) => until((text) => text.includes("data: 1"))));
  expect((await send(port, { path: "/version" })).status).toBe(429);
  streams[0]?.socket.destroy();
  await expect.poll(async () => (await send(port, { path: "/version" })).status).toBe(200);
});

describe("a server that stops", () => {
  test("answers what its connections send meanwhile, and says that it was the last", async () => {
    const running = await start({ times: { quiet: 10_000 } });
    const lane = open(running.port, get(running.port, "/version"));
    await lane.until((text) => text.includes("version"));
    const closed = running.close();
    fixture = undefined;
    let answers = 0;
    while (!(await lane.until((text) => text.split("\r\n\r\n42").length > answers)).includes("onnection: close")) {
      lane.socket.write(get(running.port, "/api/wire/sum?a=20&b=22"));
      answers += 1;
    }
    expect((await lane.ended).split("\r\n\r\n42").length).toBe(answers + 1);
    await closed;
  });

  test("ends resting connections after a while, and does not wait for half a request for long", async () => {
    const running = await start({ times: { quiet: 50, arrival: 100, drain: 60_000 } });
    const resting = open(running.port, get(running.port, "/version"));
    await resting.until((text) => text.includes("version"));
    const half = open(running.port, "GET / HTTP/1.1\r\n");
    await once(half.socket, "connect");
    await send(running.port, { path: "/livez" });
    const began = performance.now();
    await running.close();
    fixture = undefined;
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(await isCut(half)).toBe(true);
    expect(await isCut(resting)).toBe(true);
  });
});
