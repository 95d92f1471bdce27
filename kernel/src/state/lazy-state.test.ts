import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { Reply } from "../call/call.ts";
import { notAvailable } from "../call/error.ts";
import type { Log } from "../observe/log.ts";
import { StoredAnswers } from "../policy/idempotency.ts";
import { lazyState } from "./lazy-state.ts";

const use = { principal: "p", procedure: "x.pay", key: "k", input: "digest" };
const paid: Reply = { ok: true, value: { amount: 5 } };
const folder = (): string => mkdtempSync(join(tmpdir(), "fairlead-state-"));

/** Overwrites the file under whoever has it open, and leaves nothing of it in the log of changes. */
const damage = (file: string): void => {
  const database = new Database(file);
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
  writeFileSync(file, "no database ".repeat(1_000));
};

const open = (place: string) => {
  const lines: string[] = [];
  const log: Log = (_, message) => void lines.push(message);
  const state = lazyState(place, log);
  return { state, lines, keyed: new StoredAnswers(state.answers) };
};

it("answers of many callers go through the thread, and outlive the kernel", async () => {
  const place = folder();
  const first = open(place);
  const keys = Array.from({ length: 200 }, (_, at) => `k${at}`);
  const runs = keys.map((key) => first.keyed.run({ ...use, key }, async () => ({ ok: true, value: key })));
  expect(await Promise.all(runs)).toEqual(keys.map((value) => ({ ok: true, value })));
  await first.state.close();
  const second = open(place);
  const again = keys.map((key) =>
    second.keyed.run({ ...use, key }, async () => Promise.reject(new Error("ran twice"))),
  );
  expect(await Promise.all(again)).toEqual(keys.map((value) => ({ ok: true, value })));
  expect([first.lines, second.lines]).toEqual([[], []]);
  await second.state.close();
});

it("a close waits for what is on its way: an answer is stored, and a run that could not begin frees its key", async () => {
  const place = folder();
  const first = open(place);
  await first.keyed.run({ ...use, key: "warm" }, async () => paid);
  const down = notAvailable("x.pay", { message: "its service is stopped" });
  const kept = first.keyed.run(use, async () => paid);
  const refused = first.keyed.run({ ...use, key: "free" }, () => Promise.reject(down)).catch((cause: unknown) => cause);
  await first.state.close();
  expect([await kept, await refused, first.lines]).toEqual([paid, down, []]);
  const { state, keyed } = open(place);
  expect(await keyed.run(use, () => Promise.reject(new Error("ran twice")))).toEqual(paid);
  expect(await keyed.run({ ...use, key: "free" }, async () => paid)).toEqual(paid);
  await state.close();
});

it("a storage that fails is said once, shown while it fails, and tried again", async () => {
  const place = folder();
  const file = join(place, "kernel.sqlite");
  mkdirSync(file);
  const { state, lines, keyed } = open(place);
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(keyed.run(use, async () => paid)).rejects.toMatchObject({ code: "unavailable" });
  expect(lines).toEqual(["answers of keyed calls cannot be stored"]);
  expect(state.problem()).toMatchObject({ why: expect.stringContaining("cannot be") });
  rmdirSync(file);
  expect(await keyed.run(use, async () => paid)).toEqual(paid);
  expect(state.problem()).toBeUndefined();
  await state.close();
});

it("a damaged file is put aside by the thread too, and events go on in the new one", async () => {
  const place = folder();
  const { state, lines, keyed } = open(place);
  const events = await state.events();
  damage(join(place, "kernel.sqlite"));
  expect(await keyed.run(use, async () => paid)).toEqual(paid);
  expect(lines).toEqual([expect.stringContaining("was damaged")]);
  const event = { seq: 1, at: 1, type: "a", service: "s", data: {} };
  await events.append(1, [event]);
  events.appendNow(1, [event, { ...event, seq: 2 }]);
  expect(events.read({ start: 1, seq: 0 })).toEqual([]);
  await state.close();
  const later = open(place);
  const stored = await (await later.state.events()).read({ start: 1, seq: 0 });
  expect(stored.map(({ seq }) => seq)).toEqual([1, 2]);
  await later.state.close();
});

it("nothing is opened after it was closed, also by a load that was under way then", async () => {
  const place = folder();
  const { state, keyed } = open(place);
  const underWay = [keyed.run(use, async () => paid), state.events()];
  await state.close();
  const closed = { status: "rejected", reason: expect.objectContaining({ code: "unavailable" }) };
  expect(await Promise.allSettled(underWay)).toEqual([closed, closed]);
  expect(readdirSync(place)).toEqual([]);
  await expect(keyed.run({ ...use, key: "later" }, async () => paid)).rejects.toMatchObject({ code: "unavailable" });
  expect(readdirSync(place)).toEqual([]);
});

it("answers are stored again after an event found the file damaged, and those lost with it are said to be", async () => {
  const place = folder();
  const file = join(place, "kernel.sqlite");
  const { state, lines, keyed } = open(place);
  expect(await keyed.run(use, async () => paid)).toEqual(paid);
  const store = await state.answers();
  const running = { ...use, key: "running" };
  expect(await store.claim(running)).toBe("claimed");
  damage(file);
  const events = await state.events();
  const event = { seq: 1, at: 1, type: "a", service: "s", data: {} };
  events.appendNow(1, [event]);
  expect(lines).toEqual([expect.stringContaining("was damaged")]);
  expect(await keyed.run({ ...use, key: "next" }, async () => paid)).toEqual(paid);
  await expect(store.finish(running, paid)).rejects.toMatchObject({ code: "data_loss" });
  await state.close();
  const later = open(place);
  expect(await (await later.state.answers()).claim({ ...use, key: "next" })).toMatchObject({ tag: "answered" });
  expect((await later.state.events()).read({ start: 1, seq: 0 })).toMatchObject([event]);
  await later.state.close();
});

it("what is shown of a storage that fails names no path", async () => {
  const place = join(folder(), "file");
  writeFileSync(place, "");
  const { state, keyed } = open(place);
  await expect(keyed.run(use, async () => paid)).rejects.toMatchObject({ code: "unavailable" });
  expect(state.problem()?.why).toBe("answers of keyed calls cannot be stored: the kernel's state cannot be written");
  await state.close();
});
