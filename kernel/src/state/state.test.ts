import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { localPrincipal, type Reply } from "../call/call.ts";
import { StoredAnswers } from "../policy/idempotency.ts";
import { answerLifetimeMs } from "./answer-table.ts";
import { openEventStore } from "./event-store.ts";
import { examineState } from "./examine.ts";
import { groupCommit } from "./group-commit.ts";
import { StateFile, type StateFileOptions } from "./state-file.ts";

const freshFile = (): string => join(mkdtempSync(join(tmpdir(), "fairlead-state-")), "state.sqlite");
/** Rows on the disk, old or not. */
const countOf = (place: string): unknown => {
  const database = new Database(place, { readonly: true });
  const count: unknown = database.prepare("SELECT count(*) FROM answers").pluck().get();
  database.close();
  return count;
};
interface TestOptions extends Partial<Omit<StateFileOptions, "limits">> {
  readonly mostBytes?: number;
  readonly mostOfOne?: number;
}

/** The file without its thread. */
const openState = (
  file: string,
  { mostBytes = 268_435_456, mostOfOne = mostBytes / 4, ...options }: TestOptions = {},
) => {
  const limits = { mostBytes, mostOfOne, unlimited: localPrincipal.id };
  const answers = new StateFile(file, { onDamage: () => undefined, ...options, limits });
  return {
    file: answers,
    answers: groupCommit(async (writes) => answers.commit(writes)),
    sweep: () => answers.sweep(),
    close: () => answers.close(),
  };
};
type KernelState = ReturnType<typeof openState>;

const use = { principal: "p", procedure: "x.pay", key: "k", input: "digest" };
const paid: Reply = { ok: true, value: { amount: 5 } };

describe("stored answers", () => {
  it("outlive the process and are replayed byte for byte", async () => {
    const place = freshFile();
    const first = openState(place);
    await new StoredAnswers(async () => first.answers).run(use, async () => paid);
    first.close();
    const second = openState(place);
    const again = await new StoredAnswers(async () => second.answers).run(use, async () => {
      throw new Error("ran twice");
    });
    expect(again).toEqual(paid);
    second.close();
  });

  it("report a run that was cut off instead of repeating it", async () => {
    const place = freshFile();
    const first = openState(place);
    await first.answers.claim(use);
    first.close();
    const second = openState(place);
    await expect(new StoredAnswers(async () => second.answers).run(use, async () => paid)).rejects.toMatchObject({
      code: "aborted",
    });
    second.close();
  });

  it("are not kept for a failure that may be repeated, and not for ever", async () => {
    let now = 1_000;
    const state = openState(freshFile(), { now: () => now });
    const keyed = new StoredAnswers(async () => state.answers);
    const down: Reply = { ok: false, error: { code: "unavailable", message: "down", retryable: true } };
    expect(await keyed.run(use, async () => down)).toEqual(down);
    expect(await keyed.run(use, async () => paid)).toEqual(paid);
    now += answerLifetimeMs + 1;
    expect(await state.answers.claim(use)).toBe("claimed");
    state.close();
  });

  it("go when they are old, although no caller uses a key any more", async () => {
    const place = freshFile();
    let now = 1_000;
    const state = openState(place, { now: () => now });
    await Promise.all(Array.from({ length: 1_200 }, (_, at) => state.answers.claim({ ...use, key: `k${at}` })));
    expect(countOf(place)).toBe(1_200);
    now += answerLifetimeMs + 1;
    state.sweep();
    expect(countOf(place)).toBe(200);
    state.sweep();
    expect(countOf(place)).toBe(0);
    state.close();
  });

  it("take no new key beyond the largest size, and still give what is there", async () => {
    const state = openState(freshFile(), { mostBytes: 200_000, mostOfOne: 1_000_000 });
    const keyed = new StoredAnswers(async () => state.answers);
    const long: Reply = { ok: true, value: "x".repeat(50_000) };
    const runs = async (key: string) => keyed.run({ ...use, key }, async () => long);
    for (let at = 0; at < 3; at += 1) expect(await runs(`k${at}`)).toEqual(long);
    await expect(runs("k3")).rejects.toMatchObject({ code: "resource_exhausted", retryAfterMs: 60_000 });
    const again = await keyed.run({ ...use, key: "k0" }, async () => paid);
    expect(again).toEqual(long);
    await state.answers.release({ ...use, key: "k0" });
    expect(await runs("k3")).toEqual(long);
    state.close();
  });

  it("refuse a key that is empty or too long", async () => {
    const state = openState(freshFile());
    const keyed = new StoredAnswers(async () => state.answers);
    for (const key of ["", "x".repeat(256)]) {
      await expect(keyed.run({ ...use, key }, async () => paid)).rejects.toMatchObject({ code: "invalid_argument" });
    }
    state.close();
  });
});

