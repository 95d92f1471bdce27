/**
 * Kills a process that commits and parks tickets, at random instants, again and again: the repository stays sound, a person's edits stay as
 * they are, and no ticket is committed twice. A count for each tier.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { findGits } from "./process.ts";
import { type Repository, temporaryRepository } from "./repository.ts";

const child = fileURLToPath(new URL("tree-kill-child.ts", import.meta.url));

/** When a process is killed: after so many lines, and so many milliseconds. */
interface Instant {
  readonly lines: number;
  readonly delayMs: number;
}

/** Of the tier's seed, as properties are. */
const drawInstants = (count: number): readonly Instant[] =>
  fc.sample(fc.noBias(fc.record({ lines: fc.nat(39), delayMs: fc.nat(59) })), count);

const runUntilKilled = async (folder: string, { lines, delayMs }: Instant): Promise<void> => {
  const running = spawn(process.execPath, ["--conditions=@fairlead/source", child, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let left = lines;
  createInterface({ input: running.stdout }).on("line", async () => {
    left -= 1;
    if (left !== -1) return;
    const signal = AbortSignal.timeout(delayMs);
    if (!signal.aborted) await once(signal, "abort");
    running.kill("SIGKILL");
  });
  const [code, signal] = (await once(running, "close")) as [number | null, string | null];
  expect([code, signal]).toEqual([null, "SIGKILL"]);
};

const checkPerson = ({ path, git }: Repository): void => {
  expect(readFileSync(join(path, "own/notes.txt"), "utf8")).toBe("a person's notes\n");
  expect(readFileSync(join(path, "own/staged.txt"), "utf8")).toBe("a person's staged text\n");
  expect(git("log", "--branches", "--format=", "--name-only", "--", "own").trim()).toBe("own/staged.txt");
  expect(git("fsck", "--strict", "--no-dangling")).toBe("");
};

/** Kills of one repository: each is followed by a look at all that it holds, which takes longer the more that is. */
const killsEach = 100;

const killInRepository = async (instants: readonly Instant[]): Promise<void> => {
  const repository = temporaryRepository({ "src/part-1.ts": "one\n", "own/staged.txt": "first\n" });
  onTestFinished(() => repository.remove());
  const { path, git } = repository;
  repository.write("own/staged.txt", "a person's staged text\n");
  git("add", "own/staged.txt");
  repository.write("own/notes.txt", "a person's notes\n");
  for (const instant of instants) {
    await runUntilKilled(path, instant);
    // Its git dies with it, in a time that is the machine's. The product waits ten seconds for that.
    await expect.poll(() => findGits(path)).toEqual([]);
    checkPerson(repository);
  }
  const client = await DirectClient.create({ projectPath: path });
  if (client.getState() !== null) await client.endSession();
  await client.close();
  checkPerson(repository);
  expect(existsSync(join(path, ".git/index.lock"))).toBe(false);
  expect(git("diff", "--cached", "--name-only").trim()).toBe("own/staged.txt");
  const tickets = git("log", "main", "--format=%(trailers:key=Ticket,valueonly,separator=%x2C)")
    .split("\n")
    .filter((line) => line !== "");
  expect(new Set(tickets).size).toBe(tickets.length);
};

/** The property over so many kills. `reached` is given how many were made, with each repository. */
export const testTreeKills = (kills: number, reached?: (kills: number) => void) =>
  it(`a server that is killed while it commits and parks leaves a sound repository and no work twice: ${kills} kills`, async () => {
    const instants = drawInstants(kills);
    for (let from = 0; from < kills; from += killsEach) {
      await killInRepository(instants.slice(from, from + killsEach));
      reached?.(Math.min(kills, from + killsEach));
    }
  }, 12_000_000);
