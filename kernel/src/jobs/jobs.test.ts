/** Jobs of a service: what its outbox starts and what it does not, and schedules over a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, FairleadError, mutation } from "@fairlead/contracts";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { openKernel } from "../boot/kernel.ts";
import type { Host } from "../service/host.ts";
import { defineService } from "../service/service.ts";
import { type JobDatabase, type JobOutbox, openOutbox } from "./outbox.ts";
import { openSchedules } from "./schedules.ts";

const todo = defineContract({
  id: "todo",
  version: "1.0.0",
  summary: "Todos.",
  procedures: {
    add: mutation({ summary: "Adds.", retry: "unsafe", input: z.object({ n: z.int() }), output: z.object({}) }),
    remind: mutation({
      summary: "Reminds.",
      retry: "idempotent",
      input: z.object({ n: z.int() }),
      output: z.object({}),
      run: { attempts: 2 },
    }),
  },
});

interface Started {
  readonly procedure: string;
  readonly input: unknown;
  readonly key: string;
}

/** A host whose kernel has these answers; the last one is repeated. */
const fakeHost = (started: Started[], failures: FairleadError[] = [], stays = true): Host => {
  const startRun = async (request: Started) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    const isNew = !started.some(({ key }) => key === request.key);
    started.push(request);
    changed?.();
    return { created: isNew };
  };
  const folder = mkdtempSync(join(tmpdir(), "fairlead-jobs-"));
  folders.push(folder);
  return { stays, stateDir: () => folder, peer: () => ({ startRun }), log: () => changed?.() } as unknown as Host;
};

const folders: string[] = [];

/** Called when a job is started, or refused. */
let changed: (() => void) | undefined;
const nextChange = (): Promise<void> =>
  new Promise((resolve) => {
    changed = resolve;
  });

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await nextChange();
};