describe("the clock of stored answers", () => {
  const answered = async (file: string, options: TestOptions) => {
    const state = openState(file, options);
    const tag = await state.answers.claim(use);
    if (tag === "claimed") await state.answers.finish(use, paid);
    state.close();
    return typeof tag === "string" ? tag : tag.tag;
  };

  it("is not the wall's: a jump of 25 hours ends no answer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const file = freshFile();
    expect(await answered(file, {})).toBe("claimed");
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    expect(await answered(file, {})).toBe("answered");
    vi.useRealTimers();
  });

  it("goes on from one kernel to the next, and begins a lifetime again after a restart of the system", async () => {
    const file = freshFile();
    const later = answerLifetimeMs - 1;
    expect(await answered(file, { boot: "a", now: () => 1_000_000 })).toBe("claimed");
    expect(await answered(file, { boot: "a", now: () => 1_000_000 + later })).toBe("answered");
    expect(await answered(file, { boot: "b", now: () => 5 })).toBe("answered");
    expect(await answered(file, { boot: "b", now: () => 5 + later })).toBe("answered");
    expect(await answered(file, { boot: "b", now: () => 5 + answerLifetimeMs + 1 })).toBe("claimed");
  });
});

it("a batch ends at a thousand writes, and at eight million characters of answers", async () => {
  const sizes: number[] = [];
  const store = groupCommit(async (writes) => {
    sizes.push(writes.length);
    return writes.map(() => "done");
  });
  const finish = (count: number, characters: number): Promise<unknown> => {
    const reply: Reply = { ok: true, value: "x".repeat(characters) };
    return Promise.all(Array.from({ length: count }, () => store.finish(use, reply)));
  };
  await finish(1_001, 1);
  await finish(20, 999_000);
  await finish(2, 9_000_000);
  expect(sizes).toEqual([1_000, 1, 8, 8, 4, 1, 1]);
});

it("one principal takes no more than its part of the room", async () => {
  const state = openState(freshFile(), { mostBytes: 1_000_000, mostOfOne: 100_000 });
  const keyed = new StoredAnswers(async () => state.answers);
  const long: Reply = { ok: true, value: "x".repeat(60_000) };
  const runs = async (principal: string, key: string) => keyed.run({ ...use, principal, key }, async () => long);
  await runs("greedy", "a");
  await runs("greedy", "b");
  await expect(runs("greedy", "c")).rejects.toMatchObject({ code: "resource_exhausted" });
  expect(await runs("modest", "a")).toEqual(long);
  for (const key of ["a", "b", "c"]) expect(await runs(localPrincipal.id, key)).toEqual(long);
  await state.answers.release({ ...use, principal: "greedy", key: "a" });
  expect(await runs("greedy", "c")).toEqual(long);
  state.close();
});

it("room is free again when answers are old, also those of an earlier kernel, and of another process", async () => {
  const file = freshFile();
  let now = 1_000;
  const limits = { boot: "a", now: () => now, mostOfOne: 400_000 };
  const long: Reply = { ok: true, value: "\u{1f600}".repeat(50_000) };
  const runs = (state: KernelState, key: string) =>
    new StoredAnswers(async () => state.answers).run({ ...use, key }, async () => long);
  const first = openState(file, limits);
  expect(await runs(first, "a")).toEqual(long);
  now += 1_000;
  expect(await runs(first, "b")).toEqual(long);
  await expect(runs(first, "c")).rejects.toMatchObject({ code: "resource_exhausted" });
  first.close();
  const second = openState(file, limits);
  await expect(runs(second, "c")).rejects.toMatchObject({ code: "resource_exhausted" });
  now += answerLifetimeMs - 500;
  expect(await runs(second, "c")).toEqual(long);
  const other = openState(file, limits);
  await expect(runs(other, "d")).rejects.toMatchObject({ code: "resource_exhausted" });
  await second.answers.release({ ...use, key: "b" });
  expect(await runs(second, "b")).toEqual(long);
  other.close();
  second.close();
});

