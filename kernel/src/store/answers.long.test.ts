/** The store of answers in PostgreSQL and in SQLite, by the same suite; then what only a server can do: be killed, be paused, be away. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../call/call.ts";
import { notAvailable } from "../call/error.ts";
import { readConfig } from "../config/config.ts";
import { StoredAnswers } from "../policy/idempotency.ts";
import { lazyState } from "../state/lazy-state.ts";
import { testAnswers } from "../testing/answer-store-suite.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { PostgresAnswers } from "./answers.ts";
import { PostgresConnection, toClientConfig } from "./connection.ts";
import { examinePostgres } from "./examine.ts";
import { openPostgresStore } from "./open-answers.ts";
import { prepareSchema } from "./schema.ts";

const lines: string[] = [];
const log = (_: unknown, message: string): void => void lines.push(message);

describe("answers in SQLite", () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-answers-"));
  testAnswers(async () => {
    const state = lazyState(folder, log);
    return { answers: await state.answers(), close: () => state.close() };
  });
});

describe.runIf(hasPostgres())("answers in PostgreSQL", () => {
  let server: PostgresServer;
  const settingsWith = (postgres: object = {}) => {
    const { store } = readConfig({ file: { store: { postgres: { ...server.settings, ...postgres } } } });
    return store?.postgres ?? expect.fail("there is no store");
  };
  const open = (postgres: object = {}, isWorker = false) =>
    openPostgresStore({ settings: settingsWith(postgres), env: {}, log, isWorker });

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  testAnswers(async () => open());

  const use = (key: string) => ({ principal: "ann", procedure: "till.pay", key, input: "digest" });
  const paid: Reply = { ok: true, value: "paid" };
  const ranTwice = (): Promise<Reply> => Promise.reject(new Error("ran twice"));

  it("makes its tables once, whoever comes first", async () => {
    const stores = Array.from({ length: 6 }, () => open({ schema: "together" }));
    const claims = await Promise.all(stores.map(({ answers }) => answers.claim(use("first"))));
    expect(claims.filter((claim) => claim === "claimed")).toHaveLength(1);
    await Promise.all(stores.map(({ close }) => close()));
  });

  it("keeps the keys of workers apart from those of the kernel that asks them", async () => {
    const [kernel, worker] = [open(), open({}, true)];
    expect(await kernel.answers.claim(use("both"))).toBe("claimed");
    expect(await worker.answers.claim(use("both"))).toBe("claimed");
    await Promise.all([kernel.close(), worker.close()]);
  });

  it("refuses the answer of a claim that another has taken since, and takes old ones", async () => {
    const settings = settingsWith({ schema: "epochs" });
    const connection = new PostgresConnection(toClientConfig(settings, {}), (ask) =>
      prepareSchema(ask, settings.schema),
    );
    const limits = { mostBytes: 1e9, mostOfOne: 1e9, unlimited: "" };
    const [stale, next] = [1, 2].map(
      () =>
        new PostgresAnswers((text, values, patienceMs) => connection.ask(text, values, patienceMs), {
          schema: settings.schema,
          scope: "",
          limits,
          now: () => performance.now(),
        }),
    );
    if (stale === undefined || next === undefined) return;
    expect(await stale.commit([{ kind: "claim", use: use("old"), number: 1 }])).toEqual(["claimed"]);
    await connection.ask("UPDATE epochs.answers SET at = now() - interval '25 hours'");
    expect(await next.commit([{ kind: "claim", use: use("old"), number: 1 }])).toEqual(["claimed"]);
    expect(await stale.commit([{ kind: "answer", number: 1, reply: '"stale"' }])).toEqual(["lost"]);
    expect(await stale.commit([{ kind: "release", use: use("old") }])).toEqual(["done"]);
    expect(await next.commit([{ kind: "answer", number: 1, reply: '"next"' }])).toEqual(["done"]);
    const again = { kind: "claim", use: use("old"), number: 2 } as const;
    expect(await stale.commit([again])).toEqual([{ tag: "answered", input: "digest", reply: '"next"' }]);
    await connection.ask("UPDATE epochs.answers SET at = now() - interval '25 hours'");
    await next.look();
    expect(await connection.ask("SELECT name FROM epochs.answers")).toEqual([]);
    await connection.close();
  });

  it("has what it acknowledged after a crash of the server, ran nothing twice, and goes on", async () => {
    const stores = [open({ schema: "crashes" }), open({ schema: "crashes" })];
    const keyed = stores.map(({ answers }) => new StoredAnswers(async () => answers));
    const runs = new Map<string, number>();
    const acknowledged: string[] = [];
    let next = 0;
    let isOver = false;
    const crashes = Promise.withResolvers<void>();
    const lane = async (at: number): Promise<void> => {
      while (!isOver) {
        const key = `k${next++}`;
        const kernels = [keyed[at % 2], keyed[(at + 1) % 2], keyed[at % 2]];
        for (const kernel of kernels) {
          const reply = await kernel
            ?.run(use(key), async () => {
              runs.set(key, (runs.get(key) ?? 0) + 1);
              return paid;
            })
            .catch((cause: { code: string }) => cause.code);
          if (typeof reply === "object") acknowledged.push(key);
          else if (reply !== undefined) expect(["unavailable", "aborted", "data_loss"]).toContain(reply);
          if (acknowledged.length > 400) crashes.resolve();
        }
      }
    };
    const lanes = Array.from({ length: 8 }, (_, at) => lane(at));
    await crashes.promise;
    for (let crash = 0; crash < 3; crash += 1) {
      const before = acknowledged.length;
      await server.crash();
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 200);
    }
    isOver = true;
    await Promise.all(lanes);
    expect([...runs].filter(([, count]) => count !== 1)).toEqual([]);
    const judge = open({ schema: "crashes" });
    const stored = new StoredAnswers(async () => judge.answers);
    for (const key of new Set(acknowledged)) expect(await stored.run(use(key), ranTwice)).toEqual(paid);
    await Promise.all([...stores, judge].map(({ close }) => close()));
  });

  it("takes again the claim whose acknowledgement never came", async () => {
    const store = open({ schema: "pauses" });
    const keyed = new StoredAnswers(async () => store.answers);
    expect(await keyed.run(use("before"), async () => paid)).toEqual(paid);
    server.pause();
    let ran = false;
    const lost = keyed.run(use("meanwhile"), async () => {
      ran = true;
      return paid;
    });
    await expect(lost).rejects.toMatchObject({
      code: "unavailable",
      message: "the shared store of answers cannot be reached or used",
      cause: { message: expect.stringContaining("PostgreSQL at 127.0.0.1") },
    });
    expect(ran).toBe(false);
    expect(store.problem()).toMatchObject({ why: expect.stringContaining("cannot be stored") });
    server.resume();
    expect(await keyed.run(use("meanwhile"), async () => paid)).toEqual(paid);
    expect(store.problem()).toBeUndefined();
    await store.close();
  });

  it("is examined with its version, rights, clock and latency", async () => {
    const before = await examinePostgres(settingsWith({ schema: "examined" }), {});
    expect(before.problems.filter(({ isFatal }) => isFatal)).toEqual([]);
    const store = open({ schema: "examined" });
    await store.answers.claim(use("examined"));
    await store.close();
    const { detail, problems } = await examinePostgres(settingsWith({ schema: "examined" }), {});
    expect(detail).toMatch(/^PostgreSQL \d+\.\d+ .*at 127\.0\.0\.1:\d+, answers in \d/);
    expect(problems.filter(({ isFatal }) => isFatal)).toEqual([]);
    const connection = new PostgresConnection(toClientConfig(settingsWith(), {}), async () => undefined);
    for (const text of ["CREATE ROLE reader LOGIN", "GRANT USAGE ON SCHEMA examined TO reader"])
      await connection.ask(text);
    await connection.ask("GRANT SELECT ON ALL TABLES IN SCHEMA examined TO reader");
    await connection.close();
    const reader = await examinePostgres(settingsWith({ schema: "examined", user: "reader" }), {});
    expect(reader.problems).toContainEqual(
      expect.objectContaining({
        isFatal: true,
        detail: expect.stringContaining("may not make or use"),
        fix: 'GRANT SELECT, INSERT, UPDATE, DELETE ON "examined".answers TO "reader"',
      }),
    );
    await expect(examinePostgres(settingsWith({ port: 1 }), {})).rejects.toMatchObject({ code: "unavailable" });
  });

  it("uses a schema of its user's own, says which rights are missing, and refuses a database without all characters", async () => {
    const admin = new PostgresConnection(toClientConfig(settingsWith(), {}), async () => undefined);
    for (const text of ["CREATE ROLE own LOGIN", "CREATE SCHEMA own AUTHORIZATION own", "CREATE ROLE later LOGIN"])
      await admin.ask(text);
    const own = open({ user: "own", schema: "own" });
    expect(await own.answers.claim(use("own"))).toBe("claimed");
    await own.close();
    for (const missing of [
      'USAGE ON SCHEMA "own"',
      'SELECT, INSERT, UPDATE, DELETE ON "own".answers',
      'SELECT ON "own".steps',
    ]) {
      const { problems } = await examinePostgres(settingsWith({ user: "later", schema: "own" }), {});
      expect(problems.find(({ isFatal }) => isFatal)?.fix).toBe(`GRANT ${missing} TO "later"`);
      await admin.ask(`GRANT ${missing} TO later`);
    }
    const later = open({ user: "later", schema: "own" });
    expect(await later.answers.claim(use("later"))).toBe("claimed");
    await later.close();
    await admin.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
    await admin.close();
    await expect(examinePostgres(settingsWith({ database: "latin" }), {})).rejects.toThrow(/LATIN1/);
  });

  it("closes what it opened, forgets no living connection, and opens none after it was closed", async () => {
    const config = { ...toClientConfig(settingsWith(), {}), application_name: "slow", query_timeout: 300 };
    const slow = new PostgresConnection(config, async () => undefined);
    const admin = new PostgresConnection(toClientConfig(settingsWith(), {}), async () => undefined);
    const count = async () =>
      (await admin.ask("SELECT pid FROM pg_stat_activity WHERE application_name = 'slow'")).length;
    for (const _ of [1, 2, 3]) {
      await expect(slow.ask("SELECT pg_sleep(0.6)")).rejects.toMatchObject({ code: "unavailable" });
      await slow.ask("SELECT 1");
    }
    await expect.poll(count).toBe(1);
    const pending = slow.ask("SELECT pg_sleep(1)").catch((cause: { code: string }) => cause.code);
    await slow.close();
    expect(await pending).toBe("unavailable");
    await expect(slow.ask("SELECT 1")).rejects.toMatchObject({ code: "unavailable" });
    await expect.poll(count).toBe(0);
    await admin.close();
  });

  it("keeps the answers of all that ran while the server was restarted", async () => {
    const store = open({ schema: "restarts" });
    const keyed = new StoredAnswers(async () => store.answers);
    const restarted = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    let runs = 0;
    const calls = Array.from({ length: 30 }, (_, at) =>
      keyed.run(use(`flight${at}`), async () => {
        runs += 1;
        if (runs === 30) begun.resolve();
        await restarted.promise;
        return paid;
      }),
    );
    await begun.promise;
    const crash = server.crash();
    restarted.resolve();
    await crash;
    for (const call of calls) expect(await call).toEqual(paid);
    await store.close();
  });

  it("leaves a server that only reads, and frees for others a claim that was in doubt", async () => {
    const [first, second] = [open({ schema: "doubts" }), open({ schema: "doubts" })];
    expect(await first.answers.claim(use("before"))).toBe("claimed");
    const admin = new PostgresConnection(toClientConfig(settingsWith(), {}), async () => undefined);
    await admin.ask("ALTER ROLE tester SET default_transaction_read_only = on");
    await admin.ask(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'fairlead' AND usename = 'tester'",
    );
    await expect(first.answers.claim(use("reads"))).rejects.toMatchObject({ code: "unavailable" });
    await admin.ask("SET default_transaction_read_only = off");
    await admin.ask("ALTER ROLE tester RESET default_transaction_read_only");
    expect(await first.answers.claim(use("writes"))).toBe("claimed");
    await admin.close();
    server.pause();
    await expect(first.answers.claim(use("doubt"))).rejects.toMatchObject({ code: "unavailable" });
    server.resume();
    await expect.poll(() => first.answers.claim(use("next")).catch(() => "away")).toMatchObject({ tag: "pending" });
    await expect.poll(() => second.answers.claim(use("doubt"))).toBe("claimed");
    await Promise.all([first.close(), second.close()]);
  });

  it("frees a claim that was in doubt, without another keyed call and at its close", async () => {
    const other = open({ schema: "freed" });
    for (const isClosed of [false, true]) {
      const store = open({ schema: "freed" });
      const key = `doubt ${isClosed}`;
      await store.answers.claim(use(`before ${key}`));
      server.pause();
      await expect(store.answers.claim(use(key))).rejects.toMatchObject({ code: "unavailable" });
      server.resume();
      // Its question was read by the server, whose asker had gone by then.
      if (isClosed) {
        await expect.poll(() => other.answers.claim(use(key)).catch(() => "away")).toMatchObject({ tag: "pending" });
        await store.close();
        expect(await other.answers.claim(use(key))).toBe("claimed");
      } else {
        await expect.poll(() => other.answers.claim(use(key)).catch(() => "away")).toBe("claimed");
        expect(store.problem()).toBeUndefined();
        await store.close();
      }
    }
    await other.close();
  });

  it("keeps no key of a claim that was waiting when it closed", async () => {
    const [store, other] = [open({ schema: "closing" }), open({ schema: "closing" })];
    const keyed = new StoredAnswers(async () => store.answers);
    await keyed.run(use("before"), async () => paid);
    server.pause();
    const waiting = ["a", "b", "c"].map((key) =>
      keyed.run(use(key), () => Promise.reject(notAvailable("till.pay", { message: "its service is stopped" }))),
    );
    const closing = store.close();
    server.resume();
    for (const call of waiting)
      await expect(call).rejects.toMatchObject({ message: expect.stringContaining("stopped") });
    await closing;
    for (const key of ["a", "b", "c"]) expect(await other.answers.claim(use(key))).toBe("claimed");
    await other.close();
  });

  it("says what is wrong where it cannot be used, and whether a repeat can help, and names no place to callers", async () => {
    const admin = new PostgresConnection(toClientConfig(settingsWith(), {}), async () => undefined);
    await admin.ask("CREATE ROLE locked LOGIN PASSWORD 'right'");
    const [{ folder } = { folder: "" }] = await admin.ask<{ readonly folder: string }>(
      "SELECT current_setting('data_directory') AS folder",
    );
    const hosts = ["locked all scram-sha-256", "all all trust"].map((line) => {
      const [who, , how] = line.split(" ");
      return `SELECT 'host all ${who} 127.0.0.1/32 ${how}'`;
    });
    await admin.ask(`COPY (${hosts.join(" UNION ALL ")}) TO '${folder}/pg_hba.conf'`);
    await admin.ask("SELECT pg_reload_conf()");
    await admin.close();
    const refused = { code: "failed_precondition", message: "the shared store of answers does not let this kernel in" };
    const away = { code: "unavailable", message: "the shared store of answers cannot be reached or used" };
    const wrong = [
      { with: { port: 1 }, as: away, says: /cannot be reached/ },
      { with: { database: "none" }, as: refused, says: /refused the kernel: database "none" does not exist \(3D000\)/ },
      { with: { user: "nobody" }, as: refused, says: /refused the kernel: role "nobody" does not exist \(28000\)/ },
      { with: { user: "locked" }, as: refused, says: /refused the kernel: SASL.*password must be a string/ },
      { with: { user: "locked" }, password: "wrong", as: refused, says: /refused the kernel: password .* \(28P01\)/ },
      { with: { tls: {} }, as: refused, says: /refused the kernel: .*does not support SSL/ },
    ];
    for (const { with: postgres, password, as, says } of wrong) {
      const env = password === undefined ? {} : { FAIRLEAD_STORE_PASSWORD: password };
      const store = openPostgresStore({ settings: settingsWith(postgres), env, log, isWorker: false });
      await expect(store.answers.claim(use("wrong"))).rejects.toMatchObject({
        ...as,
        cause: { message: expect.stringMatching(says) },
      });
      const shown = JSON.stringify(store.problem());
      expect(shown).toContain(as.message);
      expect(shown).not.toMatch(/127|localhost|postgres|\d{4}|tester|locked/i);
      await store.close();
    }
    expect(() => open({ passwordFile: "/nowhere/secret" })).toThrow(/passwordFile cannot be read: ENOENT/);
  });
});
