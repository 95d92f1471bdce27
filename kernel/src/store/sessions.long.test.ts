/** Sessions in PostgreSQL: what holds for all, and that the writes of an owner end with its epoch. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../config/config.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../testing/postgres-server.ts";
import { testSessions } from "../testing/session-suite.ts";
import { clusterSteps } from "./cluster-tables.ts";
import { PostgresConnection, toClientConfig } from "./connection.ts";
import { prepareSchema } from "./schema.ts";
import { PostgresSessions } from "./sessions.ts";

describe.runIf(hasPostgres())("sessions in PostgreSQL", () => {
  let server: PostgresServer;
  let connection: PostgresConnection;
  const connect = (): PostgresConnection => {
    const { store } = readConfig({ file: { store: { postgres: server.settings } } });
    if (store === undefined) throw new Error("there is no store");
    return new PostgresConnection(toClientConfig(store.postgres, {}), (ask) =>
      prepareSchema(ask, "fairlead", clusterSteps),
    );
  };
  beforeAll(async () => {
    server = await startPostgres();
    connection = connect();
  });
  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  });

  /** Takes shard 7, as a node does, and has its sessions. */
  const own = async (service: string, over = connection) => {
    const node = randomUUID();
    const [row] = await connection.ask<{ readonly epoch: number }>(
      "UPDATE fairlead.shards SET node = $1::uuid, epoch = epoch + 1 WHERE shard = 7 RETURNING epoch",
      [node],
    );
    const lost: string[] = [];
    const sessions = new PostgresSessions({
      ask: (text, values, patienceMs) => over.ask(text, values, patienceMs),
      schema: "fairlead",
      node,
      service,
      find: () => ({ shard: 7, epoch: row?.epoch ?? 0, lose: () => void lost.push(service) }),
    });
    return { sessions, lost };
  };

  let services = 0;
  testSessions(async () => ({ ...(await own(`suite ${services++}`)), close: () => undefined }));

  it("refuse all writes of an owner once there is another, whatever the stale one has loaded", async () => {
    const stale = await own("fenced");
    const first = await stale.sessions.save("s", "of the first", undefined);
    const next = await own("fenced");
    await expect(stale.sessions.save("s", "stale", first)).rejects.toMatchObject({ because: "owner", code: "aborted" });
    await expect(stale.sessions.save("new", "stale", undefined)).rejects.toMatchObject({ because: "owner" });
    await expect(stale.sessions.remove("s", first)).rejects.toMatchObject({ because: "owner" });
    expect(stale.lost).not.toEqual([]);
    const seen = await next.sessions.load("s");
    expect(seen).toMatchObject({ value: "of the first", version: 1, epoch: first.epoch });
    expect(await next.sessions.save("s", "of the next", seen)).toMatchObject({ version: 2, epoch: first.epoch + 1 });
  });

  it("let no owner begin while a write of the one before is under way", async () => {
    const writer = connect();
    const { sessions } = await own("locked", writer);
    await sessions.save("s", "before", undefined);
    await connection.ask("BEGIN");
    // Holds up the write after it has made sure of its epoch.
    await connection.ask("SELECT 1 FROM fairlead.sessions WHERE service = 'locked' FOR UPDATE");
    const late = sessions.load("s").then((state) => sessions.save("s", "late", state));
    const taker = connect();
    const waits = () =>
      taker.ask<{ readonly waiting: number }>(
        "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      );
    await expect.poll(async () => (await waits())[0]?.waiting).toBe(1);
    const order: string[] = [];
    const other = connect();
    const taken = other
      .ask("UPDATE fairlead.shards SET node = $1::uuid, epoch = epoch + 1 WHERE shard = 7", [randomUUID()])
      .then(() => order.push("taken"));
    await expect.poll(async () => (await waits())[0]?.waiting).toBe(2);
    // A renewal of the lease does not wait for it.
    await taker.ask("UPDATE fairlead.shards SET expires = now() WHERE shard = 7 AND false");
    await connection.ask("COMMIT");
    await Promise.all([late.then(() => order.push("saved")), taken]);
    expect(order).toContain("saved");
    await expect(sessions.load("s").then((state) => sessions.save("s", "stale", state))).rejects.toMatchObject({
      because: "owner",
    });
    await Promise.all([writer, taker, other].map((open) => open.close()));
  });
});
