import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { KernelEvent } from "../observe/event.ts";
import { callEvents } from "../observe/events.ts";
import { openDatabase } from "./database.ts";
import { callsAfter, packEvents, unpackCalls } from "./event-batch.ts";
import { EventTable } from "./event-table.ts";

const freshFile = (): string => join(mkdtempSync(join(tmpdir(), "fairlead-events-")), "kernel.sqlite");

const event = (seq: number, type = "call"): KernelEvent => ({
  seq,
  at: 1_000 + seq,
  type,
  service: "s",
  data: { seq },
});

const openTable = (file: string) => {
  const database = openDatabase(file, "NORMAL");
  const table = new EventTable(database);
  return {
    append: (start: number, events: readonly KernelEvent[]) =>
      database.transaction(() => table.append(start, packEvents(events)))(),
    numbers: (place = { start: 1, seq: 0 }, accepts?: (type: string) => boolean) =>
      table.read(place, accepts).map(({ seq }) => seq),
    setOwn: (start: number) => table.setOwn(start),
    close: () => database.close(),
  };
};

const numbered = fc
  .array(fc.constantFrom(...callEvents, "service.state", "log"), { maxLength: 40 })
  .map((types) => types.map((type, at) => event(at + 1, type)));

it("what is packed is what is unpacked, whole and from a number on", () => {
  fc.assert(
    fc.property(numbered, fc.nat(45), (events, seq) => {
      const { calls, others } = packEvents(events);
      const unpacked = calls === undefined ? [] : unpackCalls(calls);
      expect([...unpacked, ...others].toSorted((a, b) => a.seq - b.seq)).toEqual(events);
      const rest = calls && callsAfter(calls, seq);
      expect(rest === undefined ? [] : unpackCalls(rest)).toEqual(unpacked.filter((each) => each.seq > seq));
    }),
    { numRuns: 100 },
  );
});

it("gives every event once and in order, however the writes were cut and overlapped", () => {
  fc.assert(
    fc.property(
      numbered,
      fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 6 }),
      fc.nat(45),
      (events, cuts, seq) => {
        const table = openTable(freshFile());
        // As at the end of a process: what was sent may be stored by then, and comes again with what waits.
        let stored = 0;
        for (const [again, more] of [...cuts, [0, events.length] as const]) {
          const from = Math.max(0, stored - again);
          stored = Math.min(events.length, stored + more);
          table.append(1, events.slice(from, stored));
        }
        table.setOwn(2);
        expect(table.numbers()).toEqual(events.map((each) => each.seq));
        expect(table.numbers({ start: 1, seq })).toEqual(events.map((each) => each.seq).filter((each) => each > seq));
        const rare = (type: string) => !callEvents.has(type);
        expect(table.numbers({ start: 1, seq: 0 }, rare)).toEqual(
          events.filter(({ type }) => rare(type)).map((each) => each.seq),
        );
        table.close();
      },
    ),
    { numRuns: 30 },
  );
});

it("keeps ten thousand calls, and all other events whatever their number", () => {
  const table = openTable(freshFile());
  table.append(1, [event(1, "service.state")]);
  for (let first = 2; first < 24_000; first += 1_000)
    table.append(
      1,
      Array.from({ length: 1_000 }, (_, at) => event(first + at)),
    );
  table.setOwn(2);
  const numbers = table.numbers();
  expect([numbers[0], numbers.at(-1), numbers.length]).toEqual([1, 24_001, 10_001]);
  table.close();
});

it("reads the calls that an earlier release stored one by one", () => {
  const file = freshFile();
  const old = openDatabase(file, "NORMAL");
  old.exec(`DROP TABLE call_batches;
    CREATE TABLE call_events (id INTEGER PRIMARY KEY, start INTEGER, seq INTEGER, at INTEGER, type TEXT, service TEXT, data TEXT);
    INSERT INTO call_events (start, seq, at, type, service, data) VALUES (1, 4, 1004, 'call', 's', '{"seq":4}'), (1, 5, 1005, 'call', 's', '{"seq":5}');
    INSERT INTO events (start, seq, at, type, service, data) VALUES (1, 3, 1003, 'service.state', 's', '{}');`);
  old.pragma(`user_version = ${Number(old.pragma("user_version", { simple: true })) - 1}`);
  old.close();
  const table = openTable(file);
  table.append(2, [event(1)]);
  expect(table.numbers({ start: 1, seq: 3 })).toEqual([4, 5]);
  table.close();
  const read = new Database(file, { readonly: true });
  expect(read.prepare("SELECT name FROM sqlite_master WHERE name = 'call_events'").all()).toEqual([]);
  read.close();
});