it("an answer whose claim the thread does not know by its number is kept by its key", async () => {
  const file = freshFile();
  const first = openState(file);
  const second = openState(file);
  let isReplaced = false;
  const replaced = new StateFile(file, {
    onDamage: () => undefined,
    limits: { mostBytes: 1e8, mostOfOne: 1e8, unlimited: "p" },
  });
  const store = groupCommit(async (writes) => (isReplaced ? replaced : first.file).commit(writes));
  expect(await store.claim(use)).toBe("claimed");
  isReplaced = true;
  await store.finish(use, paid);
  expect(await second.answers.claim(use)).toMatchObject({ tag: "answered", reply: paid });
  for (const state of [first, second, replaced]) state.close();
});

it("claims of one batch are rows of their own, and a second one of a key among them is pending", async () => {
  const file = freshFile();
  const state = openState(file);
  const keys = Array.from({ length: 75 }, (_, at) => `k${at % 70}`);
  const claims = await Promise.all(keys.map((key) => state.answers.claim({ ...use, key })));
  expect(claims.slice(0, 70).every((claim) => claim === "claimed")).toBe(true);
  expect(claims.slice(70)).toEqual(Array(5).fill({ tag: "pending", input: "digest" }));
  expect(countOf(file)).toBe(70);
  state.close();
});

it("two processes with one file see each other's keys, also numbers that come after a deleted one", async () => {
  const file = freshFile();
  const [one, other] = [openState(file), openState(file)];
  expect(await one.answers.claim(use)).toBe("claimed");
  expect(await other.answers.claim(use)).toMatchObject({ tag: "pending" });
  await other.answers.release(use);
  expect(await other.answers.claim({ ...use, key: "next" })).toBe("claimed");
  await other.answers.finish({ ...use, key: "next" }, paid);
  expect(await one.answers.claim({ ...use, key: "next" })).toMatchObject({ tag: "answered", reply: paid });
  expect(await one.answers.claim(use)).toBe("claimed");
  one.close();
  other.close();
});

it("answers of the first layout are found in the present one", async () => {
  const file = freshFile();
  const old = new Database(file);
  old.exec(`CREATE TABLE answers (principal TEXT NOT NULL, procedure TEXT NOT NULL, key TEXT NOT NULL, input TEXT NOT NULL, reply TEXT,
      at INTEGER NOT NULL, PRIMARY KEY (principal, procedure, key)) STRICT, WITHOUT ROWID;
    CREATE INDEX answers_by_age ON answers (at); CREATE TABLE events (id INTEGER PRIMARY KEY, start INTEGER NOT NULL, seq INTEGER NOT NULL,
      at INTEGER NOT NULL, type TEXT NOT NULL, service TEXT NOT NULL, data TEXT NOT NULL) STRICT;
    CREATE TABLE boot (id TEXT NOT NULL) STRICT; PRAGMA user_version = 3;`);
  const insert = old.prepare("INSERT INTO answers VALUES ('p', 'x.pay', ?, 'digest', ?, 5)");
  insert.run("k", JSON.stringify(paid));
  insert.run("cut off", null);
  old.close();
  const state = openState(file);
  expect(await state.answers.claim(use)).toMatchObject({ tag: "answered", reply: paid });
  expect(await state.answers.claim({ ...use, key: "cut off" })).toMatchObject({ tag: "pending" });
  state.close();
});

