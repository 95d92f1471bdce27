/** Reconnecting leaves no process and no handle behind. A count for each tier. */
import { readdirSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Board, openBoard } from "./board.ts";
import { serveV1 } from "./peers/v1.ts";
import { freshMark, marked } from "./processes.ts";

const file = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** The open handles of this process: number and what each leads to, so that no two that were ever open are the same. */
const handles = (): readonly string[] =>
  readdirSync("/proc/self/fd").flatMap((number) => {
    try {
      return [`${number} ${readlinkSync(`/proc/self/fd/${number}`)}`];
    } catch {
      return [];
    }
  });

/** The tests of so many reconnects, of ten upstreams. */
export const testReconnects = (reconnects: number) =>
  describe(`${reconnects} reconnects`, () => {
    let board: Board | undefined;
    afterEach(async () => {
      await board?.close();
      board = undefined;
    });

    const names = Array.from({ length: 10 }, (_, at) => `up${at}`);
    /** Handles of this process that others in it have open, or may close at any time. */
    let foreign: ReadonlySet<string> = new Set();
    beforeEach(() => {
      foreign = new Set(handles());
    });
    const openFiles = (): number => handles().filter((handle) => !foreign.has(handle)).length;

    const reconnect = async (own: Board, times: number): Promise<void> => {
      const each = names.map(async (name) => {
        for (let at = 0; at < times; at += 1) {
          await own.becomes(name, "connected");
          await own.ask("reconnect", { name });
        }
        await own.becomes(name, "connected");
      });
      await Promise.all(each);
    };

    it("over HTTP leave no handle behind", async () => {
      const peer = await serveV1();
      const own = await openBoard();
      board = own;
      for (const name of names) await own.add(name, peer.url);
      await reconnect(own, 3);
      const before = openFiles();
      await reconnect(own, reconnects / names.length);
      await expect.poll(openFiles).toBeLessThanOrEqual(before);
      await peer.close();
    });

    it("over a process leave no process and no handle behind", async () => {
      const mark = freshMark();
      const small = { command: "sh", args: [file("peers/small.sh")], env: { MARK: mark }, era: "legacy" };
      const own = await openBoard({
        upstreams: Object.fromEntries(names.map((name) => [name, small])),
      });
      board = own;
      await reconnect(own, 3);
      const settled = async (): Promise<readonly number[]> => {
        await expect.poll(() => marked(mark).length % names.length).toBe(0);
        return [marked(mark).length, openFiles()];
      };
      const before = await settled();
      await reconnect(own, reconnects / names.length);
      await expect.poll(settled).toEqual(before);
    });
  });
