/** Clients whose bytes come at the wrong time: a byte now and then, never the rest, or a reset in the midst of a request or of its answer. */
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { findLostDescriptors } from "./kernel-process.ts";
import { Random } from "./random.ts";
import { longestMs, openSocket, sendBytes } from "./send.ts";
import { each, type StageResult, type StageSetup } from "./stage.ts";

/** Of the quick run. */
const quick = { drips: 10, stalls: 10, resets: 300 };

export const timeFaults = async ({ seed, scale, start }: StageSetup): Promise<StageResult> => {
  const kernel = await start();
  const host = `127.0.0.1:${kernel.port}`;
  const body = JSON.stringify({ value: "drip" });
  const call =
    `POST /api/selftest/echo HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const page = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  const random = new Random(seed);
  await sendBytes(kernel.port, Buffer.from(call));
  const before = kernel.descriptors();
  const problems: string[] = [];
  const [many, stalls, resets] = [quick.drips * scale, Math.min(quick.stalls * scale, 100), quick.resets * scale];
  const stalling = Promise.all(
    Array.from({ length: stalls }, async () => {
      const cut = 1 + random.below(call.length - 1);
      if (!(await isEnded(openSocket(kernel.port), call.slice(0, cut)))) problems.push(`a request cut at ${cut} hung`);
    }),
  );
  await each(many, {
    atOnce: 10,
    work: async () => {
      let status: string | undefined = "408";
      // Where the machine stood still for seconds, the request did come too late.
      for (let tries = 0; status === "408" && tries < 3; tries += 1) status = await drip(openSocket(kernel.port), call);
      if (status !== "200") problems.push(`a request in pieces was answered ${status}`);
    },
  });
  await each(resets, {
    atOnce: 8,
    work: async () => reset(openSocket(kernel.port), random.below(2) === 0 ? call : page, random),
  });
  await stalling;
  const isAlive = (await sendBytes(kernel.port, Buffer.from(call))).status === 200;
  if (!isAlive) problems.push("the kernel does not answer any more");
  const lost = await findLostDescriptors(kernel, before);
  if (lost !== undefined) problems.push(lost);
  const code = await kernel.end("SIGTERM");
  if (code !== 0) problems.push(`it ended with ${code}: ${kernel.stderr()}`);
  return {
    name: "drips, stalls and resets",
    ok: problems.length === 0,
    figures: `${many} requests in pieces, ${stalls} that never end, ${resets} reset; ${problems.length} problems`,
    problems,
  };
};

/** Sends the request in ten pieces; the status of its answer. */
const drip = async (socket: Socket, text: string): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  socket.on("data", (part) => parts.push(part));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const size = Math.ceil(text.length / 10);
  for (let at = 0; at < text.length; at += size) {
    socket.write(text.slice(at, at + size));
    await pause(5);
  }
  await closed;
  return /^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(parts).toString("latin1"))?.[1];
};

/** Sends a part and then nothing; whether the other side ends it within the time that it gives a request. */
const isEnded = (socket: Socket, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    socket.resume().write(text);
    socket.setTimeout(longestMs, () => {
      resolve(false);
      socket.destroy();
    });
    socket.once("close", () => resolve(true));
  });

/** Resets the connection after a part of the request, after all of it, or at the first bytes of the answer. */
const reset = (socket: Socket, text: string, random: Random): Promise<void> =>
  new Promise((resolve) => {
    const at = random.below(3);
    const part = at === 0 ? text.slice(0, 1 + random.below(text.length)) : text;
    socket.once("close", () => resolve());
    socket.setTimeout(longestMs, () => socket.destroy());
    if (at === 2) socket.once("data", () => socket.resetAndDestroy());
    socket.write(part, () => {
      if (at !== 2) socket.resetAndDestroy();
    });
  });
