/**
 * Sessions of a cluster in PostgreSQL: a state is written where key and epoch of its writer are those of the owner at that moment, and where its version is the one
 * that it was made from. The owner's row is locked against a new epoch while a state is written, so there is no moment between the two.
 *
 * Not here: who owns a key (`../placement/cluster/`).
 */
import { randomUUID } from "node:crypto";
import { StaleSession } from "../service/errors.ts";
import type { SessionState, Sessions } from "../service/sessions.ts";
import type { Ask } from "./connection.ts";
import { quoted } from "./schema.ts";

/** By what this node owns a key; `undefined` where it does not. */
type FindOwnership = (
  key: string,
) => { readonly shard: number; readonly epoch: number; readonly lose: () => void } | undefined;

interface SessionParts {
  readonly ask: Ask;
  readonly schema: string;
  /** Id of this node. */
  readonly node: string;
  readonly service: string;
  readonly find: FindOwnership;
}

interface SessionRow {
  readonly epoch: number;
  readonly version: number;
  readonly written: string;
  readonly state: string;
}

/** Milliseconds that a write waits for a server that is away: longer than a lease it need not. */
const patienceMs = 3_000;

export class PostgresSessions implements Sessions {
  readonly #parts: SessionParts;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#sql = prepare(quoted(parts.schema));
  }

  async load(key: string): Promise<SessionState | undefined> {
    const row = await this.#read(key);
    return row && { value: JSON.parse(row.state), version: row.version, epoch: row.epoch };
  }

  async save(key: string, value: unknown, after: SessionState | undefined): Promise<SessionState> {
    const { service, node } = this.#parts;
    const state = JSON.stringify(value);
    if (state === undefined) throw new TypeError("a session's state is a value that JSON has a form for");
    const { shard, epoch } = this.#own(key);
    const written = randomUUID();
    const version = after?.version ?? 0;
    const given = [shard, node, epoch, service, key, version, written, state];
    const [saved] = await this.#parts.ask<{ readonly version: number }>(this.#sql.save, given, patienceMs);
    if (saved !== undefined) return { value: JSON.parse(state), version: saved.version, epoch };
    // It was sent twice where the first acknowledgement was lost.
    const there = await this.#read(key);
    if (there?.written === written) return { value: JSON.parse(state), version: there.version, epoch };
    throw await this.#refusal(key, { shard, epoch });
  }

  async remove(key: string, after: SessionState): Promise<void> {
    const { service, node, ask } = this.#parts;
    const { shard, epoch } = this.#own(key);
    const given = [shard, node, epoch, service, key, after.version];
    const removed = await ask(this.#sql.remove, given, patienceMs);
    if (removed.length === 0 && (await this.#read(key)) !== undefined) throw await this.#refusal(key, { shard, epoch });
  }

  async #read(key: string): Promise<SessionRow | undefined> {
    const { ask, service } = this.#parts;
    const [row] = await ask<SessionRow>(this.#sql.load, [service, key], patienceMs);
    return row;
  }

  #own(key: string) {
    const own = this.#parts.find(key);
    if (own === undefined) throw new StaleSession(key, "owner");
    return own;
  }

  async #refusal(key: string, own: { readonly shard: number; readonly epoch: number }): Promise<StaleSession> {
    const { ask, node, find } = this.#parts;
    const held = await ask(this.#sql.held, [own.shard, node, own.epoch]);
    if (held.length > 0) return new StaleSession(key, "version");
    find(key)?.lose();
    return new StaleSession(key, "owner");
  }
}

const prepare = (schema: string) => {
  const held = `SELECT 1 FROM ${schema}.shards WHERE shard = $1::int AND node = $2::uuid AND epoch = $3::int`;
  return {
    held,
    load: `SELECT epoch, version, written::text, state FROM ${schema}.sessions WHERE service = $1 AND key = $2`,
    save: `
      WITH held AS (${held} FOR KEY SHARE)
      INSERT INTO ${schema}.sessions AS known (service, key, epoch, version, written, state)
      SELECT $4, $5, $3::int, 1, $7::uuid, $8 FROM held
      WHERE $6::int = 0 OR EXISTS (SELECT 1 FROM ${schema}.sessions WHERE service = $4 AND key = $5)
      ON CONFLICT (service, key) DO UPDATE SET
        epoch = excluded.epoch, version = known.version + 1, written = excluded.written, state = excluded.state, at = now()
      WHERE known.version = $6::int
      RETURNING version`,
    remove: `
      WITH held AS (${held} FOR KEY SHARE)
      DELETE FROM ${schema}.sessions AS known USING held
      WHERE known.service = $4 AND known.key = $5 AND known.version = $6::int
      RETURNING version`,
  };
};