describe("storage that fails", () => {
  it("puts a damaged file aside under a dated name, says so, and begins again", async () => {
    const file = freshFile();
    writeFileSync(file, "no database ".repeat(1_000));
    const aside: string[] = [];
    const state = openState(file, { onDamage: (name) => void aside.push(name) });
    expect(await state.answers.claim(use)).toBe("claimed");
    expect(aside).toEqual([expect.stringMatching(/state\.sqlite\.damaged-\d{4}-\d\d-\d\dT/)]);
    expect(readFileSync(aside[0] ?? "", "utf8")).toContain("no database");
    state.close();
    expect(examineState(dirname(file))).toEqual({ problem: undefined, aside });
  });

  it.each(["boot", "answers"])(
    "puts a file aside that is damaged where opening does not look first: %s",
    async (table) => {
      const file = freshFile();
      const first = openState(file);
      await first.answers.claim(use);
      first.close();
      const database = new Database(file);
      const page = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = ?").pluck().get(table);
      const size = Number(database.pragma("page_size", { simple: true }));
      database.close();
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(0x55, (Number(page) - 1) * size, Number(page) * size));
      const aside: string[] = [];
      const state = openState(file, { onDamage: (name) => void aside.push(name) });
      expect([await state.answers.claim(use), aside.length]).toEqual(["claimed", 1]);
      expect(await state.answers.claim(use)).toMatchObject({ tag: "pending" });
      const events = openEventStore(file, () => undefined);
      events.append(1, [{ seq: 1, at: 1, type: "a", service: "s", data: {} }]);
      events.close();
      state.close();
      expect(countOf(file)).toBe(1);
    },
  );

  it("is found by a look that changes nothing", () => {
    const folder = dirname(freshFile());
    expect(examineState(folder)).toEqual({ problem: undefined, aside: [] });
    writeFileSync(join(folder, "kernel.sqlite"), "no database ".repeat(1_000));
    expect(examineState(folder)).toEqual({ problem: "the kernel's state is damaged", aside: [] });
  });

  it("is unavailable, and no bug of ours", () => {
    const folder = join(mkdtempSync(join(tmpdir(), "fairlead-state-")), ".");
    expect(() => openEventStore(folder, () => undefined)).toThrow(
      expect.objectContaining({ code: "unavailable", hint: expect.stringContaining("doctor") }),
    );
  });

  it("is tried again with the next call, from what is in the file", async () => {
    const file = freshFile();
    const state = openState(file);
    expect(await state.answers.claim(use)).toBe("claimed");
    const other = new Database(file);
    other.exec("ALTER TABLE answers RENAME TO elsewhere");
    await expect(state.answers.finish(use, paid)).rejects.toThrow(/no such table/);
    other.exec("ALTER TABLE elsewhere RENAME TO answers");
    other.close();
    expect(await state.answers.claim(use)).toMatchObject({ tag: "pending" });
    expect(await state.answers.claim({ ...use, key: "next" })).toBe("claimed");
    state.close();
  });

  it("leaves what is known as it was when a batch fails half-way", async () => {
    const file = freshFile();
    const state = openState(file, { mostOfOne: 10_000 });
    const of = (key: string) => ({ ...use, key });
    const long: Reply = { ok: true, value: "x".repeat(6_000) };
    for (const key of ["a", "b"]) expect(await state.answers.claim(of(key))).toBe("claimed");
    await state.answers.finish(of("a"), long);
    const other = new Database(file);
    other.exec(
      "CREATE TRIGGER refuse BEFORE UPDATE ON answers WHEN new.key = 'b' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { answers } = state;
      const batch = [answers.release(of("a")), answers.claim(of("c")), answers.finish(of("b"), long)];
      expect(await Promise.allSettled(batch)).toEqual(Array(3).fill(expect.objectContaining({ status: "rejected" })));
    }
    other.exec("DROP TRIGGER refuse");
    other.close();
    expect(await state.answers.claim(of("a"))).toMatchObject({ tag: "answered" });
    expect(await state.answers.claim(of("c"))).toBe("claimed");
    await state.answers.finish(of("b"), long);
    expect(await state.answers.claim(of("d"))).toBe("full");
    await state.answers.release(of("a"));
    expect(await state.answers.claim(of("d"))).toBe("claimed");
    state.close();
  });

  it("hides no failure of the run behind its own", async () => {
    const state = openState(freshFile());
    const broken = { ...state.answers, release: async () => Promise.reject(new Error("disk full")) };
    const down: Reply = { ok: false, error: { code: "unavailable", message: "down", retryable: true } };
    expect(await new StoredAnswers(async () => broken).run(use, async () => down)).toEqual(down);
    state.close();
  });

  it("does not acknowledge an answer whose key is gone", async () => {
    const state = openState(freshFile());
    const run = () =>
      new StoredAnswers(async () => state.answers).run(use, async () => {
        await state.answers.release(use);
        return paid;
      });
    await expect(run()).rejects.toMatchObject({ code: "data_loss" });
    state.close();
  });

  it("does not run again what ran, when its answer cannot be kept", async () => {
    const state = openState(freshFile());
    const broken = {
      ...state.answers,
      finish: async () => Promise.reject(new Error("disk full")),
    };
    const run = () => new StoredAnswers(async () => broken).run(use, async () => paid);
    await expect(run()).rejects.toMatchObject({ code: "data_loss" });
    await expect(run()).rejects.toMatchObject({ code: "aborted" });
    state.close();
  });
});
