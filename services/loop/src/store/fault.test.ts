/** A disk that is full, a database that somebody else holds, a write-ahead log that lost its end: refused clearly, or taken up again. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { loadRun } from "../session/load-run.ts";
import { formatState } from "../state/state-document.ts";
import { temporaryFolder, tickingClock } from "../testing/repository.ts";
import { countingIds } from "../value/id.ts";
import { openDatabase } from "./database.ts";
import { openStore } from "./store.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const open = (): Promise<DirectClient> => DirectClient.create({ projectPath: folder.path });

const refusal = (why: RegExp) =>
  expect.objectContaining({ code: "unavailable", message: expect.stringMatching(why), hint: expect.any(String) });

/** Nudges with long hints until one is refused; says how many were acknowledged and what the refusal was. */
const nudger = `
const { DirectClient } = await import(${JSON.stringify(new URL("../direct-client.ts", import.meta.url).href)});
const client = await DirectClient.create({ projectPath: process.argv[1] });
client.startSession();
for (let acknowledged = 0; ; acknowledged += 1) {
  const refused = await client.nudge("x".repeat(20_000)).then(() => undefined, (problem) => problem);
  if (refused === undefined) continue;
  const { code, message, hint } = refused;
  console.log(JSON.stringify({ acknowledged, code, message, hint }));
  break;
}
`;

describe("a project's state", () => {
  it.runIf(process.platform !== "win32")(
    "on a full disk: the call is refused, and nothing acknowledged is lost",
    async () => {
      const limited = spawn(
        "/bin/sh",
        [
          "-c",
          'ulimit -f 1200; exec "$@"',
          "sh",
          process.execPath,
          "--conditions=@fairlead/source",
          "--input-type=module",
          "--eval",
          nudger,
          folder.path,
        ],
        { stdio: ["ignore", "pipe", "ignore"] },
      );
      const [said] = await Promise.all([text(limited.stdout), once(limited, "close")]);
      const { acknowledged, ...refused } = JSON.parse(said) as { readonly acknowledged: number };
      expect(refused).toEqual(refusal(/nothing was recorded/));
      expect(acknowledged).toBeGreaterThan(2);
      const client = await open();
      const { run_id } = client.getState() as { readonly run_id: string };
      expect((await client.nudge("there is room again")).message).toContain("next scout prompt");
      await client.close();
      const log = readFileSync(join(folder.path, ".promptwheel/runs", run_id, "events.ndjson"), "utf8");
      expect(log.match(/"type":"USER_OVERRIDE"/g)).toHaveLength(acknowledged + 1);
    },
  );

  it("that another program holds is not waited for long, and not written", async () => {
    const client = await open();
    client.startSession();
    const holder = new Database(join(folder.path, ".promptwheel/state.sqlite"));
    holder.exec("BEGIN IMMEDIATE");
    await expect(client.nudge("a")).rejects.toEqual(refusal(/another program holds it \(SQLITE_BUSY\)/));
    holder.exec("ROLLBACK");
    holder.close();
    expect((await client.nudge("b")).pending_hints).toEqual(["b"]);
    await client.close();
  });

  if (inLongTier) {
    it("whose write-ahead log lost its end, wherever it was cut, is that of an earlier moment", async () => {
      const client = await DirectClient.create({ projectPath: folder.path, clock: tickingClock(), ids: countingIds() });
      client.startSession();
      const moments = [client.getState()];
      await client.advance();
      moments.push(client.getState());
      for (let hint = 0; hint < 5; hint += 1) {
        await client.nudge(`hint ${hint}`);
        moments.push(client.getState());
      }
      const copy = join(folder.path, "copy");
      mkdirSync(copy);
      const [whole, cut] = ["state.sqlite", "cut.sqlite"].map((name) => join(copy, name));
      if (whole === undefined || cut === undefined) throw new Error("two names");
      for (const end of ["", "-wal"]) cpSync(join(folder.path, `.promptwheel/state.sqlite${end}`), whole + end);
      await client.close();
      const size = readFileSync(`${whole}-wal`).length;
      const tail = Array.from({ length: 64 }, (_, n) => size - n * 64 - (n % 7));
      const all = Array.from({ length: 64 }, (_, n) => Math.floor((size * n) / 64));
      const seen = new Set<number>();
      for (const length of [...tail, ...all]) {
        cpSync(whole, cut);
        cpSync(`${whole}-wal`, `${cut}-wal`);
        truncateSync(`${cut}-wal`, length);
        const store = openStore(openDatabase(cut));
        const run = store.activeRun();
        if (run !== undefined) {
          const { state, seq } = loadRun(store, run);
          expect(moments).toContainEqual(formatState(state));
          seen.add(seq);
        }
        store.close();
      }
      expect(seen.size).toBe(moments.length);
    });
  }
});