const opened: { close(): Promise<void> }[] = [];
const databases: Database.Database[] = [];
const outbox = (host: Host, database = new Database(":memory:")) => {
  databases.push(database);
  const jobs: JobOutbox<typeof todo> = openOutbox(todo, { host, database });
  opened.push(jobs);
  const rows = () => database.prepare("SELECT procedure, input, error FROM fairlead_outbox").all();
  return { jobs, database, rows };
};
afterEach(async () => {
  changed = undefined;
  for (const each of opened.splice(0)) await each.close();
  for (const each of databases.splice(0)) each.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("an outbox", () => {
  it("starts what was committed, in order, and nothing that was rolled back", async () => {
    const started: Started[] = [];
    const { jobs, database, rows } = outbox(fakeHost(started));
    const both = nextChange().then(nextChange);
    const fail = database.transaction(() => {
      jobs.enqueue("remind", { n: 1 });
      throw new Error("no");
    });
    expect(fail).toThrow("no");
    database.transaction(() => {
      jobs.enqueue("remind", { n: 2 });
      jobs.enqueue("remind", { n: 3 }, { key: "three" });
    })();
    await both;
    expect(started).toMatchObject([
      { procedure: "todo.remind", input: { n: 2 }, key: expect.stringMatching(/^outbox:/) },
      { procedure: "todo.remind", input: { n: 3 }, key: "three" },
    ]);
    // With the next one they are gone.
    const next = nextChange();
    jobs.enqueue("remind", { n: 9 });
    await next;
    expect(rows()).toMatchObject([{ input: '{"n":9}' }]);
  });

  it("leaves a transaction alone that is open on the same connection", async () => {
    const started: Started[] = [];
    const { jobs, database } = outbox(fakeHost(started));
    database.exec("BEGIN");
    jobs.enqueue("remind", { n: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    database.exec("ROLLBACK");
    const one = nextChange();
    jobs.enqueue("remind", { n: 2 });
    await one;
    expect(started).toMatchObject([{ input: { n: 2 } }]);
  });

  it("tries again what may pass, and keeps what cannot be started", async () => {
    const started: Started[] = [];
    const refused = new FairleadError({ code: "permission_denied", message: "no" });
    const passing = new FairleadError({ code: "unavailable", message: "later" });
    const failures = [refused, passing];
    const { jobs, rows } = outbox(fakeHost(started, failures));
    const first = nextChange();
    jobs.enqueue("remind", { n: 1 });
    await first;
    jobs.enqueue("remind", { n: 2 });
    await until(() => started.length === 1);
    expect(failures).toEqual([]);
    expect(started).toMatchObject([{ input: { n: 2 } }]);
    expect(rows()[0]).toMatchObject({ procedure: "remind", input: '{"n":1}', error: "no" });
  });

  it("goes on after an error of the database", async () => {
    const started: Started[] = [];
    const database = new Database(":memory:");
    databases.push(database);
    const failures = ["SQLITE_FULL"];
    const failing: JobDatabase = {
      get inTransaction() {
        return database.inTransaction;
      },
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        const run = (...values: unknown[]): unknown => {
          const failure = sql.startsWith("DELETE") ? failures.shift() : undefined;
          if (failure !== undefined) throw new Error(failure);
          return statement.run(...values);
        };
        return { run, all: (...values) => statement.all(...values) };
      },
    };
    const jobs = openOutbox(todo, { host: fakeHost(started), database: failing });
    opened.push(jobs);
    jobs.enqueue("remind", { n: 1 }, { key: "one" });
    await until(() => started.length === 2);
    expect(started.map(({ key }) => key)).toEqual(["one", "one"]);
    const next = nextChange();
    jobs.enqueue("remind", { n: 2 }, { key: "two" });
    await next;
    expect(started.at(-1)?.key).toBe("two");
  });

  it("refuses what does not fit, and what cannot be started", () => {
    const { jobs, rows } = outbox(fakeHost([]));
    expect(() => jobs.enqueue("remind", { n: 1.5 })).toThrow("does not fit");
    expect(() => jobs.enqueue("add", { n: 1 })).toThrow("needs `run`");
    expect(rows()).toEqual([]);
  });

  it("only notes jobs in a kernel that ends with its caller", async () => {
    const { jobs, rows } = outbox(fakeHost([], [], false));
    jobs.enqueue("remind", { n: 1 });
    await jobs.close();
    expect(rows()).toHaveLength(1);
  });

  it("starts runs of a real kernel, as the service", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead-jobs-"));
    const reminded = Promise.withResolvers<string>();
    const service = defineService(todo, (host) => {
      const database = new Database(":memory:");
      const jobs = openOutbox(todo, { host, database });
      return {
        handlers: {
          add: ({ n }) => {
            jobs.enqueue("remind", { n });
            return {};
          },
          remind: ({ n }, call) => {
            reminded.resolve(`${n} ${call.principal.id}`);
            return {};
          },
        },
        stop: async () => {
          await jobs.close();
          database.close();
        },
      };
    });
    const kernel = await openKernel({
      config: { stateDir: folder, log: { level: "error" } },
      services: [service],
      env: {},
    });
    try {
      expect(await kernel.connect().call("todo.add", { n: 4 })).toMatchObject({ ok: true });
      expect(await reminded.promise).toBe("4 service:todo");
      expect(await kernel.connect().call("kernel.listRuns", { procedure: "todo.remind" })).toMatchObject({
        value: { items: [{ principal: "service:todo" }] },
      });
    } finally {
      await kernel.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("a schedule", () => {
  const open = (host: Host, schedules: Parameters<typeof openSchedules<typeof todo>>[2]) => {
    const made = openSchedules(todo, host, schedules);
    opened.push(made);
    return made;
  };

  /** Sets the last ticks back, as if no kernel had run since. */
  const forget = (host: Host, at: Date): void => {
    const database = new Database(join(host.stateDir(), "fairlead-schedules.sqlite"));
    database.prepare("UPDATE last_ticks SET at = ?").run(at.getTime());
    database.close();
  };
  const lastTick = (host: Host): unknown => {
    const database = new Database(join(host.stateDir(), "fairlead-schedules.sqlite"));
    try {
      return database.prepare("SELECT at FROM last_ticks WHERE schedule = 'yearly'").pluck().get();
    } finally {
      database.close();
    }
  };

  it("makes up for the latest tick that was missed, once and by its time, and for none before it was there", async () => {
    const started: Started[] = [];
    const host = fakeHost(started);
    const yearly = { cron: "0 3 1 1 *", procedure: "remind", input: { n: 1 } } as const;
    const often = { ...yearly, cron: "* * * * * *", catchUp: false };
    /** Opens them until the one of each second has begun a run: the other has looked by then, too. */
    const openShortly = async (schedule: typeof yearly & { readonly catchUp?: boolean }): Promise<void> => {
      const before = started.length;
      const made = open(host, { yearly: schedule, often });
      await until(() => started.slice(before).some(({ key }) => key.startsWith("schedule:often:")));
      await made.close();
    };
    const yearlyKeys = () => started.flatMap(({ key }) => (key.startsWith("schedule:yearly:") ? [key] : []));
    await openShortly(yearly);
    expect(yearlyKeys()).toEqual([]);
    forget(host, new Date(0));
    const first = open(host, { yearly });
    const { next } = first;
    await until(() => yearlyKeys().length > 0);
    const year = new Date().getUTCFullYear();
    const from = new Date() < new Date(Date.UTC(year, 0, 1, 3)) ? year - 1 : year;
    const key = `schedule:yearly:${from}-01-01T03:00:00.000Z`;
    expect(started.at(-1)).toMatchObject({ procedure: "todo.remind", key });
    expect(next()).toEqual({ yearly: new Date(Date.UTC(from + 1, 0, 1, 3)) });
    // The run and its key may be swept: what counts is the last tick.
    await expect.poll(() => lastTick(host)).toBe(Date.UTC(from, 0, 1, 3));
    await first.close();
    await openShortly(yearly);
    expect(yearlyKeys()).toEqual([key]);
    forget(host, new Date(0));
    await openShortly({ ...yearly, catchUp: false });
    expect(yearlyKeys()).toEqual([key]);
    expect(lastTick(host)).toBe(Date.UTC(from, 0, 1, 3));
  });

  it("makes up for a missed tick also where the last one is of a clock that was years ahead", async () => {
    const started: Started[] = [];
    const host = fakeHost(started);
    const often = { cron: "* * * * * *", procedure: "remind", input: { n: 1 }, catchUp: false } as const;
    const tickOnce = async (): Promise<void> => {
      const before = started.length;
      const made = open(host, { yearly: often });
      await until(() => started.length > before);
      await expect.poll(() => lastTick(host)).toBeLessThanOrEqual(Date.now());
      await made.close();
    };
    await tickOnce();
    forget(host, new Date(Date.UTC(2100, 0)));
    await tickOnce();
  });

  it("follows the clock in its time zone", async () => {
    const started: Started[] = [];
    const first = nextChange();
    const often = { cron: "* * * * * *", procedure: "remind", input: { n: 1 }, catchUp: false } as const;
    const berlin = { ...often, cron: "30 2 * * *", timeZone: "Europe/Berlin" } as const;
    const { next } = open(fakeHost(started), { often, berlin });
    await first;
    expect(started).toHaveLength(1);
    expect(started[0]?.key).toMatch(/^schedule:often:.*\.000Z$/);
    expect(next().berlin?.getUTCMinutes()).toBe(30);
    expect([0, 1]).toContain(next().berlin?.getUTCHours());
  });

  it("is refused where it says nothing", () => {
    const host = fakeHost([]);
    const input = { n: 1 };
    expect(() => open(host, { a: { cron: "every day", procedure: "remind", input } })).toThrow();
    expect(() => open(host, { a: { cron: "* * * * *", timeZone: "Nowhere/X", procedure: "remind", input } })).toThrow();
    expect(() => open(host, { a: { cron: "* * * * *", procedure: "add", input } })).toThrow("needs `run`");
  });
});
