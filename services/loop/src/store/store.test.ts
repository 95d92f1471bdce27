import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { temporaryFolder, tickingClock } from "../testing/repository.ts";
import { countingIds } from "../value/id.ts";
import { limits } from "../value/limits.ts";
import { createCommitter } from "./committer.ts";
import { openDatabase } from "./database.ts";
import { type EventRow, formatLine, isIntactLine, previewPayload } from "./log-line.ts";
import { migrations } from "./migration.ts";
import { type KnownPart, rebuildRunFolder } from "./run-folder.ts";
import { acquireLock } from "./session-lock.ts";
import { openStore } from "./store.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const row = (change: Partial<EventRow> = {}): EventRow => ({
  seq: 1,
  id: "evt_000000000001",
  at: 0,
  step: 3,
  type: "QA_PASSED",
  payload: '{"summary":"ok"}',
  context: "{}",
  ...change,
});

describe("a log line", () => {
  it("is JSON with its checksum last, and shows any change of itself", () => {
    const line = formatLine(row());
    expect(JSON.parse(line)).toMatchObject({
      seq: 1,
      step: 3,
      type: "QA_PASSED",
      payload: { summary: "ok" },
      ts: "1970-01-01T00:00:00.000Z",
    });
    expect(isIntactLine(line)).toBe(true);
    fc.assert(
      fc.property(fc.nat({ max: line.length - 1 }), fc.constantFrom("x", "0", " ", ""), (at, replacement) => {
        const changed = line.slice(0, at) + replacement + line.slice(at + 1);
        if (changed !== line) expect(isIntactLine(changed)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("shows a large payload as a preview with its size", () => {
    const payload = JSON.stringify({ text: "é".repeat(100_000) });
    const preview = JSON.parse(previewPayload(payload)) as { preview: string; cut: boolean; bytes: number };
    expect(preview).toMatchObject({ cut: true, bytes: Buffer.byteLength(payload) });
    expect(Buffer.byteLength(preview.preview)).toBeLessThanOrEqual(limits.preview + 3);
    expect(isIntactLine(formatLine(row({ payload })))).toBe(true);
  });
});

describe("the database", () => {
  it("is durable, strict and ours", () => {
    const db = openDatabase(join(folder.path, "a.sqlite"));
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(() => db.exec("INSERT INTO memory VALUES ('learnings', x'00')")).toThrow();
    db.close();
    openDatabase(join(folder.path, "a.sqlite")).close();
  });

  it("of an older schema is brought up, after a copy of it was made", () => {
    const path = join(folder.path, "a.sqlite");
    const old = new Database(path);
    old.exec(`${migrations[0]}; PRAGMA application_id = ${0x666c646c}; PRAGMA user_version = 1`);
    old.exec("INSERT INTO runs VALUES ('run_000000000001', 'ses_000000000001', 'default', 0, 1, 'DONE', 0)");
    old.close();
    writeFileSync(`${path}.before-${migrations.length}`, "a copy that was cut off");
    const db = openDatabase(path);
    expect(db.pragma("user_version", { simple: true })).toBe(migrations.length);
    expect(openStore(db).runs(10)).toMatchObject([{ run_id: "run_000000000001" }]);
    db.close();
    const copy = new Database(`${path}.before-${migrations.length}`);
    expect(copy.pragma("user_version", { simple: true })).toBe(1);
    copy.close();
  });

  it.each([
    ["no database", (path: string) => writeFileSync(path, "x".repeat(10_000))],
    ["somebody else's", (path: string) => new Database(path).exec("CREATE TABLE t (a)").close()],
    ["a newer one", (path: string) => openDatabase(path).exec("PRAGMA user_version = 999").close()],
  ])("refuses %s with the way out, and leaves it alone", (_what, make) => {
    const path = join(folder.path, "a.sqlite");
    make(path);
    const before = readFileSync(path);
    expect(() => openDatabase(path)).toThrow(expect.objectContaining({ code: "data_loss", reason: "damaged" }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe("the committer", () => {
  it("commits units that arrive together in one transaction, and a failing one takes no other with it", async () => {
    const db = new Database(join(folder.path, "a.sqlite"));
    db.exec("CREATE TABLE t (a)");
    let commits = 0;
    let rollbacks = 0;
    const committer = createCommitter(db, {
      committed: () => {
        commits += 1;
      },
      rolledBack: () => {
        rollbacks += 1;
      },
    });
    const add = (value: number) => committer.run(() => db.prepare("INSERT INTO t VALUES (?)").run(value).changes);
    const outcomes = await Promise.allSettled([
      add(1),
      committer.run(() => {
        db.exec("INSERT INTO t VALUES (99)");
        throw new Error("no");
      }),
      add(2),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(db.prepare("SELECT a FROM t ORDER BY a").pluck().all()).toEqual([1, 2]);
    expect([commits, rollbacks]).toEqual([1, 1]);
    expect(committer.runNow(() => 7)).toBe(7);
    expect(() =>
      committer.runNow(() => {
        throw new Error("no");
      }),
    ).toThrow("no");
    db.close();
    await expect(add(3)).rejects.toThrow();
  });
});

describe("the lock", () => {
  it("is held once, and free again after release", () => {
    const path = join(folder.path, "lock");
    const first = acquireLock(path);
    expect(first).toBeDefined();
    expect(acquireLock(path)).toBeUndefined();
    first?.release();
    const second = acquireLock(path);
    expect(second).toBeDefined();
    second?.release();
  });

  it("keeps a second process's client out with the owner's id, and lets it look", async () => {
    const first = await DirectClient.create({ projectPath: folder.path });
    first.startSession();
    await first.advance();
    const second = await DirectClient.create({ projectPath: folder.path });
    expect(second.getState()).toEqual(first.getState());
    await expect(second.advance()).rejects.toMatchObject({ reason: "project_busy", data: { pid: process.pid } });
    expect(() => second.startSession()).toThrow(expect.objectContaining({ reason: "project_busy" }));
    await first.close();
    expect((await second.advance()).next_action).toBe("PROMPT");
    await second.close();
  });
});

describe("the run folder", () => {
  const prepare = async (): Promise<{ run: `run_${string}`; home: string }> => {
    const client = await DirectClient.create({ projectPath: folder.path, clock: tickingClock(), ids: countingIds() });
    const { run_id } = client.startSession();
    await client.advance();
    await client.ingestEvent("SCOUT_OUTPUT", { proposals: [] });
    await client.nudge("a hint");
    await client.close();
    return { run: run_id as `run_${string}`, home: join(folder.path, ".promptwheel") };
  };

  it("is repaired from every torn tail, and from damage in the middle", async () => {
    const { run, home } = await prepare();
    const log = join(home, "runs", run, "events.ndjson");
    const whole = readFileSync(log);
    const store = openStore(openDatabase(join(home, "state.sqlite")));
    const rebuild = (content: Buffer | string): void => {
      writeFileSync(log, content);
      rebuildRunFolder(home, store, { runId: run, state: {} });
      expect(readFileSync(log).equals(whole)).toBe(true);
    };
    for (let length = 0; length <= whole.length; length += inLongTier ? 1 : 17) rebuild(whole.subarray(0, length));
    for (let at = 0; at < whole.length; at += inLongTier ? 37 : 331) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      rebuild(damaged);
    }
    rebuild(Buffer.concat([whole, Buffer.from('{"half a line')]));
    rebuild("not ours at all\n");
    store.close();
  });

  it("has its many files back where they differ, and of the older ones only those are read", async () => {
    const { run, home } = await prepare();
    const store = openStore(openDatabase(join(home, "state.sqlite")));
    const paths = Array.from({ length: 300 }, (_, at) => `artifacts/${at}-note.txt`);
    for (const path of paths) store.saveFile(run, { path, body: `the note ${path}` }, 2);
    const read: string[] = [];
    const counting = {
      ...store,
      file: (...place: Parameters<typeof store.file>) => {
        read.push(place[1]);
        return store.file(...place);
      },
    };
    const rebuild = (known?: KnownPart): KnownPart => {
      read.length = 0;
      return rebuildRunFolder(home, counting, { runId: run, state: {}, known });
    };
    const known = rebuild();
    expect(read.length).toBeGreaterThanOrEqual(300);
    rebuild();
    expect(read).toHaveLength(100);
    const [first = "", last = ""] = [paths[0], store.fileEntries(run).at(-1)?.path].map((path) =>
      join(home, "runs", run, path ?? ""),
    );
    for (const path of [first, last]) {
      const whole = readFileSync(path, "utf8");
      for (const damage of ["", whole.slice(0, 5), `${whole}!`]) {
        writeFileSync(path, damage);
        rebuild();
        expect(readFileSync(path, "utf8")).toBe(whole);
      }
    }
    store.saveFile(run, { path: "artifacts/new.txt", body: "new" }, known.seq);
    expect(rebuild(known).bytes).toBe(known.bytes);
    expect(read).toEqual(["artifacts/new.txt"]);
    writeFileSync(join(home, "runs", run, "events.ndjson"), "");
    expect(rebuild(known)).toEqual(known);
    store.close();
  });

  it("is repaired when the project is opened, before any call, also after the session's end", async () => {
    const { run, home } = await prepare();
    const log = join(home, "runs", run, "events.ndjson");
    const open = async (): Promise<DirectClient> => DirectClient.create({ projectPath: folder.path });
    const whole = readFileSync(log, "utf8");
    writeFileSync(log, whole.slice(0, 300));
    await (await open()).close();
    expect(readFileSync(log, "utf8")).toBe(whole);
    const client = await open();
    await client.endSession();
    await client.close();
    const ended = readFileSync(log, "utf8");
    writeFileSync(log, whole);
    writeFileSync(join(home, "loop-state.json"), "{}");
    await (await open()).close();
    expect(readFileSync(log, "utf8")).toBe(ended);
    expect(() => readFileSync(join(home, "loop-state.json"))).toThrow();
  });

  it("comes back when it was deleted", async () => {
    const { run, home } = await prepare();
    const before = readFileSync(join(home, "runs", run, "events.ndjson"), "utf8");
    rmSync(join(home, "runs"), { recursive: true });
    const client = await DirectClient.create({ projectPath: folder.path });
    await client.nudge("again");
    await client.close();
    expect(readFileSync(join(home, "runs", run, "events.ndjson"), "utf8").startsWith(before)).toBe(true);
    expect(readFileSync(join(home, "runs", run, "artifacts/1-scout-proposals.json"), "utf8")).toContain("accepted");
  });

  it("is never written through a symlink; the call itself goes on", async () => {
    const { run, home } = await prepare();
    const target = temporaryFolder();
    rmSync(join(home, "runs", run), { recursive: true });
    symlinkSync(target.path, join(home, "runs", run));
    const client = await DirectClient.create({ projectPath: folder.path });
    expect((await client.nudge("again")).pending_hints).toHaveLength(2);
    await client.close();
    expect(() => readFileSync(join(target.path, "state.json"))).toThrow();
    target.remove();
  });

  it("is refused as a whole when .promptwheel is a symlink", async () => {
    const target = temporaryFolder();
    mkdirSync(join(folder.path, "project"));
    symlinkSync(target.path, join(folder.path, "project/.promptwheel"));
    await expect(DirectClient.create({ projectPath: join(folder.path, "project") })).rejects.toMatchObject({
      code: "failed_precondition",
    });
    target.remove();
  });
});
